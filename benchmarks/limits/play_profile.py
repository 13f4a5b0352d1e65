"""Profile random play: nanoseconds and share of each part of an action, by the processor's time-stamp counter.

python -m benchmarks.limits.play_profile [--games mace five-circles]

The parts: *deal*, the set-up of matches; *list*, the rule `legal`; *choose*, the random number and the loop; *step*.
What reading the counter takes is measured in an empty loop and deducted. The parts are then scaled to the time of play
without that.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

import argparse
import os
from tempfile import TemporaryDirectory
from unittest.mock import patch

import numpy as np

from benchmarks.baselines import with_rules
from benchmarks.limits.__main__ import AMOUNTS, FEWER
from benchmarks.limits.rates import KINDS
from benchmarks.limits.search_profile import CELLS, Rule, begin, timed
from sparring.engine.compilation.drivers import playouts
from sparring.engine.compilation.machine_code import blank_pair, compiled
from sparring.engine.game import Game, games

#: The parts of an action.
PARTS = ("deal", "list", "choose", "step")
DEAL, LIST, CHOOSE, STEP = range(len(PARTS))

#: The number of times the counter is read to measure what that takes.
READINGS = 1_000_000


def empty_loop(_game: Game) -> Rule:
    """Return a driver that does nothing but begin parts."""

    def read(count):
        for _ in range(count):
            begin(CHOOSE)

    return read


def counted_play(game: Game) -> Rule:
    """Return the driver of random play that charges its parts."""
    rules = game.rules
    watched = with_rules(
        game, setup=timed(DEAL, rules.setup, LIST), legal=timed(LIST, rules.legal, CHOOSE),
        step=timed(STEP, rules.step, LIST),
    )  # fmt: skip
    return compiled(watched, playouts)


def profile(game: Game) -> str:
    """Return a row of the table: the time of an action, then of each part with its share."""
    seats, matches = game.check_seats(None), AMOUNTS["play"] // FEWER.get(game.name, 1)
    actions, seconds, _ = min((KINDS["play"](game.name, seats, matches) for _ in range(5)), key=lambda each: each[1])
    read, play = compiled(game, empty_loop), counted_play(game)
    read(1)
    CELLS[:] = 0
    read(READINGS)
    reading = CELLS[CHOOSE] / READINGS
    out = np.zeros(len(game.rules.ACTIONS), np.int16)
    play(game.setup().params, blank_pair(game), out, 1, seats, 1)
    CELLS[: len(PARTS)] = 0
    play(game.setup().params, blank_pair(game), out, 1, seats, matches)
    ticks = np.maximum(0, CELLS[: len(PARTS)] - reading * np.array([matches, 2 * actions, actions, actions]))
    nanoseconds = 1e9 * seconds / actions
    cells = (f"{nanoseconds * share:.1f} ({100 * share:.0f}%)" for share in ticks / ticks.sum())
    return f"| {game.title} | {nanoseconds:.1f} | {' | '.join(cells)} |"


def main() -> None:
    """Print the profiles."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=games(), default=list(games()))
    args = parser.parse_args()
    print(f"| Game | ns | {' | '.join(PARTS)} |\n|---|--:|{'--:|' * len(PARTS)}")
    with TemporaryDirectory() as folder, patch.dict(os.environ, SPARRING_CACHE=folder):
        for game in map(games().__getitem__, args.games):
            print(profile(game), flush=True)


if __name__ == "__main__":
    main()
