"""Payoffs of players against each other, for the analysis of populations: alpha-rank, PSRO, leagues."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sparring.engine.game import Game

from .batch_arrays import Array
from .batch_env import BatchEnv
from .opponents import OpponentPool, Opponents, Player


def payoff_matrix(
    game: str | Game, players: Sequence[Player], *, matches: int = 100, seed: int = 0, **table: Any
) -> Array:  # fmt: skip
    """Return the mean payoff of each player against each: float64 (n, n), row against column.

    The row's player sits on one seat, in turn on each, and the column's on all others. All pairs get the same deals.
    The standard error of an entry is at most half the spread of payoffs divided by the square root of `matches`.
    OpenSpiel's alpha-rank takes `[matrix, matrix.T]` of a game for two.

    :param players: Bots, their specifications, custom bots, and policies.
    :param matches: The number of matches for each pair.
    :param table: The other parameters of `BatchEnv`, such as `seats` and `options`.
    :raises SparringError: A parameter or a bot is wrong, or a player takes an illegal action.
    """
    env = BatchEnv(game, matches, seed=seed, autoreset="disabled", **table)
    rows, matrix = np.arange(matches), np.zeros((len(players), len(players)))
    own = rows % env.seats
    for i, first in enumerate(players):
        for j, second in enumerate(players):
            env.reset(seed=seed)
            opponents, payoffs = Opponents(env, OpponentPool([first, second])), np.zeros(matches)
            opponents.drawn[:] = np.arange(env.seats) != own[:, None]
            while not env.over.all():
                step, acted = opponents.act(~env.over)
                payoffs[acted] += step.rewards[rows, own][acted]
            matrix[i, j] = payoffs.mean()
    return matrix
