"""Kuhn poker: three cards, one round of betting, paid in chips. The smallest game that requires bluffing.

All its equilibria are known (Kuhn 1950): seat 1 loses 1/18 of a chip per match, however well it plays.
"""

from itertools import permutations
from typing import Any

from sparring.engine import records
from sparring.engine.game import Credit, Game, GameSetup, Payoffs

from . import params, position, rules, scene


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return 3: a pass, a bet, and the answer to it."""
    return 3


def deals(setup: GameSetup, seats: int) -> list[Any]:
    """Return the six deals: a card for each seat and the unused one."""
    found = []
    for cards in permutations(range(rules.CARDS)):
        found.append(records.deal(setup, seats, 0).state)
        found[-1].card[:] = cards
    return found


GAME = Game(
    name="kuhn-poker",
    title="Kuhn Poker",
    version=1,
    seats=(2,),
    summary="Three cards, one chip, one bet: the smallest game of bluff.",
    credit=Credit(
        "Kuhn poker",
        "Harold W. Kuhn",
        "A Simplified Two-Person Poker (Contributions to the Theory of Games 1, 1950)",
        "no licence stated",
    ),
    rules=rules,
    params=params,
    scene=scene,
    position=position,
    max_choices=max_choices,
    hidden=True,
    deals=deals,
    needs_mixed_strategies=True,
    payoffs=Payoffs(-2, 2, "chips"),
)
