"""Compile games ahead of time, and benchmark their speed on this machine, in CPU time of one core."""

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from sparring import bots
from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.search import search_rule
from sparring.bots.search_trees import init_trees
from sparring.engine.chance import seed
from sparring.engine.compilation.drivers import Driver, playouts
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.lab.simulate import prepare

#: Measurements per median, and the minimum duration of each (seconds).
MEASUREMENTS = 5
SECONDS = 0.2

#: The iterations per measured search.
ITERATIONS = 5000

#: The drivers that a new process compiles or loads before it can simulate or search.
DRIVERS = {"random play": lambda game: prepare(game, "random"), "search": bots.compile_searches}


@dataclass(frozen=True)
class SpeedFigures:
    """The figures of a game; the first three by number of seats, the next two by driver.

    `interpreted` and `compiled` are choices of random play per second, `search` is iterations per second at the first
    choice of a match. Compile and load times are seconds in a new process, including the import of Numba.
    """

    game: str
    interpreted: dict[int, float]
    compiled: dict[int, float]
    search: dict[int, float]
    compile_seconds: dict[str, float]
    load_seconds: dict[str, float]
    state_bytes: int


def measure(game: Game, report: Callable[[str], None] = lambda what: None) -> SpeedFigures:
    """Measure a game. This takes minutes, mostly for compilation; `report` gets a description of each step."""
    from sparring.engine.compilation.machine_code import compiled

    report(f"{game.title}: interpreted random play")
    interpreted = {seats: random_play(game, seats, playouts(game)) for seats in game.seats}
    report(f"{game.title}: compiled random play")
    fast = {seats: random_play(game, seats, compiled(game, playouts)) for seats in game.seats}
    report(f"{game.title}: search")
    searched = {seats: search(game, seats, compiled(game, search_rule)) for seats in game.seats}
    seconds: dict[str, tuple[float, float]] = {}
    for driver in DRIVERS:
        report(f"{game.title}: compiling {driver}")
        seconds[driver] = fresh_start(game, driver)
    return SpeedFigures(
        game=game.name, interpreted=interpreted, compiled=fast, search=searched,
        compile_seconds={driver: first for driver, (first, _) in seconds.items()},
        load_seconds={driver: later for driver, (_, later) in seconds.items()},
        state_bytes=game.rules.State.dtype.itemsize,
    )  # fmt: skip


def machine() -> str:
    """Describe this machine in one line."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = names[0] if names else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def random_play(game: Game, seats: int, driver: Driver) -> float:
    """Return choices of random play per CPU second."""
    params, work = game.setup().params, np.zeros(2, game.rules.State.dtype)
    out = np.zeros(len(game.rules.ACTIONS), np.int16)

    def run(matches: int) -> int:
        return int(driver(params, work, out, 0, seats, matches))

    return _rate(run)


def search(game: Game, seats: int, search_driver: Driver) -> float:
    """Return search iterations per CPU second, in searches of ITERATIONS iterations."""
    match = Match.deal(game.setup(), seats, seed=0)
    view = match.view(match.seat or 0)
    ws = Workspace(game, nodes_for(seats, ITERATIONS))
    ws.work[0] = view.state
    seed(ws.fields.g, 0, 0)

    arrays = ws.work, ws.raw, ws.out, ws.nodes, ws.fields, ws.settings

    def run(searches: int) -> int:
        for _ in range(searches):
            init_trees(ws.nodes, ws.fields, seats)
            search_driver(match.setup.params, *arrays, view.seat - 1, ITERATIONS)
        return searches * ITERATIONS

    return _rate(run)


def _rate(run: Callable[[int], int]) -> float:
    """Return the median rate of `run` per CPU second, called with a size that takes long enough to measure."""
    run(0)
    size, seconds = 1, 0.0
    while seconds < SECONDS:
        size = max(size + 1, int(size * min(100.0, 1.2 * SECONDS / max(seconds, 1e-4)))) if seconds else 1
        _, seconds = _timed(run, size)
    return median(done / seconds for done, seconds in (_timed(run, size) for _ in range(MEASUREMENTS)))


def _timed(run: Callable[[int], int], size: int) -> tuple[int, float]:
    start = time.process_time()
    done = run(size)
    return done, max(time.process_time() - start, 1e-9)


def fresh_start(game: Game, driver: str) -> tuple[float, float]:
    """Return seconds until a driver first runs in a new process, with an empty and with a full cache."""
    empty: list[float] = []
    full: list[float] = []
    for _ in range(MEASUREMENTS):
        with tempfile.TemporaryDirectory() as cache:
            for times in (empty, full):
                command = [sys.executable, "-m", "sparring.lab.speed", game.name, driver]
                env = {**os.environ, "SPARRING_CACHE": cache}
                times.append(float(subprocess.run(command, env=env, stdout=subprocess.PIPE, check=True).stdout))
    return median(empty), median(full)


def _first_run(game: str, driver: str) -> float:
    start = time.process_time()
    DRIVERS[driver](find_game(game))
    return time.process_time() - start


#: The compilation steps of each game; mixed-strategy bots are compiled only where they are offered.
COMPILE_STEPS: dict[str, Any] = {
    "random play": lambda game: prepare(game, "random"),
    "bots": lambda game: bots.compile_searches(game, bots.needed_searches(game)),
    "search matches": lambda game: prepare(game, "search"),
}


def compile_games(games: Sequence[Game], workers: int) -> Iterator[tuple[str, str]]:
    """Compile all games in `workers` processes; yield (game, step) as each step finishes."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        steps = {pool.submit(_run_step, game.name, step): (game.name, step) for game in games for step in COMPILE_STEPS}
        for done in as_completed(steps):
            done.result()
            yield steps[done]


def _run_step(game: str, step: str) -> None:
    COMPILE_STEPS[step](find_game(game))


if __name__ == "__main__":
    print(_first_run(*sys.argv[1:]))
