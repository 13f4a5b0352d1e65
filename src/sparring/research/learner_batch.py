"""A batch in which a learner plays one seat of each match, and opponents play the others."""

from typing import Any

import numpy as np
import numpy.typing as npt

from sparring.engine.errors import BadOption, SparringError
from sparring.engine.game import Game

from .batch_arrays import Array, match_seed
from .batch_env import BatchEnv, BatchStep
from .opponents import Opponent, Opponents

#: The number of matches that opponents may end before the learner acts, until `reset` fails.
MOST_DEALS = 100


class LearnerBatch:
    """Matches that stop only where the learner must act, or at the end. Nothing is dealt before the first `reset`.

    With N environments: `seat`, int8 (N,), is the learner's seat, from 0; `rewards`, float64 (N,), its payoff if its
    match ended in the last step or reset, otherwise 0; `terminated`, `truncated`, `illegal`: bool (N,), as in
    `BatchEnv`.
    """

    def __init__(self, game: str | Game, num_envs: int, opponent: Opponent, seat: int | None, **table: Any) -> None:
        """Compile the game; `table` are the other parameters of `BatchEnv`.

        :param opponent: The opponents (see `opponents.Opponent`).
        :param seat: The learner's seat, from 1. Default: drawn for each match, from its seed.
        :raises SparringError: The parameters of the table, the seat or the bot are wrong.
        """
        self.env = BatchEnv(game, num_envs, autoreset="disabled", **table)
        if seat is not None and not 1 <= seat <= self.env.seats:
            raise BadOption(f"seat must be 1 to {self.env.seats}, not {seat}.")
        self._opponents, self._fixed = Opponents(self.env, opponent, seat), seat
        if self._opponents.remember and self.env.on_illegal == "random":
            raise BadOption('A bot that remembers can\'t play with on_illegal="random".')
        self.seat = np.zeros(num_envs, np.int8)
        self.rewards = np.zeros(num_envs)
        self.terminated, self.truncated, self.illegal = np.zeros((3, num_envs), np.bool_)
        self._rows = np.arange(num_envs)

    def reset(self, seed: int | npt.ArrayLike | None = None, mask: Array | None = None) -> None:
        """Start matches, as `BatchEnv.reset` does, and let opponents act until the learner must act.

        After a match that ends before the learner acts, the next one starts.
        """
        where = np.ones(len(self._rows), np.bool_) if mask is None else np.asarray(mask)
        for _ in range(MOST_DEALS):
            self.env.reset(seed=seed, mask=where)
            self._seat_learner(where)
            self._opponents.draw(where)
            self._clear(where)
            self._let_opponents_act()
            seed, where = None, where & self.env.over
            if not where.any():
                return
        raise SparringError(f"The opponents end {MOST_DEALS} matches one after another before the learner acts.")

    def _seat_learner(self, where: Array) -> None:
        """Set the learner's seat in matches that start."""
        seats = self.env.seats
        for i in np.flatnonzero(where).tolist():
            self.seat[i] = self._fixed - 1 if self._fixed else match_seed(int(self.env.seed[i]), 0, seats) % seats

    def step(self, actions: npt.ArrayLike, where: Array | None = None) -> None:
        """Take the learner's actions, and let opponents act until it must act again.

        Raises ValueError as `BatchEnv.step` does, and if a match is over.
        """
        where = np.ones(len(self._rows), np.bool_) if where is None else where
        if (ended := np.flatnonzero(where & self.env.over)).size:
            raise ValueError(f"environment {ended[0]}: the match is over; reset it before the next step")
        result = self._opponents.take(actions, where)
        self._clear(where)
        self._add(result, where)
        self._let_opponents_act()

    def observation(self) -> dict[str, Array]:
        """Return what the learner knows, as new arrays (see `opponents.Policy`); after the end, what it saw last."""
        env = self.env
        assert env.obs is not None
        assert env.final_obs is not None
        observation = env.obs.copy()
        if env.over.any():
            observation[env.over] = env.final_obs[env.over, self.seat[env.over]]
        return {"observation": observation, "action_mask": env.mask.astype(np.int8)}

    def _clear(self, where: Array) -> None:
        """Forget the results of the last step where another one is taken."""
        self.rewards[where] = 0
        for results in (self.terminated, self.truncated, self.illegal):
            results[where] = False

    def _add(self, result: BatchStep, where: Array) -> None:
        """Add the results of one action in these matches."""
        self.rewards[where] += result.rewards[self._rows, self.seat][where]
        self.terminated |= result.terminated & where
        self.truncated |= result.truncated & where
        self.illegal |= self.env.illegal & where

    def _let_opponents_act(self) -> None:
        """Let opponents act until the learner must act or the match is over, everywhere."""
        env = self.env
        while (waits := ~env.over & (env.player != self.seat)).any():
            self._add(*self._opponents.act(waits))
