"""Compare variants of a game: experiment config, stopping rule, runner and results."""
