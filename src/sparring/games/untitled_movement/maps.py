"""A board as a map of signs: how it is read, and what it must be like (R2).

Spaces are named by row and column, both counted from 0, row 0 at the top.
"""

from collections.abc import Iterator, Sequence

from sparring.engine.squares import COLUMN_STEPS, ROW_STEPS, turned

Space = tuple[int, int]
Map = tuple[str, ...]

OPEN, CLOSED, START = ".#o"
SIGNS = {OPEN: "open", CLOSED: "closed", START: "a start"}
SMALLEST = 6
#: Starting spaces of a side.
STARTS = 4

#: The sides of the board as seats take them, clockwise; a side's number is also how many quarters it is turned.
SIDES = ("S", "W", "N", "E")
SIDE_NAMES = ("bottom", "left", "top", "right")

SYMMETRIES = ("mirror", "half turn", "quarter turn", "none")


def faults(rows: Map) -> Iterator[str]:
    """What is wrong with a map of the right size and signs; each rule is looked at where those before it hold."""
    for rule in (_border_faults, _sealed_faults, _reach_faults):
        found = list(rule(rows))
        yield from found
        if found:
            return


def claim_faults(rows: Map, symmetry: str) -> Iterator[str]:
    """How a map differs from the symmetry that it claims."""
    if symmetry == "quarter turn" and len(rows) != len(rows[0]):
        yield f"a quarter turn needs as many rows as columns, not {len(rows)} and {len(rows[0])}."
    elif not has_symmetry(rows, symmetry):
        yield f"the map is no {symmetry}: {_say(_first_difference(rows, symmetry))} differs from its image."


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


def _border_faults(rows: Map) -> Iterator[str]:
    """Four starting spaces a side, none in a corner, the rest of the border closed; none inside."""
    for side, name in enumerate(SIDE_NAMES):
        spaces = border(rows, side)
        for space in (spaces[0], spaces[-1]):
            if sign(rows, space) == START:
                yield f"{_say(space)} is a corner; no starting space lies in a corner."
        for space in spaces:
            if sign(rows, space) == OPEN:
                yield f"{_say(space)} is open; the border is closed but for the starting spaces."
        found = len(starts(rows, side))
        if found != STARTS:
            yield f"the {name} side has {found} starting spaces; every side has {STARTS}."
    for space in inner(rows):
        if sign(rows, space) == START:
            yield f"{_say(space)} is a starting space; they lie on the border only."


def _sealed_faults(rows: Map) -> Iterator[str]:
    """The space before each start is open."""
    for side, name in enumerate(SIDE_NAMES):
        for start in starts(rows, side):
            door = ahead(start, turned(0, side))
            if sign(rows, door) != OPEN:
                yield f"{_say(start)}, a start of the {name} side, is sealed: {_say(door)} before it is closed."


def _reach_faults(rows: Map) -> Iterator[str]:
    """Every open space can be reached, by straight and diagonal steps (R18)."""
    door = ahead(starts(rows, 0)[0], turned(0, 0))
    reached = _reachable(rows, door)
    for space in inner(rows):
        if sign(rows, space) == OPEN and space not in reached:
            yield f"{_say(space)} cannot be reached from {_say(door)}."


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


def _first_difference(rows: Map, symmetry: str) -> Space:
    image = {
        "mirror": tuple(row[::-1] for row in rows),
        "half turn": turned_map(turned_map(rows)),
        "quarter turn": turned_map(rows),
    }[symmetry]
    return next((r, c) for r, row in enumerate(rows) for c, drawn in enumerate(row) if image[r][c] != drawn)
