"""Tic-tac-toe: its facts and modules."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sparring.engine import records
from sparring.engine.game import Box, Credit, Game, modules

from . import kit, phases, rules, scene


def longest(box: Box, seats: int) -> int:
    """Return the number of choices in the longest match: each takes a square."""
    return rules.SQUARES


def deals(box: Box, seats: int) -> Sequence[Any]:
    """Return the only first state: an empty board."""
    return [records.deal(box, seats, 0).state]


GAME = Game(
    name="tic-tac-toe",
    title="Tic-tac-toe",
    version=1,
    seats=(2,),
    summary="Take squares; three in a row win.",
    credit=Credit("Tic-tac-toe", "unknown", "traditional", "public domain"),
    folder=Path(__file__).parent,
    rules=rules,
    kit=kit,
    scene=modules(scene, phases),
    position=rules.POSITIONS,
    longest=longest,
    hidden=False,
    deals=deals,
)
