"""Tic-tac-toe: read and write positions."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.errors import BadPosition
from sparring.engine.formats.position_header import read_end, read_phase, read_turn, write_header
from sparring.engine.formats.position_reader import PositionReader
from sparring.engine.game import Box

from .rules import EMPTY, SEATS, SQUARES


def read(box: Box, s: Any, position: Mapping[str, Any], g: Any) -> None:
    """Set up a state: the owner of each square, row by row from the top (0: empty), and whose turn it is."""
    fields = PositionReader(position, SEATS)
    read_phase(box, s, fields)
    board = fields.take("board", [EMPTY] * SQUARES)
    if not isinstance(board, list) or len(board) != SQUARES or not all(mark in range(SEATS + 1) for mark in board):
        raise BadPosition("board must be nine numbers, row by row: 1 and 2 for the seats, 0 for an empty square.")
    s.board[:] = board
    taken = sum(mark != EMPTY for mark in board)
    read_turn(s, fields, min(taken + 1, SQUARES), 1, SQUARES, player=taken % SEATS)
    read_end(box, s, fields)
    fields.done()


def write(box: Box, s: Any) -> dict[str, Any]:
    """Return the full state."""
    return {**write_header(box, s), "board": s.board.tolist()}


def pieces(box: Box, s: Any) -> list[str]:
    """Return nothing: marks are not pieces that could be lost."""
    return []
