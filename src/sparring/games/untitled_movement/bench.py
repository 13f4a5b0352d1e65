"""Untitled Movement Game on the bench: the board as it is played on, how far it is across, what the decks hold."""

from collections.abc import Iterator, Mapping
from typing import Any

from sparring.engine.form import look
from sparring.engine.options import Value
from sparring.engine.squares import SQUARES, square_at
from sparring.scene import Board
from sparring.scene.bench import Bar, Bars, Said, Sheet

from . import maps
from .ground import ground
from .kit import DECK, FORM, KIND_NAMES, KINDS, NO_SIDE


def beside(data: Mapping[str, Any], options: Mapping[str, Value], at: tuple[str | int, ...]) -> Iterator[Any]:
    """The board that somebody looks at, or their deck; the first board if they look at neither."""
    content = look(FORM, data)[0]
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
    lying = ground(len(rows), len(rows[0]), tuple(is_open), tuple(sides), (0, 2, 1, 3), -1)
    yield Board("board", str(board.get("name") or "The board"), tuple(cell for _, cell in lying.spaces))
    kinds = [kind for kind in maps.SYMMETRIES[:-1] if _has(rows, kind)]
    yield Said(f"Its symmetry: {' and '.join(kinds) or 'none'}.")
    if not list(maps.faults(rows)):
        head = ("From the", *(f"Start {number}" for number in range(1, maps.STARTS + 1)), "Goals reached")
        yield Sheet("Moves to the other side, at least", head, tuple(_ways(rows)))


def _has(rows: maps.Map, symmetry: str) -> bool:
    square = len(rows) == len(rows[0])
    return (square or symmetry != "quarter turn") and maps.has_symmetry(rows, symmetry)


def _ways(rows: maps.Map) -> Iterator[tuple[str, ...]]:
    """From each start of each side the moves to the nearest goal, and whether every goal can be reached."""
    for side, name in enumerate(maps.SIDE_NAMES):
        goals, starts = maps.starts(rows, (side + 2) % len(maps.SIDES)), maps.starts(rows, side)
        nearest = maps.steps_to(rows, goals)
        reached = sum(all(start in maps.steps_to(rows, [goal]) for start in starts) for goal in goals)
        yield name, *(str(nearest.get(start, "never")) for start in starts), f"{reached} of {len(goals)}"


def _deck(content: Mapping[str, Any], name: str) -> Iterator[Any]:
    deck = content["decks"].get(name)
    if not deck or not all(isinstance(deck.get(kind), int) for kind in KINDS):
        yield Said("This deck is as it comes with the game." if name in DECK.values and not deck else "Not whole yet.")
        return
    yield Said(f"{sum(deck.values())} cards", "strong")
    yield Bars("Cards of each kind", tuple(
        Bar(word, deck[kind], str(deck[kind])) for kind, word in zip(KINDS, KIND_NAMES, strict=True)
    ))  # fmt: skip
