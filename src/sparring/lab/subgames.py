"""Endgames of our games that are small enough to solve: every deal of a few unseen cards, from a fixed position.

>>> from sparring.lab.game_tree import GameTree
>>> from sparring.lab.subgames import subgame
>>> box, deals = subgame("make-your-moves")
>>> len(deals)
560

A subgame is a position in the last round or turn, in which no chance is left but the cards in hand: both seats know
which cards are unseen, and every way to deal them to the hands and the draw pile is equally likely. `GameTree` finds
its equilibrium and the exploitability of any policy.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any

from sparring.engine.cards import in_order, put
from sparring.engine.errors import SparringError
from sparring.engine.game import Box
from sparring.engine.match import Match


@dataclass(frozen=True)
class Subgame:
    """A position, and the number of cards that are left in the draw pile; the others are in the discard pile."""

    summary: str
    position: Mapping[str, Any]
    draw_pile: int


SUBGAMES: Mapping[str, Subgame] = MappingProxyType({
    "make-your-moves": Subgame(
        "The last turn at 2:2. Seat 1 attacks with three cards; a point wins, otherwise it is a draw.",
        {
            "game": "make-your-moves", "options": {"turn_limit": 20, "point_cards": "marker"}, "turn": 20,
            "points": [2, 2], "hands": ["Red1 Red2 Blue1", "Red1 Blue2 Wild1"], "seed": 4,
        }, 2,
    ),
    "world-of-fighters": Subgame(
        "The last round in a ring of 5 by 5, 6 health each, supers used. Seat 2 moves first; more health wins.",
        {
            "game": "world-of-fighters", "options": {"board": "5x5", "round_limit": 10}, "round": 10,
            "health": [6, 6], "super_used": [True, True], "squares": ["c2", "c4"], "resting": [3, 3],
            "hands": ["Punch Kick Grapple", "Punch Kick Grapple"], "seed": 4,
        }, 2,
    ),
})  # fmt: skip


def subgame(game: str) -> tuple[Box, list[Any]]:
    """Return the box and all deals of a game's subgame, as full states. Raises SparringError if it has none."""
    if game not in SUBGAMES:
        raise SparringError(f"{game} has no subgame; these have one: {', '.join(SUBGAMES)}.")
    chosen = SUBGAMES[game]
    match = Match.from_position(chosen.position)
    state = match.state.copy()
    cards = in_order(state.deck)
    state.deck[:] = 0
    for card in cards[chosen.draw_pile :]:
        put(state.discard, card)
    for card in cards[: chosen.draw_pile]:
        put(state.deck, card)
    return match.box, redealt(state)


def redealt(state: Any) -> list[Any]:
    """Return the states in which the cards of two hands and the draw pile are dealt in every way, equally likely.

    The order of the draw pile is fixed. `state` is of a game with piles `hand` and `deck` (see `engine.cards`).
    """
    piles = [state.hand[0], state.hand[1], state.deck]
    pool = sorted(card for pile in piles for card in in_order(pile))
    places, found = range(len(pool)), []
    for one in combinations(places, int(piles[0][0])):
        rest = [place for place in places if place not in one]
        for two in combinations(rest, int(piles[1][0])):
            deck = [place for place in rest if place not in two]
            dealt = state.copy()
            for pile, chosen in zip((dealt.hand[0], dealt.hand[1], dealt.deck), (one, two, deck), strict=True):
                pile[:] = 0
                for place in chosen:
                    put(pile, pool[place])
            found.append(dealt)
    return found
