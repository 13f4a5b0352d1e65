"""Encode values for the `features` rules of games."""

from .rule import rule
from .types import Floats


@rule
def one_hot(out: Floats, n: int, size: int, place: int) -> int:
    """Write `size` values from index `n` on, all 0 except a 1 at `place` (if in range); return the next index."""
    for i in range(size):
        out[n + i] = 1.0 if i == place else 0.0
    return n + size
