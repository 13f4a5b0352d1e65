"""Untitled Movement Game: the studio preview of a content file: boards with their distances, and decks."""

from collections.abc import Iterator, Mapping
from typing import Any

from sparring.engine.schema import validate
from sparring.engine.options import Value
from sparring.engine.squares import SQUARES, square_at
from sparring.scene import Board
from sparring.scene.preview import PreviewBar, PreviewBars, PreviewText, StatSheet

from . import maps
from .ground import bare_board
from .kit import DECK, FORM, KIND_NAMES, KINDS, NO_SIDE


def preview(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """Yield the board or deck being edited (`at`), or the first board."""
    content = validate(FORM, data)[0]
    part, key = at[:2] if len(at) > 1 else ("boards", 0)
    if part == "decks":
        yield from _deck(content, str(key))
    elif isinstance(key, int) and key < len(content["boards"]) and (board := content["boards"][key]):
        yield from _board(board)


def _board(board: Mapping[str, Any]) -> Iterator[Any]:
    rows = board.get("map")
    if not rows:
        return
    is_open, sides = [0] * SQUARES, [NO_SIDE] * SQUARES
    for row, line in enumerate(rows):
        for column, drawn in enumerate(line):
            is_open[square_at(column, row)] = drawn != maps.CLOSED
    for side in range(len(maps.SIDES)):
        for row, column in maps.starts(rows, side):
            sides[square_at(column, row)] = side
    bare = bare_board(len(rows), len(rows[0]), tuple(is_open), tuple(sides), (0, 2, 1, 3), -1)
    yield Board("board", str(board.get("name") or "Board"), tuple(cell for _, cell in bare.spaces))
    kinds = [kind for kind in maps.SYMMETRIES[:-1] if _has(rows, kind)]
    yield PreviewText(f"Symmetry: {' and '.join(kinds) or 'none'}.")
    if not list(maps.faults(rows)):
        head = ("Side", *(f"Start {number}" for number in range(1, maps.STARTS + 1)), "Goals reached")
        yield StatSheet("Fewest moves to a goal", head, tuple(_distances(rows)))


def _has(rows: maps.Map, symmetry: str) -> bool:
    square = len(rows) == len(rows[0])
    return (square or symmetry != "quarter turn") and maps.has_symmetry(rows, symmetry)


def _distances(rows: maps.Map) -> Iterator[tuple[str, ...]]:
    """Yield, by side, the fewest moves from each start to a goal, and how many goals every start can reach."""
    for side, name in enumerate(maps.SIDE_NAMES):
        goals, starts = maps.starts(rows, (side + 2) % len(maps.SIDES)), maps.starts(rows, side)
        nearest = maps.steps_to(rows, goals)
        reached = sum(all(start in maps.steps_to(rows, [goal]) for start in starts) for goal in goals)
        yield name, *(str(nearest.get(start, "never")) for start in starts), f"{reached} of {len(goals)}"


def _deck(content: Mapping[str, Any], name: str) -> Iterator[Any]:
    deck = content["decks"].get(name)
    if not deck or not all(isinstance(deck.get(kind), int) for kind in KINDS):
        yield PreviewText(
            "The game's default deck." if name in DECK.values and not deck else "This deck is incomplete."
        )
        return
    yield PreviewText(f"{sum(deck.values())} cards", "strong")
    yield PreviewBars("Cards of each kind", tuple(
        PreviewBar(word, deck[kind], str(deck[kind])) for kind, word in zip(KINDS, KIND_NAMES, strict=True)
    ))  # fmt: skip
