"""The seeds and arrays of a batch: a row for each environment, read and written by compiled code, copied and stored."""

# mypy: allow-untyped-defs, allow-untyped-calls

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from sparring.engine.game import Game
from sparring.engine.rule import machine_code, rule

MASK = 0xFFFFFFFFFFFFFFFF
#: The constants of SplitMix64 (Steele, Lea and Flood 2014).
GOLDEN = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB
_GOLDEN, _FIRST, _SECOND = np.uint64(GOLDEN), np.uint64(FIRST), np.uint64(SECOND)
_ONE, _27, _30, _31 = np.uint64(1), np.uint64(27), np.uint64(30), np.uint64(31)


@rule
def _mixed(z):
    """Mix 64 bits, in machine code."""
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@rule
def _compiled_match_seed(seed, env, match):
    """Return what `match_seed` returns, with the wrapping arithmetic of machine code."""
    z = _mixed(np.uint64(seed) + (np.uint64(env) + _ONE) * _GOLDEN)
    return np.int64(_mixed(z + (np.uint64(match) + _ONE) * _GOLDEN) >> _ONE)


def mixed(z: int) -> int:
    """Mix 64 bits: the output function of SplitMix64."""
    z = (z ^ (z >> 30)) * FIRST & MASK
    z = (z ^ (z >> 27)) * SECOND & MASK
    return z ^ (z >> 31)


@machine_code(_compiled_match_seed)
def match_seed(seed: int, env: int, match: int) -> int:
    """Return the seed (0 to 2**63 - 1) of match number `match` of environment number `env`, both counted from 0.

    It is `mix(mix(seed + (env + 1) * G) + (match + 1) * G) >> 1` with the mixing function and the constant G of
    SplitMix64, so the matches of an environment do not depend on the others or on when they end.
    """
    z = mixed((int(seed) + (int(env) + 1) * GOLDEN) & MASK)
    return mixed((z + (int(match) + 1) * GOLDEN) & MASK) >> 1


rule(match_seed)


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
        self.states = np.zeros(n, rules.State.dtype)
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
