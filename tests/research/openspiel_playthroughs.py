"""Random matches of the OpenSpiel adapters in OpenSpiel's playthrough format; `make generated` rewrites them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from open_spiel.python.algorithms import generate_playthrough

from playthroughs.recordings import Recording
from research.games_under_test import ALL
from sparring.engine.game import Game
from sparring.research.openspiel import register

FOLDER = Path(__file__).parent / "playthroughs"

#: The number of deals, and the seed of the random choices.
DEALS, SEED = 3, 1

#: The most lines of a match that is kept as text; the longer ones are checksums.
LONGEST = 340

#: Options that keep random matches short.
OPTIONS: dict[str, dict[str, Any]] = {
    "five-circles": {"limit": 20},
    "mace": {"radius": 5, "stall_rounds": 2},
    "untitled-movement": {"home": 1, "stall_rounds": 1},
    "world-of-fighters": {"board": "5x5", "round_limit": 10},
}


def playthrough(game: Game) -> str:
    """Play a random match through OpenSpiel and return its log."""
    name = f"playthrough_{game.name.replace('-', '_')}"
    register(game, name, deals="all" if game.deals else DEALS, options=OPTIONS.get(game.name))
    return str(generate_playthrough.playthrough(name, None, seed=SEED))


def recordings(only: list[str]) -> Iterator[Recording]:
    """Yield the matches of all games, or of some."""
    for game in ALL:
        if not only or game.name in only:
            text = playthrough(game)
            yield Recording(game.name, text, text.count("\n") <= LONGEST)
