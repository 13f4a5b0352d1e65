"""Positions for tests of bots: a match after random choices, its views, and deals of Leduc poker."""

from typing import Any

import numpy as np

from research.games_under_test import LEDUC
from sparring import Match, bots, games
from sparring.engine import chance
from sparring.engine.records import MatchStart
from sparring.engine.views import View

GAMES = list(games())


def match_after(game: str, choices: int, seats: int | None = None, start: int = 1) -> Match:
    """Return a match after this many random choices, with a later seed if one ends before."""
    match = Match.new(game, seats=seats, seed=start)
    stream = bots.stream(start, 1)
    while match.seat and len(match.history) < choices:
        match.choose(bots.parse("random").choose(match.view(match.seat), stream))
    return match_after(game, choices, seats, start + 1000) if match.over else match


def own_view(match: Match) -> View:
    return match.view(match.seat or 0)


def determinized(match: Match, start: int) -> Match:
    """Return a match that looks the same to the seat to choose, with other hidden information."""
    view, g = own_view(match), np.zeros(4, np.int64)
    chance.seed(g, start, chance.DETERMINIZATION)
    other = Match(MatchStart(match.setup, view.state, seed=start))
    match.game.rules.determinize(match.setup.params, other.state, view.seat - 1, g)
    return other


def leduc(*cards: int, **more: Any) -> Match:
    """Return a match with the cards of seat 1, seat 2 and the table: 0, 1 are Jacks, 2, 3 Queens, 4, 5 Kings."""
    rest = [card for card in range(6) if card not in cards]
    deck = [*cards[2:], *rest]
    return Match.from_position({"game": LEDUC.name, "cards": list(cards[:2]), "deck": deck, **more}, game=LEDUC)
