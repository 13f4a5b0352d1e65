"""Geometry of square boards of up to 12 columns and 12 rows: positions, directions, distances.

A square is a number: its row times SIDE plus its column, both from 0. It means the same on boards of any size. A
direction is a number from 0 to 7, clockwise, starting with the one of decreasing row numbers; a quarter turn adds 2.
"""

import re

import numpy as np

from .rule import offer, rule
from .types import Numbers

#: The maximum number of columns and of rows.
SIDE = 12
SQUARES = SIDE * SIDE

#: No square: beyond the edge, or not on the board yet.
OFF = -1
#: No direction.
NOWHERE = -1

DIRECTIONS = 8
#: The steps in column and row of each direction.
COLUMN_STEPS = (0, 1, 1, 1, 0, -1, -1, -1)
ROW_STEPS = (-1, -1, 0, 1, 1, 1, 0, -1)
#: The step in square numbers of each direction.
STRIDES = (-12, -11, 1, 13, 12, 11, -1, -13)
#: The directions in ascending order of the squares they lead to.
ASCENDING = (7, 0, 1, 6, 2, 5, 4, 3)

#: The number of 32-bit words (in 64-bit fields) of a set of squares.
WORDS = (SQUARES + 31) // 32

# The directions of decreasing and increasing rows and columns, as bits.
_NORTH, _SOUTH = (sum(1 << way for way in range(DIRECTIONS) if ROW_STEPS[way] == step) for step in (-1, 1))
_WEST, _EAST = (sum(1 << way for way in range(DIRECTIONS) if COLUMN_STEPS[way] == step) for step in (-1, 1))

# The distance and the straight direction of each pair of squares: looking them up is faster than dividing by SIDE.
_ROWS, _COLUMNS = np.divmod(np.arange(SQUARES), SIDE)
_ALONG, _ACROSS = (places - places[:, np.newaxis] for places in (_ROWS, _COLUMNS))
_DISTANCES = np.maximum(abs(_ALONG), abs(_ACROSS)).astype(np.int8)
_IS_STRAIGHT = (_ALONG == 0) | (_ACROSS == 0) | (abs(_ALONG) == abs(_ACROSS))
_STEPS = 3 * np.sign(_ALONG) + np.sign(_ACROSS) + 4
_HEADINGS = np.where(_IS_STRAIGHT, np.array((7, 0, 1, 6, NOWHERE, 2, 5, 4, 3))[_STEPS], NOWHERE).astype(np.int8)


@rule
def square_at(column: int, row: int) -> int:
    """Return the number of a square."""
    return row * SIDE + column


@rule
def column_of(square: int) -> int:
    """Return the column of a square."""
    return square % SIDE


@rule
def row_of(square: int) -> int:
    """Return the row of a square."""
    return square // SIDE


@rule
def distance(square: int, other: int) -> int:
    """Return the distance between two squares on the board in king's moves (Chebyshev distance)."""
    return int(_DISTANCES[square, other])


@rule
def walk(square: int, direction: int, steps: int, columns: int, rows: int) -> int:
    """Return the square `steps` steps straight on, on a board of this size; OFF beyond the edge."""
    column = column_of(square) + steps * COLUMN_STEPS[direction]
    row = row_of(square) + steps * ROW_STEPS[direction]
    if 0 <= column < columns and 0 <= row < rows:
        return square_at(column, row)
    return OFF


@rule
def directions_on_board(square: int, steps: int, columns: int, rows: int) -> int:
    """Return the directions in which a walk of `steps` squares stays on a board of this size, as bits."""
    column = column_of(square)
    row = row_of(square)
    directions = (1 << DIRECTIONS) - 1
    if column < steps:
        directions &= ~_WEST
    if column + steps >= columns:
        directions &= ~_EAST
    if row < steps:
        directions &= ~_NORTH
    if row + steps >= rows:
        directions &= ~_SOUTH
    return directions


@rule
def offer_walks(out: Numbers, n: int, first: int, square: int, steps: int, directions: int) -> int:
    """Write `first` plus the square `steps` squares away in each direction of a set, ascending, to `out` from `n` on.

    Return the number in `out`, which has room for eight more actions. The directions are bits.
    """
    for direction in ASCENDING:  # machine code: see compilation.board_sets
        n = offer(out, n, first + square + steps * STRIDES[direction], (directions >> direction) & 1)
    return n


@rule
def heading(square: int, other: int) -> int:
    """Return the direction of a straight line from `square` to `other`; NOWHERE if there is none."""
    return int(_HEADINGS[square, other])


@rule
def heading_bit(square: int, other: int) -> int:
    """Return the direction of a straight line from `square` to `other` as a bit; 0 if there is none."""
    return (1 << (heading(square, other) + 1)) >> 1  # NOWHERE is -1


@rule
def turned(direction: int, quarters: int) -> int:
    """Return a direction turned clockwise by quarter turns."""
    return (direction + 2 * quarters) & 7


@rule
def on_edge(square: int, columns: int, rows: int) -> bool:
    """Return whether a square is on the edge of a board."""
    column = column_of(square)
    row = row_of(square)
    return column == 0 or row == 0 or column == columns - 1 or row == rows - 1


@rule
def is_in(squares: Numbers, square: int) -> int:
    """Return whether a square is in a set."""
    return (squares[square >> 5] >> (square & 31)) & 1


@rule
def add_to(squares: Numbers, square: int) -> None:
    """Add a square to a set."""
    squares[square >> 5] |= 1 << (int(square) & 31)


@rule
def take_from(squares: Numbers, square: int) -> None:
    """Remove a square from a set."""
    squares[square >> 5] &= ~(1 << (int(square) & 31))


def square_name(square: int) -> str:
    """Return the name of a square: the column as a letter, the row as a number from 1; a1 is at the upper left.

    >>> square_name(26)
    'c3'
    """
    return f"{chr(ord('a') + square % SIDE)}{square // SIDE + 1}"


def read_square(name: str, columns: int = SIDE, rows: int = SIDE) -> int:
    """Return the square of that name on a board of this size; OFF if there is none.

    >>> read_square("c3"), read_square("h3", columns=7)
    (26, -1)
    """
    found = re.fullmatch(r"\s*([a-lA-L])([1-9][0-9]?)\s*", name)
    if not found:
        return OFF
    column, row = ord(found[1].lower()) - ord("a"), int(found[2]) - 1
    return row * SIDE + column if column < columns and row < rows else OFF
