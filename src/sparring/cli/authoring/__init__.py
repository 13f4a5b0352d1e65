"""Commands for authors of games: create a package, and check it against the laws."""
