"""How a match stands and ends, for lists, ratings and the history of its players."""
