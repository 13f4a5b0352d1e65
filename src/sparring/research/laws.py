"""Law 13: a batch shows exactly what its matches show, with any number of threads."""

import random
from typing import Any

import numpy as np

from sparring.engine.features import absolute_rule, relative_rule
from sparring.engine.game import Game, GameSetup
from sparring.engine.laws import configurations
from sparring.engine.laws.violations import LawContext, differing
from sparring.engine.match import Match
from sparring.engine.records import read_content

from .batch_arrays import match_seed
from .batch_env import BatchEnv

#: The numbers of threads whose results are compared with those of one thread.
THREADS = (2, 7)

#: The size of the check for the first configuration, and for each of the others.
WHOLE, SHORT = (32, 200), (4, 50)

#: The number of actions in the histories that are compared.
HISTORY = 5

Array = np.ndarray[Any, Any]


def check_batches(game: Game, *, seed: int = 1, content: Any = None) -> None:
    """Check law 13 for every number of seats and every pair of option values. Raises LawViolation."""
    for number, (seats, options) in enumerate(configurations(game)):
        setup = game.setup(options, read_content(game, content))
        check_batch(setup, seats, seed + number, *(SHORT if number else WHOLE))


def check_batch(setup: GameSetup, seats: int, seed: int, envs: int, choices: int) -> None:
    """Play `choices` random actions in a batch of `envs` environments, and compare each of them with a `Match`.

    States, masks, legal actions, players, rewards, observations and histories must be equal byte for byte, and equal
    for all numbers of threads. Raises LawViolation.
    """
    check = f"check_batch(setup, {{seats}}, {{seed}}, {envs}, {choices})"
    context = LawContext(setup, seats, seed, check=check)
    batches = [
        BatchEnv(
            setup.game, envs, seats=seats, options=setup.options, content=setup.content, seed=seed, threads=threads,
            history=HISTORY,
        )
        for threads in (1, *THREADS)
    ]  # fmt: skip
    env, rng = batches[0], random.Random(seed)
    matches = [Match.deal(setup, seats, match_seed(seed, i, 0)) for i in range(envs)]
    _compare_rows(env, matches, context)
    for choice in range(choices):
        actions = np.array([rng.choice(env.legal[i, : env.n_legal[i]]) for i in range(envs)])
        ended = _choose(matches, actions, env.episode.tolist(), seed)
        for batch in batches:
            batch.step(actions)
        _compare_rows(env, matches, context.at(choice))
        _compare_rewards(env, ended, context.at(choice))
        for batch in batches[1:]:
            _compare_batches(env, batch, context.at(choice))


def _choose(matches: list[Match], actions: Array, episodes: list[int], seed: int) -> dict[int, dict[int, float]]:
    """Take the actions, deal the next match where one has ended, and return the payoffs of those that have."""
    payoffs = {}
    for i, (match, action) in enumerate(zip(matches, actions.tolist(), strict=True)):
        absolute = absolute_rule(match.game)
        match.choose(int(absolute(match.setup.params, match.state, int(match.state.player), action)))
        if match.payoffs is not None:
            payoffs[i] = match.payoffs
            matches[i] = Match.deal(match.setup, match.seats, match_seed(seed, i, episodes[i] + 1))
    return payoffs


def _compare_rows(env: BatchEnv, matches: list[Match], context: LawContext) -> None:
    """Compare every environment with its match."""
    assert env.obs is not None
    assert env.history is not None
    for i, match in enumerate(matches):
        where = f"in a batch, environment {i} has"
        if env.states[i].tobytes() != match.state.tobytes():
            raise context.violation(13, f"{where} a different {differing(match.state, env.states[i])}")
        context.require(13, env.seed[i] == match.seed, f"{where} the seed {env.seed[i]}, not {match.seed}")
        seat = int(match.state.player)
        context.require(13, env.player[i] == seat, f"{where} player {env.player[i]}, not {seat}")
        relative = relative_rule(match.game)
        legal = [action for action in match.legal() if action not in match.game.conceding]
        expected = sorted(int(relative(match.setup.params, match.state, seat, action)) for action in legal)
        context.require(
            13,
            env.legal[i, : env.n_legal[i]].tolist() == expected == np.flatnonzero(env.mask[i]).tolist(),
            f"{where} legal actions or a mask other than {expected}",
        )
        observed = match.view(seat + 1).observation()
        differences = np.flatnonzero(env.obs[i].view(np.int32) != observed.view(np.int32)).tolist()
        context.require(13, not differences, f"{where} a different observation, at {differences[:5]}")
        recent = match.observed_actions(seat + 1, HISTORY)
        context.require(13, (env.history[i] == recent).all(), f"{where} a different history")


def _compare_rewards(env: BatchEnv, ended: dict[int, dict[int, float]], context: LawContext) -> None:
    """Compare the results of the last step with the payoffs of the matches that ended."""
    finished = np.flatnonzero(env.terminated).tolist()
    context.require(13, finished == list(ended), f"in a batch, the environments {finished} end, not {list(ended)}")
    expected = np.zeros_like(env.rewards)
    for i, payoffs in ended.items():
        expected[i] = list(payoffs.values())
    context.require(13, env.rewards.tobytes() == expected.tobytes(), "in a batch, the rewards are not the payoffs")


def _compare_batches(env: BatchEnv, other: BatchEnv, context: LawContext) -> None:
    """Compare all arrays of two batches."""
    names = (
        "states", "obs", "mask", "player", "n_legal", "rewards", "terminated", "final_obs", "final_length", "episode",
        "length", "seed", "history",
    )  # fmt: skip
    for name in names:
        same = getattr(env, name).tobytes() == getattr(other, name).tobytes()
        context.require(13, same, f"with {other.threads} threads, a batch has different {name}")
