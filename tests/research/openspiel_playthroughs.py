"""Random matches of the OpenSpiel adapters in OpenSpiel's playthrough format; `make playthroughs` rewrites them."""

import sys
from pathlib import Path
from typing import Any

from open_spiel.python.algorithms import generate_playthrough

from research.games_under_test import ALL
from sparring.engine.game import Game
from sparring.research.openspiel import register

FOLDER = Path(__file__).parent / "playthroughs"

#: The number of deals, and the seed of the random choices.
DEALS, SEED = 3, 1

#: Options that keep random matches short.
OPTIONS: dict[str, dict[str, Any]] = {
    "five-circles": {"limit": 20},
    "mace": {"radius": 5, "stall_rounds": 2},
    "untitled-movement": {"home": 1, "stall_rounds": 1},
    "world-of-fighters": {"board": "5x5", "round_limit": 10},
}


def file_of(game: Game) -> Path:
    """Return the file of a game's playthrough."""
    return FOLDER / f"{game.name}.txt"


def playthrough(game: Game) -> str:
    """Play a random match through OpenSpiel and return its log."""
    name = f"playthrough_{game.name.replace('-', '_')}"
    register(game, name, deals="all" if game.deals else DEALS, options=OPTIONS.get(game.name))
    return str(generate_playthrough.playthrough(name, None, seed=SEED))


def main(only: list[str]) -> None:
    """Write all playthroughs, or those of some games."""
    FOLDER.mkdir(exist_ok=True)
    for game in ALL if not only else [each for each in ALL if each.name in only]:
        file_of(game).write_text(playthrough(game), encoding="utf-8")
        print(f"{file_of(game).name}: {file_of(game).stat().st_size // 1024} KB")


if __name__ == "__main__":
    main(sys.argv[1:])
