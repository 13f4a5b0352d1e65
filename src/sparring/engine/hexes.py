"""Geometry of hexagonal boards: numbers, distances, lines, reachable hexes.

A hex has axial coordinates (q, r): on the screen, q grows to the east and r to the south-east. Boards are hexagons
around (0, 0) with a radius of at most LARGEST. Hexes are numbered row by row from the north, each row from the west;
the numbers are the same for every radius.

A set of hexes is an int32 array of shape (SET_SIZE,): one bit set per row, from r = -LARGEST - 1. Flood fills on such
sets take a few bit operations, in machine code on vectors (see `compilation.board_sets`).
"""

from typing import Any

import numpy as np

from .rule import rule
from .types import Numbers

Array = np.ndarray[Any, Any]

LARGEST = 10
ROWS = 2 * LARGEST + 1
SET_SIZE = ROWS + 2
HEXES = 3 * LARGEST * (LARGEST + 1) + 1

#: The six directions, clockwise from east, and their steps in q and r.
EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST, NORTH_EAST = range(6)
DQ = np.array([1, 0, -1, -1, 0, 1])
DR = np.array([0, 1, 1, 0, -1, -1])

_PLACES = [
    (q, r)
    for r in range(-LARGEST, LARGEST + 1)
    for q in range(max(-LARGEST, -LARGEST - r), min(LARGEST, LARGEST - r) + 1)
]
#: The coordinates of each hex, and the number of the hex with q = 0 in each row.
Q = np.array([q for q, _ in _PLACES])
R = np.array([r for _, r in _PLACES])
MIDDLE: Numbers = np.array([_PLACES.index((0, r)) for r in range(-LARGEST, LARGEST + 1)])

#: No hex.
NOWHERE = -1


@rule
def size(q: int, r: int) -> int:
    """Return the distance of (q, r) from (0, 0) in steps."""
    return max(abs(q), abs(r), abs(q + r))


@rule
def hex_at(q: int, r: int) -> int:
    """Return the number of the hex at (q, r), for size(q, r) <= LARGEST."""
    return MIDDLE[r + LARGEST] + q


@rule
def distance(a: int, b: int) -> int:
    """Return the distance between two hexes in steps."""
    return size(Q[a] - Q[b], R[a] - R[b])


@rule
def neighbour(a: int, direction: int, radius: int) -> int:
    """Return the neighbour of `a` in a direction; NOWHERE beyond the edge."""
    q, r = Q[a] + DQ[direction], R[a] + DR[direction]
    return hex_at(q, r) if size(q, r) <= radius else NOWHERE


@rule
def beyond(source: int, through: int, a: int, radius: int) -> int:
    """Return the hex after `a` on the line from the centre of `source` through `through`; NOWHERE beyond the edge.

    It is one ring further from `source` than `a` and closest to the line; between two equally close hexes, it is the
    clockwise one.
    """
    q, r = Q[through] - Q[source], R[through] - R[source]
    ring = distance(source, a) + 1
    best_q, best_r, best, aside = 0, 0, 1 << 30, 0
    for direction in range(6):
        x, y = Q[a] + DQ[direction] - Q[source], R[a] + DR[direction] - R[source]
        if size(x, y) == ring:
            cross = q * y - r * x
            if abs(cross) < best or (abs(cross) == best and cross > aside):
                best_q, best_r, best, aside = x, y, abs(cross), cross
    best_q += Q[source]
    best_r += R[source]
    return hex_at(best_q, best_r) if size(best_q, best_r) <= radius else NOWHERE


# Sets of hexes


@rule
def mark(rows: Array, a: int) -> None:
    """Add a hex to a set."""
    rows[R[a] + LARGEST + 1] |= 1 << (Q[a] + LARGEST)


@rule
def unmark(rows: Array, a: int) -> None:
    """Remove a hex from a set."""
    rows[R[a] + LARGEST + 1] &= ~(1 << (Q[a] + LARGEST))


@rule
def mark_around(rows: Array, a: int) -> None:
    """Add the six neighbours of a hex to a set, including those beyond the edge of the board."""
    row, bit = R[a] + LARGEST + 1, 1 << (Q[a] + LARGEST)
    rows[row - 1] |= bit | bit << 1
    rows[row] |= bit << 1 | bit >> 1
    rows[row + 1] |= bit | bit >> 1


@rule
def mark_board(rows: Array, radius: int) -> None:
    """Add all hexes of a board to a set."""
    for r in range(-radius, radius + 1):
        west, east = max(-radius, -radius - r), min(radius, radius - r)
        rows[r + LARGEST + 1] = (1 << (east + LARGEST + 1)) - (1 << (west + LARGEST))


@rule
def spread(start: int, steps: int, board: Array, taken: Array, stops: Array, reached: Array) -> None:
    """Write every hex that a piece on `start` can reach in up to `steps` steps, except `start`, to the empty `reached`.

    It may not enter hexes of `taken`, and must stop on hexes of `stops` (except on `start`).
    """
    passable = ~stops
    mark(passable, start)
    mark(reached, start)
    for _ in range(steps):
        front = reached & passable
        around = front << 1 | front >> 1
        around[1:] |= front[:-1] | front[:-1] >> 1
        around[:-1] |= front[1:] | front[1:] << 1
        reached |= around & board & ~taken
    unmark(reached, start)


@rule
def numbers(rows: Array, radius: int, out: Numbers | list[int], n: int, base: int) -> int:
    """Write `base` plus the number of each hex of a set into `out` from index `n` on; return the next index.

    The numbers are ascending. `out` has room for eight more.
    """
    for r in range(-radius, radius + 1):
        west = max(-radius, -radius - r)
        bits = rows[r + LARGEST + 1] >> (west + LARGEST)
        number = base + MIDDLE[r + LARGEST] + west
        while bits:
            out[n] = number
            n += bits & 1
            bits >>= 1
            number += 1
    return n
