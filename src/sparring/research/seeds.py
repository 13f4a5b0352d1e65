"""The seeds of a batch's matches: a hash of the environment's seed, its number and the number of its match."""

# mypy: allow-untyped-defs, allow-untyped-calls

import numpy as np

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
