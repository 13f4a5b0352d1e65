"""Measure how many actions per CPU second `BatchEnv` plays, with observations and masks; print a table.

Run it as `python -m benchmarks.batch_env`. Each figure is the median of five measurements of the CPU time of this
process, in the default table of each game, after 200 actions in every environment, so that all phases occur. The
columns are random play inside the driver (`step_random`), the same actions chosen outside and passed to `step`, one
environment (`N = 1`), random play in two threads, also per CPU second: if the threads hindered each other, it would be
slower than in one. The last two are single matches with observations and legal actions: PettingZoo's `raw_env` (0 if
PettingZoo is not installed), and `Match`.
"""

import argparse
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import median

import numpy as np

from sparring import Match
from sparring.engine.game import Game, games
from sparring.research import BatchEnv

EXAMPLES = Path(__file__).parents[1] / "examples"
RUNS = 5
#: The duration of one measurement, in seconds.
SECONDS = 0.5


def example(name: str) -> Game:
    """Return a game of `examples/`, or a template of new games."""
    sys.path.append(str(EXAMPLES / name))
    game: Game = import_module(name if (EXAMPLES / name).is_dir() else f"sparring.games.{name}").GAME
    return game


def rate(run: Callable[[], None], actions: int) -> float:
    """Return the actions per CPU second of `run`, which takes `actions` of them: the median of several measurements."""
    rates = []
    run()
    for _ in range(RUNS):
        start, calls = time.process_time(), 0
        while (elapsed := time.process_time() - start) < SECONDS:
            run()
            calls += 1
        rates.append(actions * calls / elapsed)
    return median(rates)


def measure(game: Game, size: int) -> list[float]:
    """Return the six figures of a game."""
    env, rng = BatchEnv(game, size, seed=1), np.random.default_rng(1)
    env.step_random(200)
    rows, several = np.arange(size), max(1, 40_000 // size)
    inside = rate(lambda: env.step_random(several) and None, size * several)

    def outside() -> None:
        for _ in range(several):
            env.step(env.legal[rows, rng.integers(env.n_legal)])

    one = BatchEnv(game, 1, seed=1)

    def single() -> None:
        for _ in range(100):
            one.step(one.legal[:, 0])

    two = BatchEnv(game, size, seed=1, threads=2)
    two.step_random(200)
    pair = rate(lambda: two.step_random(several) and None, size * several)
    return [inside, rate(outside, size * several), rate(single, 100), pair, zoo_rate(game), match_rate(game)]


def zoo_rate(game: Game) -> float:
    """Return the speed of random matches in PettingZoo's `raw_env`."""
    try:
        from sparring.research.pettingzoo import raw_env
    except ImportError:
        return 0.0
    env, rng = raw_env(game), Random(1)
    env.reset(seed=1)

    def play() -> None:
        for _ in range(200):
            observation, _, over, _, _ = env.last()
            if over:
                env.reset()
                observation = env.observe(env.agent_selection)
            env.step(rng.choice(observation["action_mask"].nonzero()[0]))

    return rate(play, 200)


def match_rate(game: Game) -> float:
    """Return the speed of random matches, once their rules run as machine code."""
    match, rng = Match.new(game, seed=1), Random(1)

    def play() -> None:
        nonlocal match
        for _ in range(1200):
            if match.over:
                match = Match.new(game, seed=rng.randrange(2**31))
            view = match.view(match.seat or 0)
            view.observation()
            match.choose(rng.choice(view.legal))

    return rate(play, 1200)


def main() -> None:
    """Measure the games and print a Markdown table."""
    known = {**{name: example(name) for name in ("leduc_poker", "tic_tac_toe")}, **games()}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", help=f"some of {', '.join(known)} (default: all)")
    parser.add_argument("--envs", type=int, default=8192, help="the number of environments (default 8192)")
    chosen = parser.parse_args()
    columns = "Game", "`step_random`", "`step`", "`step`, N = 1", "Two threads", "`raw_env`", "`Match`"
    print(f"| {' | '.join(columns)} |\n|---|{'---:|' * 6}")
    for name in chosen.games or known:
        inside, outside, single, pair, zoo, one = measure(known[name], chosen.envs)
        figures = f"{inside / 1e6:.2f} M | {outside / 1e6:.2f} M | {single:,.0f} | {pair / 1e6:.2f} M"
        figures += f" | {zoo:,.0f} | {one:,.0f}"
        print(f"| {known[name].title} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
