"""Untitled Movement Game boards as text maps, and their validation (R2).

Spaces are named by row and column, both counted from 0, row 0 at the top.
"""

from collections.abc import Iterator, Sequence

from sparring.engine.squares import COLUMN_STEPS, ROW_STEPS, turned

Space = tuple[int, int]
Map = tuple[str, ...]

OPEN, CLOSED, START = ".#o"
SIGNS = {OPEN: "open", CLOSED: "closed", START: "a start"}
SMALLEST = 6
#: Starting spaces per side.
STARTS = 4

#: The sides of the board clockwise, as seats take them; a side's number is also its quarter turns from the bottom.
SIDES = ("S", "W", "N", "E")
SIDE_NAMES = ("bottom", "left", "top", "right")

SYMMETRIES = ("mirror", "half turn", "quarter turn", "none")


def faults(rows: Map) -> Iterator[str]:
    """Yield the errors of a map whose size and signs are right, stopping after the first check that fails."""
    for check in (_border_faults, _blocked_faults, _reach_faults):
        errors = list(check(rows))
        yield from errors
        if errors:
            return


def claim_faults(rows: Map, symmetry: str) -> Iterator[str]:
    """Yield how a map differs from the symmetry it claims."""
    if symmetry == "quarter turn" and len(rows) != len(rows[0]):
        yield f"a quarter turn needs as many rows as columns, not {len(rows)} and {len(rows[0])}."
    elif not has_symmetry(rows, symmetry):
        space = _space_words(_first_difference(rows, symmetry))
        yield f"the map doesn't have this symmetry ({symmetry}): {space} differs from its image."


def template(rows: int, columns: int) -> str:
    """Return a legal map without obstacles: four starts in the middle of each side. It has every symmetry."""
    across, down = _middle_four(columns), _middle_four(rows)
    lines = []
    for row in range(rows):
        edge = row in (0, rows - 1)
        inside = [START if edge and column in across else CLOSED if edge else OPEN for column in range(1, columns - 1)]
        end = START if row in down else CLOSED
        lines.append("".join([end, *inside, end]))
    return "\n".join(lines) + "\n"


def _middle_four(length: int) -> set[int]:
    """Return the four spaces nearest the middle of a side, without the middle one if the length is odd."""
    first = length // 2 - 2
    return {first, first + 1, length - first - 2, length - first - 1}


def border(rows: Map, side: int) -> list[Space]:
    """Return the spaces of a side from left to right or top to bottom, including corners."""
    last_row, last_column = len(rows) - 1, len(rows[0]) - 1
    if side in (0, 2):
        return [(last_row if side == 0 else 0, column) for column in range(last_column + 1)]
    return [(row, 0 if side == 1 else last_column) for row in range(last_row + 1)]


def starts(rows: Map, side: int) -> list[Space]:
    """Return the starting spaces of a side in the same order."""
    return [space for space in border(rows, side) if sign(rows, space) == START]


def steps_to(rows: Map, goals: Sequence[Space]) -> dict[Space, int]:
    """Return the number of steps to the nearest goal for each space that can reach one."""
    distances = dict.fromkeys(goals, 0)
    queue = list(goals)
    for space in queue:
        for direction in range(len(ROW_STEPS)):
            neighbour = ahead(space, direction)
            if neighbour not in distances and sign(rows, neighbour) != CLOSED:
                distances[neighbour] = distances[space] + 1
                queue.append(neighbour)
    return distances


def sign(rows: Map, space: Space) -> str:
    """Return the sign of a space; everything off the map is closed."""
    row, column = space
    return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else CLOSED


def ahead(space: Space, direction: int) -> Space:
    """Return the next space in a direction."""
    return space[0] + ROW_STEPS[direction], space[1] + COLUMN_STEPS[direction]


def inner(rows: Map) -> Iterator[Space]:
    """Return all spaces that are not on the border."""
    return ((row, column) for row in range(1, len(rows) - 1) for column in range(1, len(rows[0]) - 1))


def has_symmetry(rows: Map, symmetry: str) -> bool:
    """Return whether a map has a symmetry; `none` is true for every map."""
    if symmetry == "mirror":
        return all(row == row[::-1] for row in rows)
    if symmetry == "half turn":
        return rows == turned_map(turned_map(rows))
    return symmetry == "none" or rows == turned_map(rows)


def turned_map(rows: Map) -> Map:
    """Return the map after a quarter turn clockwise."""
    return tuple("".join(column) for column in zip(*reversed(rows), strict=True))


def _space_words(space: Space) -> str:
    return f"space {space[0]},{space[1]}"


def _border_faults(rows: Map) -> Iterator[str]:
    """Check that each side has four starting spaces, not in corners, and that the rest of the border is closed."""
    for side, name in enumerate(SIDE_NAMES):
        spaces = border(rows, side)
        for space in (spaces[0], spaces[-1]):
            if sign(rows, space) == START:
                yield f"{_space_words(space)} is a corner; corners can't be starting spaces."
        for space in spaces:
            if sign(rows, space) == OPEN:
                yield f"{_space_words(space)} is open; border spaces must be closed or starting spaces."
        count = len(starts(rows, side))
        if count != STARTS:
            yield f"the {name} side has {count} starting spaces; each side needs {STARTS}."
    for space in inner(rows):
        if sign(rows, space) == START:
            yield f"{_space_words(space)} is a starting space; only border spaces can be."


def _blocked_faults(rows: Map) -> Iterator[str]:
    """Check that the space in front of each start is open."""
    for side, name in enumerate(SIDE_NAMES):
        for start in starts(rows, side):
            front = ahead(start, turned(0, side))
            if sign(rows, front) != OPEN:
                needed = f"{_space_words(front)} in front of it must be open"
                yield f"{_space_words(start)}, a start of the {name} side, is blocked: {needed}."


def _reach_faults(rows: Map) -> Iterator[str]:
    """Check that every open space can be reached by straight and diagonal steps (R18)."""
    front = ahead(starts(rows, 0)[0], turned(0, 0))
    reached = _reachable(rows, front)
    for space in inner(rows):
        if sign(rows, space) == OPEN and space not in reached:
            yield f"{_space_words(space)} can't be reached from {_space_words(front)}."


def _reachable(rows: Map, origin: Space) -> set[Space]:
    """Return all open inner spaces that can be reached from `origin` without crossing a starting space."""
    reached, queue = {origin}, [origin]
    while queue:
        space = queue.pop()
        for direction in range(8):
            neighbour = ahead(space, direction)
            if sign(rows, neighbour) == OPEN and neighbour not in reached:
                reached.add(neighbour)
                queue.append(neighbour)
    return reached


def _first_difference(rows: Map, symmetry: str) -> Space:
    image = {
        "mirror": tuple(row[::-1] for row in rows),
        "half turn": turned_map(turned_map(rows)),
        "quarter turn": turned_map(rows),
    }[symmetry]
    return next((r, c) for r, row in enumerate(rows) for c, drawn in enumerate(row) if image[r][c] != drawn)
