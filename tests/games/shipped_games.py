"""All games that Sparring ships: the installed ones, and High Card, from which new games are made."""

import pytest

from sparring import Game, games
from sparring.games.high_card import GAME as HIGH_CARD

GAMES = pytest.mark.parametrize("name", [*games(), "high-card"])


def find(name: str) -> Game:
    if name == "high-card":
        return HIGH_CARD
    return games()[name]
