"""A board as a map of signs: how it is read, and what it must be like (R2).

Spaces are named by row and column, both counted from 0, row 0 at the top.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.squares import COLUMN_STEPS, ROW_STEPS, SIDE, turned

Space = tuple[int, int]
Map = tuple[str, ...]

OPEN, CLOSED, START = ".#o"
SMALLEST = 6
#: Starting spaces of a side.
STARTS = 4

#: The sides of the board as seats take them, clockwise; a side's number is also how many quarters it is turned.
SIDES = ("S", "W", "N", "E")
SIDE_NAMES = ("bottom", "left", "top", "right")

SYMMETRIES = ("mirror", "half turn", "quarter turn", "none")


def read_map(value: Any, symmetry: str, where: str) -> Map:
    """Check a map, given as a text or as a list of rows; BadContent names the row or space that is wrong."""
    rows = tuple(value.split()) if isinstance(value, str) else tuple(value) if isinstance(value, list) else ()
    _check_shape(rows, where)
    _check_border(rows, where)
    _check_reach(rows, where)
    _check_claim(rows, symmetry, where)
    return rows


def border(rows: Map, side: int) -> list[Space]:
    """The spaces of a side, corners included, the smallest first."""
    last_row, last_column = len(rows) - 1, len(rows[0]) - 1
    if side in (0, 2):
        return [(last_row if side == 0 else 0, column) for column in range(last_column + 1)]
    return [(row, 0 if side == 1 else last_column) for row in range(last_row + 1)]


def starts(rows: Map, side: int) -> list[Space]:
    """The starting spaces of a side, the smallest first."""
    return [space for space in border(rows, side) if sign(rows, space) == START]


def steps_to(rows: Map, goals: Sequence[Space]) -> dict[Space, int]:
    """How many steps it is to the nearest goal from each space that one can be reached from."""
    found = dict.fromkeys(goals, 0)
    waiting = list(goals)
    for space in waiting:
        for direction in range(len(ROW_STEPS)):
            beside = ahead(space, direction)
            if beside not in found and sign(rows, beside) != CLOSED:
                found[beside] = found[space] + 1
                waiting.append(beside)
    return found


def sign(rows: Map, space: Space) -> str:
    """What is drawn there; beyond the map all is closed."""
    row, column = space
    return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else CLOSED


def ahead(space: Space, direction: int) -> Space:
    """The next space in a direction."""
    return space[0] + ROW_STEPS[direction], space[1] + COLUMN_STEPS[direction]


def inner(rows: Map) -> Iterator[Space]:
    """All spaces that are not on the border."""
    return ((row, column) for row in range(1, len(rows) - 1) for column in range(1, len(rows[0]) - 1))


def has_symmetry(rows: Map, symmetry: str) -> bool:
    """Whether a map is what it claims to be; every map is `none`."""
    if symmetry == "mirror":
        return all(row == row[::-1] for row in rows)
    if symmetry == "half turn":
        return rows == turned_map(turned_map(rows))
    return symmetry == "none" or rows == turned_map(rows)


def turned_map(rows: Map) -> Map:
    """The map after a quarter turn, clockwise."""
    return tuple("".join(column) for column in zip(*reversed(rows), strict=True))


def _say(space: Space) -> str:
    return f"space {space[0]},{space[1]}"


def _check_shape(rows: Sequence[Any], where: str) -> None:
    if not rows or not all(isinstance(row, str) for row in rows):
        raise BadContent(f"{where}: map: a map is a text with a line of signs for each row.")
    if not SMALLEST <= len(rows) <= SIDE:
        raise BadContent(f"{where}: map: there are {len(rows)} rows; a board has {SMALLEST} to {SIDE}.")
    wide = len(rows[0])
    if not SMALLEST <= wide <= SIDE:
        raise BadContent(f"{where}: row 0 has {wide} spaces; a row has {SMALLEST} to {SIDE}.")
    for number, row in enumerate(rows):
        if len(row) != wide:
            raise BadContent(f"{where}: row {number} has {len(row)} spaces, row 0 has {wide}; rows are equally long.")
        for column, drawn in enumerate(row):
            if drawn not in (OPEN, CLOSED, START):
                raise BadContent(
                    f"{where}: {_say((number, column))} is “{drawn}”; a space is . (open), # (closed) or o (a start)."
                )


def _check_border(rows: Map, where: str) -> None:
    """Four starting spaces a side, none in a corner, the rest of the border closed; none inside."""
    for side, name in enumerate(SIDE_NAMES):
        spaces = border(rows, side)
        for space in (spaces[0], spaces[-1]):
            if sign(rows, space) == START:
                raise BadContent(f"{where}: {_say(space)} is a corner; no starting space lies in a corner.")
        for space in spaces:
            if sign(rows, space) == OPEN:
                raise BadContent(f"{where}: {_say(space)} is open; the border is closed but for the starting spaces.")
        found = len(starts(rows, side))
        if found != STARTS:
            raise BadContent(f"{where}: the {name} side has {found} starting spaces; every side has {STARTS}.")
    for space in inner(rows):
        if sign(rows, space) == START:
            raise BadContent(f"{where}: {_say(space)} is a starting space; they lie on the border only.")


def _check_reach(rows: Map, where: str) -> None:
    """No start is sealed, and every open space can be reached, by straight and diagonal steps (R18)."""
    doors: list[Space] = []
    for side, name in enumerate(SIDE_NAMES):
        for start in starts(rows, side):
            door = ahead(start, turned(0, side))
            if sign(rows, door) != OPEN:
                raise BadContent(
                    f"{where}: {_say(start)}, a start of the {name} side, is sealed: {_say(door)} before it is closed."
                )
            doors.append(door)
    reached = _reachable(rows, doors[0])
    for space in inner(rows):
        if sign(rows, space) == OPEN and space not in reached:
            raise BadContent(f"{where}: {_say(space)} cannot be reached from {_say(doors[0])}.")


def _reachable(rows: Map, origin: Space) -> set[Space]:
    """All open inner spaces that can be walked to, without a starting space on the way."""
    reached, waiting = {origin}, [origin]
    while waiting:
        space = waiting.pop()
        for direction in range(8):
            neighbour = ahead(space, direction)
            if sign(rows, neighbour) == OPEN and neighbour not in reached:
                reached.add(neighbour)
                waiting.append(neighbour)
    return reached


def _check_claim(rows: Map, symmetry: str, where: str) -> None:
    if symmetry == "quarter turn" and len(rows) != len(rows[0]):
        raise BadContent(
            f"{where}: symmetry: a quarter turn needs as many rows as columns, not {len(rows)} and {len(rows[0])}."
        )
    if not has_symmetry(rows, symmetry):
        row, column = _first_difference(rows, symmetry)
        raise BadContent(f"{where}: symmetry: the map is no {symmetry}: {_say((row, column))} differs from its image.")


def _first_difference(rows: Map, symmetry: str) -> Space:
    image = {
        "mirror": tuple(row[::-1] for row in rows),
        "half turn": turned_map(turned_map(rows)),
        "quarter turn": turned_map(rows),
    }[symmetry]
    return next((r, c) for r, row in enumerate(rows) for c, drawn in enumerate(row) if image[r][c] != drawn)
