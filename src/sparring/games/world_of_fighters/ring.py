"""World of Fighters: the board: the squares of the ring, the tokens, and the line that shows the range."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from sparring.engine.game import Box
from sparring.engine.squares import column_of, on_edge, row_of, square_at, square_name
from sparring.scene import Board, Cell, Stroke, Token, replace
from sparring.scene.sentences import Voice

from . import art
from . import state as R
from .kit import SEATS
from .moves import card_of

#: Returns the fields of a thing for a choice: the choice itself, or why it is not legal.
ChoiceFields = Callable[[int], dict[str, Any]]


def ring(
    box: Box, s: R.State, voice: Voice, chosen: ChoiceFields, lost: tuple[int, int], lit: dict[int, tuple[str, ...]]
) -> Board:
    """Return the board.

    `lost` is the health each fighter has just lost, `lit` the keys of the Movement cards that reach a square.
    """
    rows = int(box.kit.rows)
    occupants: dict[int, list[str]] = {}
    for i in range(SEATS):
        occupants.setdefault(int(s.square[i]), []).append(f"{voice.then(i, 'are', 'is')} here")

    def cell(square: int, bare: Cell) -> Cell:
        more = chosen(R.TO_SQUARE + square)
        if square in lit:
            more["lit_by"] = lit[square]
        if square in occupants:
            more["label"] = ", ".join([bare.label, *occupants[square]])
        return replace(bare, **more) if more else bare

    def token(i: int) -> Token:
        card, square = card_of(box, s, i), int(s.square[i])
        return Token(
            f"token {i + 1}", place(square, rows), i + 1, text=str(i + 1),
            picture=art.token(card.name, i + 1, lost[i], card.picture),
            state="down" if s.over and s.payoff[i] < 0 else "",
            label=f"{card.name}, {voice.whom(i)}, on {square_name(square)}",
        )  # fmt: skip

    line = Stroke("range", (place(int(s.square[0]), rows), place(int(s.square[1]), rows)), False)
    cells = tuple(cell(square, bare) for square, bare in floor(int(box.kit.columns), rows, tuple(box.kit.red.tolist())))
    return Board("ring", "The ring", cells, tuple(map(token, range(SEATS))), (line,))


def place(square: int, rows: int) -> tuple[int, int]:
    """Return a square's place in the drawing, where row 1 is at the bottom."""
    return column_of(square), rows - 1 - row_of(square)


@lru_cache(maxsize=64)
def floor(columns: int, rows: int, red: tuple[int, ...]) -> tuple[tuple[int, Cell], ...]:
    """Return the squares of a ring in drawing order, without choices or tokens."""

    def cell(square: int) -> Cell:
        tones = {"edge": on_edge(square, columns, rows), "red": square in red}
        words, name = [word for word, applies in tones.items() if applies], square_name(square)
        return Cell(at=place(square, rows), tone=" ".join(words) or "floor", text=name, name=name,
                    label=", ".join([name, *words]))  # fmt: skip

    squares = (square_at(column, row) for row in range(rows - 1, -1, -1) for column in range(columns))
    return tuple((square, cell(square)) for square in squares)
