"""Vector arithmetic in float32, for the networks of bots.

Interpreted, these rules use NumPy; `compilation.vectors` replaces them with vector instructions. Both give the same
bytes: each product and each sum is rounded, and sums have a fixed order. All lengths are multiples of LANES.
"""

from typing import Any

import numpy as np

from .rule import rule

#: The number of float32 values in a vector.
LANES = 16

#: The number of sums that `layer` adds up side by side, because each addition must wait for the one before.
STREAMS = 4

Array = np.ndarray[Any, Any]


def padded(length: int) -> int:
    """Return a length rounded up to a multiple of LANES."""
    return -(-length // LANES) * LANES


@rule
def narrow(target: Array, source: Array) -> None:
    """Copy float64 values to a float32 array of the same length."""
    target[:] = source


@rule
def layer(target: Array, bias: Array, weights: Array, values: Array) -> None:
    """Set `target` to `bias` plus the sum of the rows of `weights`, each times its value; negative sums become 0.

    Shapes: `target` and `bias` (units,), `weights` (values, units), `values` (values,).
    """
    sums = np.zeros((STREAMS, len(target)), np.float32)
    terms = weights * values[:, None]
    for k in range(0, len(values), STREAMS):
        sums += terms[k : k + STREAMS]
    total = (sums[0] + sums[1]) + (sums[2] + sums[3]) + bias
    target[:] = np.where(total > 0, total, np.float32(0))


@rule
def dot(first: Array, second: Array) -> float:
    """Return the dot product of two arrays."""
    sums = np.zeros(LANES, np.float32)
    for k in range(0, len(first), LANES):
        sums += first[k : k + LANES] * second[k : k + LANES]
    while len(sums) > 1:
        half = len(sums) // 2
        sums = sums[:half] + sums[half:]
    return float(sums[0])
