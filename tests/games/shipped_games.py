"""All games that Sparring ships: its built-in games, and those from which new games are made."""

from pathlib import Path

import pytest

import sparring
from sparring import Game, games
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.games.tic_tac_toe import GAME as TIC_TAC_TOE

TEMPLATES = {game.name: game for game in (HIGH_CARD, TIC_TAC_TOE)}
#: Other packages may have installed games as well, such as the game that an author is working on.
BUILT_IN = {name: game for name, game in games().items() if game.folder.is_relative_to(Path(sparring.__file__).parent)}
GAMES = pytest.mark.parametrize("name", [*BUILT_IN, *TEMPLATES])


def find(name: str) -> Game:
    return TEMPLATES.get(name) or BUILT_IN[name]
