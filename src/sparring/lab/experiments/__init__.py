"""Compare variants of a game: what to play, for how long, and what was found."""
