"""The small games of `examples/` and the templates of new games, for the scripts beside this one."""

import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from sparring.engine.game import Game
from sparring.engine.game import game as installed_game

EXAMPLES = Path(__file__).resolve().parents[1]


def load_game(name: str) -> Game:
    """Return a game by its package (`kuhn_poker`), or an installed one by its name (`world-of-fighters`)."""
    if (EXAMPLES / name).is_dir():
        sys.path.insert(0, str(EXAMPLES / name))
        return import_module(name).GAME
    if find_spec(f"sparring.games.{name}"):
        return import_module(f"sparring.games.{name}").GAME
    return installed_game(name)
