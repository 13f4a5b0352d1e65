"""Squares: where they lie, which way, and how far. Boards have up to 12 columns and 12 rows.

A square is a number: its row times SIDE plus its column, both counted from 0, so that it means the same on a board of
any size. A direction is a number from 0 to 7: clockwise, beginning with the one in which row numbers fall, so that a
quarter turn is two further.
"""

import re

from .rule import rule

#: As many columns, and as many rows, as a board may have.
SIDE = 12
SQUARES = SIDE * SIDE

#: No square: beyond the board, or not on it yet.
OFF = -1
#: No direction.
NOWHERE = -1
#: No token.
NO_TOKEN = -1

DIRECTIONS = 8
#: What a step in each direction adds to the column and to the row.
COLUMN_STEPS = (0, 1, 1, 1, 0, -1, -1, -1)
ROW_STEPS = (-1, -1, 0, 1, 1, 1, 0, -1)
#: What a step in each direction adds to the number of a square.
STRIDES = (-12, -11, 1, 13, 12, 11, -1, -13)
#: The directions in the order of the squares they lead to, the lowest number first.
ASCENDING = (7, 0, 1, 6, 2, 5, 4, 3)

#: A set of squares is so many numbers of 32 bits (in fields of 64).
WORDS = (SQUARES + 31) // 32

# The direction of three times (row step + 1) plus (column step + 1).
_DIRECTION_OF_STEP = (7, 0, 1, 6, NOWHERE, 2, 5, 4, 3)


@rule
def square_at(column, row):
    """The number of a square."""
    return row * SIDE + column


@rule
def column_of(square):
    """The column of a square."""
    return square % SIDE


@rule
def row_of(square):
    """The row of a square."""
    return square // SIDE


@rule
def distance(square, other):
    """How many king's moves apart two squares are: a diagonal step counts as one."""
    across = abs(column_of(square) - column_of(other))
    along = abs(row_of(square) - row_of(other))
    return max(along, across)


@rule
def walk(square, direction, steps, columns, rows):
    """The square so many steps straight on, on a board of so many columns and rows; OFF if that leads off the board."""
    column = column_of(square) + steps * COLUMN_STEPS[direction]
    row = row_of(square) + steps * ROW_STEPS[direction]
    if 0 <= column < columns and 0 <= row < rows:
        return square_at(column, row)
    return OFF


@rule
def heading(square, other):
    """The direction in which another square lies straight from this one; NOWHERE if it does not."""
    across = column_of(other) - column_of(square)
    along = row_of(other) - row_of(square)
    if across != 0 and along != 0 and abs(across) != abs(along):
        return NOWHERE
    return _DIRECTION_OF_STEP[3 * sign(along) + sign(across) + 4]


@rule
def turned(direction, quarters):
    """A direction turned clockwise by so many quarters."""
    return (direction + 2 * quarters) & 7


@rule
def on_edge(square, columns, rows):
    """Whether a square lies in the first or last column or row of a board."""
    column = column_of(square)
    row = row_of(square)
    return column == 0 or row == 0 or column == columns - 1 or row == rows - 1


@rule
def token_on(tokens, square):
    """Which token (of a list of their squares) stands on a square; NO_TOKEN if none."""
    for token in range(len(tokens)):
        if tokens[token] == square:
            return token
    return NO_TOKEN


@rule
def is_in(squares, square):
    """Whether a square belongs to a set."""
    return (squares[square >> 5] >> (square & 31)) & 1


@rule
def add_to(squares, square):
    """Take a square into a set."""
    squares[square >> 5] |= 1 << (int(square) & 31)


@rule
def take_from(squares, square):
    """Take a square out of a set."""
    squares[square >> 5] &= ~(1 << (int(square) & 31))


@rule
def sign(number):
    """-1, 0 or 1."""
    return int(number > 0) - int(number < 0)


def square_name(square: int) -> str:
    """The name of a square: the column as a letter, the row as a number from 1.

    >>> square_name(26)
    'c3'
    """
    return f"{chr(ord('a') + square % SIDE)}{square // SIDE + 1}"


def read_square(name: str, columns: int = SIDE, rows: int = SIDE) -> int:
    """The square of that name on a board of so many columns and rows; OFF if there is none.

    >>> read_square("c3"), read_square("h3", columns=7)
    (26, -1)
    """
    found = re.fullmatch(r"\s*([a-lA-L])([1-9][0-9]?)\s*", name)
    if not found:
        return OFF
    column, row = ord(found[1].lower()) - ord("a"), int(found[2]) - 1
    return row * SIDE + column if column < columns and row < rows else OFF
