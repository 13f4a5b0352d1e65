"""Compare environments for learning with pgx, OpenSpiel and PettingZoo: the same games in one run, on one core.

    make bench-peers

Random play with observations and masks. `BatchEnv` and pgx play many matches at once and choose inside; the others play
one match, and NumPy chooses among the legal actions. Each figure is actions per second of CPU time of this process
(with all threads): the median of several measurements, which alternate between all environments, so that what else the
machine does hits all alike. A package that is not installed is left out, and the table says so.
"""

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.batch_env import example
from sparring.engine.game import Game
from sparring.lab.speed import machine
from sparring.research import BatchEnv

#: The duration of one measurement in seconds of CPU time, and how many there are.
SECONDS, ROUNDS = 1.0, 5

#: Our name of each game, pgx's, OpenSpiel's and PettingZoo's.
GAMES = {
    "leduc_poker": ("leduc_holdem", "leduc_poker", "leduc_holdem_v4"),
    "tic_tac_toe": ("tic_tac_toe", "tic_tac_toe", "tictactoe_v3"),
}

#: Takes some actions and returns how many.
Play = Callable[[], int]


class Entrant(NamedTuple):
    """An environment: the package, how it is used, and what plays in it."""

    package: str
    use: str
    play: Play


def ours(game: Game, envs: int) -> Play:
    """Return random play in a batch."""
    env = BatchEnv(game, envs, seed=1)
    steps = max(1, 200_000 // envs)

    def play() -> int:
        env.step_random(steps)
        return envs * steps

    return play


def ours_stepped(game: Game, envs: int) -> Play:
    """Return random play whose actions NumPy chooses."""
    env, rng, rows = BatchEnv(game, envs, seed=1), np.random.default_rng(1), np.arange(envs)
    steps = max(1, 20_000 // envs)

    def play() -> int:
        for _ in range(steps):
            env.step(env.legal[rows, rng.integers(env.n_legal)])
        return envs * steps

    return play


def pgx(name: str, envs: int) -> Play:
    """Return random play of pgx: one compiled scan over steps, as its own benchmark does it."""
    import jax

    module, wrappers = import_module("pgx"), import_module("pgx.experimental.wrappers")
    game, steps = module.make(name), max(1, 200_000 // envs)
    step = jax.vmap(wrappers.auto_reset(game.step, game.init))

    def one(state: Any, key: Any) -> Any:
        choose, deal = jax.random.split(key)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        return step(state, jax.random.categorical(choose, logits, axis=1), jax.random.split(deal, envs)), None

    run = jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, steps))[0])
    state, number = jax.jit(jax.vmap(game.init))(jax.random.split(jax.random.key(1), envs)), 0

    def play() -> int:
        nonlocal state, number
        number += 1
        state = jax.block_until_ready(run(state, jax.random.key(number)))
        return envs * steps

    return play


def spiel(name: str) -> Play:
    """Return a random match through OpenSpiel's Python bindings, with observations and masks."""
    game, rng = import_module("pyspiel").load_game(name), np.random.default_rng(1)

    def play() -> int:
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(int(rng.choice([action for action, _ in state.chance_outcomes()])))
                continue
            state.observation_tensor()
            state.legal_actions_mask()
            state.apply_action(int(rng.choice(state.legal_actions())))
            actions += 1
        return actions

    return play


def zoo(new_env: Callable[[], Any]) -> Play:
    """Return a random match of a PettingZoo environment."""
    env, rng = new_env(), np.random.default_rng(1)

    def play() -> int:
        env.reset(seed=int(rng.integers(2**31)))
        actions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            ended = terminated or truncated
            env.step(None if ended else rng.choice(np.flatnonzero(observation["action_mask"])))
            actions += not ended
        return actions

    return play


def entrants(name: str, envs: int) -> tuple[list[Entrant], list[str]]:
    """Return the environments of a game that are installed, and why others are missing."""
    game, (pgx_name, spiel_name, zoo_name) = example(name), GAMES[name]
    zoo_module, own_zoo = f"pettingzoo.classic.{zoo_name}", "sparring.research.pettingzoo"
    candidates: list[tuple[str, str, Callable[[], Play]]] = [
        ("sparring", f"`step_random`, N = {envs:,}", lambda: ours(game, envs)),
        ("pgx", f"one scan, N = {envs:,}", lambda: pgx(pgx_name, envs)),
        ("sparring", f"`step`, N = {envs:,}", lambda: ours_stepped(game, envs)),
        ("sparring", "`step`, N = 1", lambda: ours_stepped(game, 1)),
        ("open-spiel", "Python, one match", lambda: spiel(spiel_name)),
        ("sparring", "PettingZoo `raw_env`", lambda: zoo(partial(import_module(own_zoo).raw_env, game))),
        ("pettingzoo", f"its `{zoo_name}`, `raw_env`", lambda: zoo(import_module(zoo_module).raw_env)),
    ]  # fmt: skip
    found, missing = [], []
    for package, use, make in candidates:
        try:
            found.append(Entrant(package, use, make()))
        except ImportError as problem:
            missing.append(f"{package}, {use}: {problem}")
    return found, missing


def measured(play: Play) -> float:
    """Return the actions per CPU second."""
    start, actions = time.process_time(), 0
    while time.process_time() - start < SECONDS:
        actions += play()
    return actions / (time.process_time() - start)


def table(name: str, envs: int, rounds: int) -> str:
    """Measure a game and return a Markdown table."""
    found, missing = entrants(name, envs)
    for entrant in found:
        entrant.play()  # compiles
    rates: list[list[float]] = [[] for _ in found]
    for _ in range(rounds):
        for entrant, seen in zip(found, rates, strict=True):
            seen.append(measured(entrant.play))
    first = median(rates[0])
    lines = [
        f"| {example(name).title} | Use | Actions per CPU second | First line is |",
        "|---|---|---:|---:|",
    ]
    for entrant, seen in zip(found, rates, strict=True):
        middle = median(seen)
        lines.append(f"| {_named(entrant.package)} | {entrant.use} | {middle:,.0f} | {first / middle:,.1f}x as fast |")
    return "\n".join([*lines, *(f"\nNot measured: {reason}" for reason in missing)])


def _named(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package


def main() -> None:
    """Print a table for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--envs", type=int, default=8192, help="the number of environments of a batch (default 8192)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"measurements of each (default {ROUNDS})")
    chosen = parser.parse_args()
    os.environ["JAX_PLATFORMS"] = "cpu"  # compare with one core, also where there is a GPU
    print(machine())
    for name in GAMES:
        print(f"\n{table(name, chosen.envs, chosen.rounds)}", flush=True)


if __name__ == "__main__":
    main()
