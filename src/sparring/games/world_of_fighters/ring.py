"""World of Fighters: the ring with its squares, the tokens on them, and the range between them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from sparring.engine.game import Box
from sparring.engine.squares import OFF, column_of, on_edge, row_of, square_at, square_name
from sparring.scene import Board, Cell, Stroke, Token
from sparring.scene.sentences import Voice

from . import art
from . import moves
from . import state as R
from .telling import fighter

#: What stands behind a thing of the scene: its choice, or why it cannot be chosen.
Chosen = Callable[[int], dict[str, Any]]


def ring(
    box: Box, s: Any, voice: Voice, chosen: Chosen, struck: tuple[int, int], lit: dict[int, tuple[str, ...]]
) -> Board:
    """The board; `struck` is what each fighter just lost, `lit` the keys of the cards that lead to a square."""
    kit = box.kit
    rows, columns = range(int(kit.rows) - 1, -1, -1), range(int(kit.columns))
    squares = [int(square_at(column, row)) for row in rows for column in columns]

    def place(square: int) -> tuple[int, int]:
        """Where a square lies on the drawing: row 1 is at the bottom."""
        return int(column_of(square)), int(kit.rows - 1 - row_of(square))

    def cell(square: int) -> Cell:
        is_so = {"edge": on_edge(square, kit.columns, kit.rows), "red": square in kit.red}
        words = [word for word, so in is_so.items() if so]
        stands = [f"{voice.name(i)} here" for i in range(R.SEATS) if s.square[i] == square]
        name = square_name(square)
        label = ", ".join([name, *words, *stands])
        return Cell(at=place(square), tone=" ".join(words) or "floor", text=name, name=name, label=label,
                    lit_by=lit.get(square, ()), **chosen(R.TO_SQUARE + square))  # fmt: skip

    def token(i: int) -> Token:
        name, square = fighter(box, s, i).name, int(s.square[i])
        return Token(f"token {i + 1}", place(square), i + 1, text=str(i + 1), picture=art.token(name, i + 1, struck[i]),
                     state="down" if s.over and s.payoff[i] < 0 else "",
                     label=f"{name}, {voice.name(i)}, on {square_name(square)}")  # fmt: skip

    apart = int(moves.range_now(s))
    text = f"R{apart}" if apart > 1 else ""  # there is no room for it between neighbours
    line = Stroke("range", (place(int(s.square[0])), place(int(s.square[1]))), False, text)
    return Board("ring", "The ring", tuple(map(cell, squares)), tuple(map(token, range(R.SEATS))), (line,))


def squares_by(box: Box, s: Any, seat: int, steps: int) -> list[int]:
    """Where a seat could move with a Movement card if it were to move now."""
    supposed, out = s.copy(), np.zeros(len(R.ACTIONS), np.int16)
    supposed.player = seat
    supposed.movement[seat] = steps
    n = moves.destinations(box.kit, supposed, out) if s.square[seat] != OFF else 0
    return [int(action) - R.TO_SQUARE for action in out[:n]]
