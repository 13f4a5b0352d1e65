"""Adding up the blocks of a study: means with intervals, differences pair by pair, and when it is enough."""

from itertools import combinations
from typing import Any

import numpy as np

from sparring.lab.experiments.study import BlockSums
from sparring.lab.measures import MatchColumn, MatchCounts

from .confidence_sequences import ConfidenceSequences

Array = np.ndarray[Any, Any]

#: What a test may be wrong in, over all differences together.
ALPHA = 0.05


class Accumulator:
    """The sums so far. `asked` says of each column whether its interval has to become as narrow as `precision`.

    That is half the width of the interval: of a share as it is, of anything else as a share of its mean.
    """

    def __init__(self, columns: tuple[MatchColumn, ...], asked: Array, variants: int, precision: float | None) -> None:
        self.columns, self.asked = columns, asked
        self.matches = 0
        #: Totals of variants x columns, and of the products of pairs of variants (columns x variants x variants).
        self.sums = np.zeros((variants, len(columns)))
        self.products = np.zeros((len(columns), variants, variants))
        self.counts: tuple[MatchCounts, ...] = ()
        self.bounded = np.array([None not in (column.low, column.high) for column in columns])
        low = np.array([column.low if known else 0.0 for column, known in zip(columns, self.bounded, strict=True)])
        high = np.array([column.high if known else 1.0 for column, known in zip(columns, self.bounded, strict=True)])
        self.shares = (low >= 0) & (high <= 1) & self.bounded
        aim = np.where(asked & self.bounded, precision or 0.0, 0.0)
        shape = np.zeros((variants, len(columns)))
        self.means = ConfidenceSequences(shape + low, high, aim=aim, relative=~self.shares)
        self.pairs = list(combinations(range(variants), 2))
        apart = np.zeros((len(self.pairs), len(columns)))
        self.differences = ConfidenceSequences(apart + low - high, high - low, null=0.0)

    def add(self, block: BlockSums) -> None:
        """The next block."""
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
        """About how many matches are needed for what was asked; 0 if nothing was."""
        aim = self.means.aim
        wanted = aim > 0
        if not wanted.any():
            return 0.0
        # With bets for an aim the reach falls as one over the matches, towards half the aim.
        still = np.maximum((self.means.reach[wanted] - aim[wanted] / 2) / (aim[wanted] / 2), 0)
        return float(still.max() * self.matches)

    @property
    def is_enough(self) -> bool:
        """Whether every interval that was asked for is as narrow as it should be."""
        aim = self.means.aim
        return bool((aim > 0).any() and (self.means.reach <= aim)[aim > 0].all())


def holm(p: Array) -> Array:
    """The p of many tests, each so corrected that 5% hold for all of them together (Holm 1979).

    >>> holm(np.array([0.01, 0.04, 0.03])).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p, float)
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected
