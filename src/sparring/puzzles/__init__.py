"""Puzzles: positions in which one action is clearly best, given what the seat knows.

`finder` looks for them in self-play matches and words the expected lines, `checks` decides by independent searches
whether a position is one, and `puzzle` has their data, files and verdicts. docs/lab.md defines the measures.
"""

from .puzzle import FILE, BadPuzzle, Puzzle, PuzzleCollection, add_puzzle, collection_of, own_file, read_puzzles

__all__ = [
    "FILE",
    "BadPuzzle",
    "Puzzle",
    "PuzzleCollection",
    "add_puzzle",
    "collection_of",
    "own_file",
    "read_puzzles",
]
