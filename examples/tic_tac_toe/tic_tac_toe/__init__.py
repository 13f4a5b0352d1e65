"""Tic-tac-toe: nine squares, nothing hidden. The smallest game with a board."""

from pathlib import Path
from typing import Any

from sparring.engine import records
from sparring.engine.game import Box, Credit, Game

from . import kit, position, rules, scene


def longest(box: Box, seats: int) -> int:
    """Return the number of squares: each action takes one."""
    return rules.SQUARES


def deals(box: Box, seats: int) -> list[Any]:
    """Return the only deal: an empty board."""
    return [records.deal(box, seats, 0).state]


GAME = Game(
    name="tic-tac-toe",
    title="Tic-tac-toe",
    version=1,
    seats=(2,),
    summary="Three in a row; the smallest game with a board.",
    credit=Credit("Tic-tac-toe", "unknown", "traditional", "public domain"),
    folder=Path(__file__).parent,
    rules=rules,
    kit=kit,
    scene=scene,
    position=position.POSITIONS,
    longest=longest,
    hidden=False,
    deals=deals,
)
