"""Numbers for a learner: what every game's `features` is put together from."""

from .rule import rule


@rule
def one_hot(out, n, size, place):
    """So many numbers from `n` on, all 0 but the one at `place` (if it is among them); returns where they end."""
    for i in range(size):
        out[n + i] = 1.0 if i == place else 0.0
    return n + size
