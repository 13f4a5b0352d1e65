"""Compile all games and bots ahead of time, in several processes."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from sparring import bots
from sparring.engine.game import Game
from sparring.engine.game import game as find_game

from .simulate import prepare

#: The compilation steps of each game; mixed-strategy bots are compiled only where they are offered.
STEPS: dict[str, Any] = {
    "random play": lambda game: prepare(game, "random"),
    "bots": lambda game: bots.compile_searches(game, bots.needed_searches(game)),
    "search matches": lambda game: prepare(game, "search"),
}


def compile_games(games: Sequence[Game], workers: int) -> Iterator[tuple[str, str]]:
    """Compile all games in `workers` processes; yield (game, step) as each step finishes."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        steps = {pool.submit(_run_step, game.name, step): (game.name, step) for game in games for step in STEPS}
        for done in as_completed(steps):
            done.result()
            yield steps[done]


def _run_step(game: str, step: str) -> None:
    STEPS[step](find_game(game))
