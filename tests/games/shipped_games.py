"""All games that Sparring ships: the installed ones, and those from which new games are made."""

import pytest

from sparring import Game, games
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.games.tic_tac_toe import GAME as TIC_TAC_TOE

TEMPLATES = {game.name: game for game in (HIGH_CARD, TIC_TAC_TOE)}
GAMES = pytest.mark.parametrize("name", [*games(), *TEMPLATES])


def find(name: str) -> Game:
    return TEMPLATES.get(name) or games()[name]
