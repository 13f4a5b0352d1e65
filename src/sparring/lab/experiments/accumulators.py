"""Accumulate the blocks of a study: means, paired differences and the precision reached so far."""

from itertools import combinations
from typing import Any

import numpy as np

from sparring.lab.experiments.study import BlockSums
from sparring.lab.measures import MatchColumn, MatchCounts
from sparring.lab.stats.confidence_sequences import ConfidenceSequences

Array = np.ndarray[Any, Any]

#: The family-wise error rate of all tests of a report together.
ALPHA = 0.05


class Accumulator:
    """Running sums of a study.

    `requested` is a boolean mask of the columns whose intervals must reach `precision`: their half-width, absolute for
    shares and relative to the mean for all others (None: no precision is required).
    """

    def __init__(
        self, columns: tuple[MatchColumn, ...], requested: Array, variants: int, precision: float | None
    ) -> None:
        self.columns, self.requested = columns, requested
        self.matches = 0
        #: Sums of shape (variants, columns), and sums of products of pairs, (columns, variants, variants).
        self.sums = np.zeros((variants, len(columns)))
        self.products = np.zeros((len(columns), variants, variants))
        self.counts: tuple[MatchCounts, ...] = ()
        self.bounded = np.array([None not in (column.low, column.high) for column in columns])
        low = np.array([column.low if known else 0.0 for column, known in zip(columns, self.bounded, strict=True)])
        high = np.array([column.high if known else 1.0 for column, known in zip(columns, self.bounded, strict=True)])
        self.shares = (low >= 0) & (high <= 1) & self.bounded
        aim = np.where(requested & self.bounded, precision or 0.0, 0.0)
        shape = np.zeros((variants, len(columns)))
        self.means = ConfidenceSequences(shape + low, high, aim=aim, relative=~self.shares)
        self.pairs = list(combinations(range(variants), 2))
        apart = np.zeros((len(self.pairs), len(columns)))
        self.differences = ConfidenceSequences(apart + low - high, high - low, null=0.0)

    def add(self, block: BlockSums) -> None:
        """Add the next block; blocks must come in order."""
        self.matches += block.matches
        self.sums += block.sums
        self.products += block.products
        self.counts = (
            tuple(a + b for a, b in zip(self.counts, block.counts, strict=True)) if self.counts else block.counts
        )
        squares = np.einsum("qvv->vq", block.products)
        self.means.add(block.matches, block.sums, squares)
        for_pairs = np.array(self.pairs, int).reshape(-1, 2).T
        one, other = for_pairs
        between = squares[one] + squares[other] - 2 * block.products[:, one, other].T
        self.differences.add(block.matches, block.sums[one] - block.sums[other], np.maximum(between, 0))

    @property
    def needed(self) -> float:
        """The estimated number of matches needed to reach the precision; 0 if none was requested."""
        aim = self.means.aim
        has_aim = aim > 0
        if not has_aim.any():
            return 0.0
        # With bets tuned to an aim, the half-width minus half the aim is proportional to 1 / matches.
        excess = np.maximum((self.means.half_width[has_aim] - aim[has_aim] / 2) / (aim[has_aim] / 2), 0)
        return float(excess.max() * self.matches)

    @property
    def is_precise(self) -> bool:
        """Whether every requested interval has reached the precision."""
        aim = self.means.aim
        return bool((aim > 0).any() and (self.means.half_width <= aim)[aim > 0].all())


def holm(p: Array) -> Array:
    """Return p-values corrected for multiple tests (Holm 1979), which bounds the family-wise error rate.

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p, float)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected
