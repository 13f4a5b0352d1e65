"""The arrays of a batch: one row for each environment, read and written by compiled code, copied and stored."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from sparring.engine.game import Game

Array = np.ndarray[Any, Any]

#: The arrays that make up the state of a batch; the others follow from them.
STORED = (
    "states", "base", "episode", "length", "seed", "generators", "over", "rewards", "terminated", "truncated",
    "illegal", "final_obs", "final_length", "past",
)  # fmt: skip

#: JAX copies arrays whose address is not a multiple of this.
ALIGNMENT = 64


class BatchArrays:
    """The arrays that `BatchEnv` shows, and those that only its driver uses. `batch_driver` says what they hold.

    Arrays that aren't wanted have one row, which the driver doesn't touch.
    """

    def __init__(self, game: Game, num_envs: int, seats: int, *, observe: bool, history: int) -> None:
        rules, n = game.rules, num_envs
        actions, observed, recorded = len(rules.ACTIONS), n if observe else 1, n if history else 1
        self.num_envs = num_envs
        self.states = np.zeros(n, rules.STATE)
        self.base = np.zeros(n, np.int64)  # the seed of each environment
        self.episode = np.zeros(n, np.int64)
        self.length = np.zeros(n, np.int32)
        self.seed = np.zeros(n, np.int64)
        self.generators = np.zeros((n, 4), np.int64)
        self.over = np.zeros(n, np.bool_)
        self.actions = np.zeros(n, np.int64)
        self.player = aligned_zeros(n, np.int8)
        self.obs = aligned_zeros((observed, rules.FEATURES), np.float32)
        self.mask = aligned_zeros((n, actions), np.bool_)
        self.legal = aligned_zeros((n, actions), np.int16)
        self.n_legal = aligned_zeros(n, np.int32)
        self.rewards = aligned_zeros((n, seats), np.float32)
        self.terminated = aligned_zeros(n, np.bool_)
        self.truncated = aligned_zeros(n, np.bool_)
        self.illegal = np.zeros(n, np.bool_)
        self.final_obs = aligned_zeros((observed, seats, rules.FEATURES), np.float32)
        self.final_length = np.zeros(n, np.int32)
        self.past = np.zeros((recorded, max(history, 1), 3 + seats), np.int32)
        self.history = aligned_zeros((recorded, max(history, 1), 4), np.int32)
        self.history[:] = -1

    def before_final(self) -> tuple[Array, ...]:
        """Return the driver's arguments before `final_obs`."""
        return (
            self.states, self.base, self.episode, self.length, self.seed, self.generators, self.over, self.player,
            self.obs, self.mask, self.legal, self.n_legal, self.rewards, self.terminated, self.truncated, self.illegal,
        )  # fmt: skip

    def after_final(self) -> tuple[Array, ...]:
        """Return the driver's arguments after `final_obs`."""
        return self.final_length, self.past, self.history

    def copy_into(self, other: "BatchArrays", source: Array) -> None:
        """Copy the rows `source` to those of another batch, with one number for each of its environments."""
        for name in STORED:
            array = getattr(other, name)
            array[:] = getattr(self, name)[source if len(array) == other.num_envs else slice(None)]

    def to_bytes(self) -> dict[str, bytes]:
        """Return the stored arrays."""
        return {name: getattr(self, name).tobytes() for name in STORED}

    def from_bytes(self, stored: Mapping[str, bytes]) -> None:
        """Read the arrays that `to_bytes` returned, for a batch of the same sizes."""
        for name, values in stored.items():
            array = getattr(self, name)
            array[:] = np.frombuffer(values, array.dtype).reshape(array.shape)


def aligned_zeros(shape: int | tuple[int, ...], dtype: npt.DTypeLike) -> Array:
    """Return an array of zeros that JAX can share."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = np.zeros(size + ALIGNMENT, np.uint8)
    first = -raw.ctypes.data % ALIGNMENT
    return raw[first : first + size].view(dtype).reshape(shape)
