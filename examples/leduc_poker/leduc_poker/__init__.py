"""Leduc poker: six cards, two rounds of betting, paid in chips. A small, solved game with hidden cards.

A standard benchmark for search in imperfect-information games (Southey et al. 2005). As in OpenSpiel, a seat that faces
no raise cannot fold.
"""

from itertools import permutations
from typing import Any

from sparring.engine import records
from sparring.engine.cards import put
from sparring.engine.game import Credit, Game, GameSetup, Payoffs

from . import params, position, rules, scene


def max_choices(setup: GameSetup, seats: int) -> int:
    """Return 8: two rounds of at most a check, two raises and a call."""
    return 8


def deals(setup: GameSetup, seats: int) -> list[Any]:
    """Return the 120 deals: a card for each seat and the public one, which lies on top of the deck."""
    found = []
    for *cards, public in permutations(range(rules.CARDS), rules.SEATS + 1):
        state = records.deal(setup, seats, 0).state
        state.card[:] = cards
        state.deck[:] = 0
        for card in {*range(rules.CARDS)} - {*cards, public}:
            put(state.deck, card)
        put(state.deck, public)
        found.append(state)
    return found


GAME = Game(
    name="leduc-poker",
    title="Leduc Poker",
    version=1,
    seats=(2,),
    summary="One card each and a public one; bet that yours is better.",
    credit=Credit(
        "Leduc poker",
        "Finnegan Southey and others, University of Alberta",
        "Bayes' Bluff (UAI 2005)",
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
    payoffs=Payoffs(-13, 13, "chips"),
)
