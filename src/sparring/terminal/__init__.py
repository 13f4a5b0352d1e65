"""Matches, replays, tutorials and puzzles in the terminal, and the `--seats` option."""
