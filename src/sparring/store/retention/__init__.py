"""What is deleted when, and the days on which the server ran."""
