"""Measure the version of Sparring on PYTHONPATH: read one measurement per line from stdin, and print its result.

A line is a kind, a game, a number of seats and a number (see `KINDS`). The result is a JSON list: the amount of work,
the CPU seconds it took, and a checksum of what was computed, by which versions can be compared.
"""

import json
import sys
import time
import zlib
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from sparring.bots.bot import Bot, stream
from sparring.engine.compilation.drivers import playouts
from sparring.engine.compilation.machine_code import blank_pair, compiled
from sparring.engine.game import game as find_game
from sparring.engine.match import Match

Measured = tuple[float, float, int]

#: Actions before `Match` is measured: its rules become machine code after the first thousand.
WARM_UP = 1_100

#: The positions from which searches are measured: after this many random actions in a match.
POSITIONS = (0, 5, 12, 20, 30)


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """Return the result of a call, and the CPU time of this process during it."""
    start = time.process_time()
    result = run()
    return result, time.process_time() - start


def play(game: str, seats: int, matches: int) -> Measured:
    """Play random matches in one compiled call; the amount of work is the number of actions."""
    found = find_game(game)
    out = np.zeros(len(found.rules.ACTIONS), np.int16)
    run = partial(compiled(found, playouts), found.setup().params, blank_pair(found), out, 1, seats)
    run(1)
    actions, seconds = timed(lambda: run(matches))
    return int(actions), seconds, int(actions)


@cache
def views(game: str, seats: int) -> list[Any]:
    """Return views of seats that must act, with more than one legal action."""
    match, random, found = Match.new(game, seats=seats, seed=1), np.random.default_rng(1), list[Any]()
    for number in range(max(POSITIONS) + 1):
        if match.over:
            break
        legal = [action for action in match.legal() if action not in match.game.conceding]
        if number in POSITIONS and len(legal) > 1 and match.seat:
            found.append(match.view(match.seat))
        match.choose(int(random.choice(legal)))
    return found


def search(game: str, seats: int, iterations: int, *, prior: bool = False, evaluates: bool = True) -> Measured:
    """Search from several views, with the game's value model if it has one; the amount of work is in iterations."""
    bot = Bot("measured", "Measured", iterations=iterations, prior=prior, evaluates=evaluates)
    chosen = views(game, seats)
    bot.answer(chosen[0], stream(0, 1))
    answers, seconds = timed(lambda: [bot.answer(view, stream(1, view.seat)) for view in chosen])
    checksum = zlib.crc32(json.dumps([[answer.action, answer.shares] for answer in answers]).encode())
    done = sum(int(answer.workspace.nodes[answer.view.seat]["visits"]) for answer in answers if answer.workspace)
    return done, seconds, checksum


def match_api(game: str, seats: int, actions: int) -> Measured:
    """Play random actions with `Match`, with the observation and the mask of each seat that acts."""
    found, random = find_game(game), np.random.default_rng(1)

    def run(actions: int) -> int:
        total, seed, check = 0, 0, 0
        while total < actions:
            match, seed = Match.new(found, seats=seats, seed=seed), seed + 1
            mask = np.zeros(len(found.rules.ACTIONS), np.bool_)
            while not match.over and total < actions:
                assert match.seat
                view = match.view(match.seat)
                view.observation()
                mask[:] = False
                mask[list(view.legal)] = True
                check += len(view.legal)
                match.choose(view.legal[int(random.integers(len(view.legal)))])
                total += 1
        return check

    run(WARM_UP)
    check, seconds = timed(lambda: run(actions))
    return actions, seconds, check


def single_environment(game: str, seats: int, actions: int) -> Measured:
    """Step one environment of a `BatchEnv`."""
    from sparring.research import BatchEnv

    env = BatchEnv(game, 1, seats=seats, seed=1)

    def run() -> int:
        for _ in range(actions):
            env.step(env.legal[:, 0])
        return int(env.episode[0])

    run()
    check, seconds = timed(run)
    return actions, seconds, check


def pettingzoo(game: str, seats: int, actions: int) -> Measured:
    """Step PettingZoo's `raw_env`, with the observation of each agent that acts."""
    from sparring.research.pettingzoo import raw_env

    env, random = raw_env(game, seats=seats), np.random.default_rng(1)

    def run() -> int:
        total, check = 0, 0
        env.reset(seed=1)
        while total < actions:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            legal = observation["action_mask"].nonzero()[0]
            check += len(legal)
            env.step(legal[int(random.random() * len(legal))])
            total += 1
        return check

    run()
    check, seconds = timed(run)
    return actions, seconds, check


#: What can be measured, and what the last number of a line is.
KINDS: dict[str, Callable[[str, int, int], Measured]] = {
    "play": play,  # matches
    "search": search,  # iterations per decision, with a value model
    "prior": partial(search, prior=True),  # with a policy prior too
    "plain": partial(search, evaluates=False),  # without a value model
    "match": match_api,  # actions
    "single": single_environment,  # actions
    "pettingzoo": pettingzoo,  # actions
}


def main() -> None:
    """Answer each line with a result."""
    for line in sys.stdin:
        kind, game, seats, number = line.split()
        print(json.dumps(KINDS[kind](game, int(seats), int(number))), flush=True)


if __name__ == "__main__":
    main()
