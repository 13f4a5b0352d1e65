"""The games that the tests of research environments play: all installed ones and the examples."""

import sys
from importlib import import_module
from pathlib import Path

from sparring.engine.game import Game, games
from sparring.games import tic_tac_toe
from sparring.games.high_card import GAME as HIGH_CARD

EXAMPLES = Path(__file__).parents[2] / "examples"


def example(name: str) -> Game:
    """Return a game of `examples/`."""
    sys.path.append(str(EXAMPLES / name))
    game: Game = import_module(name).GAME
    return game


KUHN, LEDUC, CRAZY_EIGHTS = map(example, ("kuhn_poker", "leduc_poker", "crazy_eights"))
TIC_TAC_TOE: Game = tic_tac_toe.GAME
ALL = [KUHN, LEDUC, TIC_TAC_TOE, CRAZY_EIGHTS, HIGH_CARD, *games().values()]
