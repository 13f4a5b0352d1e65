"""Tic-tac-toe: its facts and modules."""

from collections.abc import Sequence
from typing import Any

from sparring.engine import records
from sparring.engine.game import Credit, Game, GameSetup, modules

from . import params, phases, rules, scene


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return the number of choices in the longest match: each takes a square."""
    return rules.SQUARES


def deals(setup: GameSetup, seats: int) -> Sequence[Any]:
    """Return the only first state: an empty board."""
    return [records.deal(setup, seats, 0).state]


GAME = Game(
    name="tic-tac-toe",
    title="Tic-tac-toe",
    version=1,
    seats=(2,),
    summary="Take squares; three in a row win.",
    credit=Credit("Tic-tac-toe", "unknown", "traditional", "public domain"),
    rules=rules,
    params=params,
    scene=modules(scene, phases),
    position=rules.POSITIONS,
    max_choices=max_choices,
    hidden=False,
    deals=deals,
)
