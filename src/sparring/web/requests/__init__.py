"""What comes in from a table and what goes out to it: identity checked, choices posted, live updates."""
