"""Mark the last move on a scene's boards: the spaces that tokens left, those where they arrived, and a line between."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from .model import Area, Board, Group, Place, Scene, Stroke, Token, replace


class Trail(NamedTuple):
    """The way of a token, named by its key, on a board; a token that was just placed has no start."""

    board: str
    start: Place | None
    end: Place


#: The places of tokens, by the key of the board and the key of the token.
TokenPlaces = Mapping[tuple[str, str], Place]


def token_places(scene: Scene) -> TokenPlaces:
    """Return where the tokens of a scene are."""
    return {
        (board.key, token.key): token.at
        for board in _boards((*scene.left, *scene.middle, *scene.right))
        for token in board.tokens if isinstance(token, Token)
    }  # fmt: skip


def _boards(areas: Iterable[Area]) -> Iterator[Board]:
    for area in areas:
        if isinstance(area, Board):
            yield area
        elif isinstance(area, Group):
            yield from _boards(area.parts)


def trails_between(before: TokenPlaces, after: TokenPlaces) -> tuple[Trail, ...]:
    """Return the ways of the tokens that moved or were placed between two scenes.

    >>> trails_between({("board", "a"): (0, 0)}, {("board", "a"): (0, 2)})
    (Trail(board='board', start=(0, 0), end=(0, 2)),)
    """
    return tuple(Trail(key[0], before.get(key), at) for key, at in after.items() if before.get(key) != at)


def with_trails(scene: Any, trails: tuple[Trail, ...]) -> Any:
    """Return a scene whose boards mark the trails."""
    if not trails:
        return scene
    sides = ("left", "middle", "right")
    return replace(scene, **{side: tuple(_marked(area, trails) for area in getattr(scene, side)) for side in sides})


def _marked(area: Area, trails: tuple[Trail, ...]) -> Area:
    if isinstance(area, Group):
        return replace(area, parts=tuple(_marked(part, trails) for part in area.parts))
    if not isinstance(area, Board):
        return area
    marks = {trail.start: "from" for trail in trails if trail.board == area.key and trail.start is not None}
    marks |= {trail.end: "to" for trail in trails if trail.board == area.key}
    cells = tuple(replace(cell, last=marks[cell.at]) if cell.at in marks else cell for cell in area.cells)
    ways = [Stroke(f"way {n}", (trail.start, trail.end), arrow=False) for n, trail in enumerate(trails)
            if trail.board == area.key and trail.start is not None]  # fmt: skip
    return replace(area, cells=cells, strokes=(*ways, *area.strokes))
