"""Compute asymptotic confidence sequences: intervals for means of unbounded variables that hold at every stopping time.

Match lengths have no useful upper bound: a bound of thousands would make the sequences of `confidence_sequences.py`
thousands of matches wide. These sequences need only a finite variance. They are the Gaussian-mixture sequences of
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (Time-uniform central limit theory and asymptotic confidence sequences,
Annals of Statistics 52, 2024; first version 2021): with the mean m and the standard deviation s of t values,

    m +- s sqrt(2 (t r^2 + 1) / (t r)^2 log(sqrt(t r^2 + 1) / alpha))

contains the true mean at all times with a probability that approaches 1 - alpha as the first look moves later. So there
is no interval before `FIRST_LOOK` values. `benchmarks/length_coverage.py` measures the coverage on the match lengths of
the games.
"""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

#: The number of values before the first interval.
FIRST_LOOK = 100

#: The number of values at which the intervals are narrowest compared with ordinary ones: 1.55 times as wide. With 100
#: to 100,000 values they are at most twice as wide.
BEST_COUNT = 500

#: Added to the sum of squared deviations, so that the interval of values that were all equal so far is not empty.
VARIANCE_PRIOR = 0.25


class AsymptoticSequences:
    """Asymptotic confidence sequences of many means at once, updated with sums of chunks of values.

    :param shape: The shape of all results (float64).
    :param alpha: The error probability.
    :param aim: The target half-width (0: none), an array that broadcasts to `shape`.
    :param relative: Whether `aim` is a share of the mean.
    :param null: The mean that `p` tests.
    """

    def __init__(
        self, shape: tuple[int, ...], *, alpha: float = 0.05, aim: Any = 0.0, relative: bool = True, null: float = 0.0
    ) -> None:
        self._alpha, self._aim, self._relative, self._null = alpha, np.broadcast_to(aim, shape), relative, null
        # The approximately best r^2 for an interval at `BEST_COUNT` (section 3.5 of the paper).
        self._r2 = (-2 * np.log(alpha) + np.log(1 - 2 * np.log(alpha))) / BEST_COUNT
        self.count = 0
        self._sum, self._squares = np.zeros(shape), np.zeros(shape)

    def add(self, count: int, total: Array, squares: Array) -> None:
        """Add a chunk: its number of values, their sum and their sum of squares."""
        self.count += count
        self._sum, self._squares = self._sum + total, self._squares + squares

    @property
    def mean(self) -> Array:
        """The means so far; 0 before the first value."""
        mean: Array = self._sum / max(self.count, 1)
        return mean

    @property
    def aim(self) -> Array:
        """The target half-widths; 0 where there is none. Nothing is relative to a mean of 0: there it is absolute."""
        aim: Array = self._aim * (np.where(self.mean == 0, 1.0, np.abs(self.mean)) if self._relative else 1.0)
        return aim

    @property
    def _variance(self) -> Array:
        deviations = np.maximum(self._squares - self.count * self.mean**2, 0)
        variance: Array = (VARIANCE_PRIOR + deviations) / max(self.count - 1, 1)
        return variance

    @property
    def half_width(self) -> Array:
        """The half-widths of the intervals; infinite before the first look."""
        if self.count < FIRST_LOOK:
            return np.full(self._sum.shape, np.inf)
        growth = self.count * self._r2 + 1
        factor = 2 * growth / (self.count**2 * self._r2) * np.log(np.sqrt(growth) / self._alpha)
        half: Array = np.sqrt(self._variance * factor)
        return half

    def needed(self, half_width: Any) -> Array:
        """Estimate how many values make the intervals this narrow, at the variance so far."""
        needed = np.full(self._sum.shape, float(FIRST_LOOK))
        for _ in range(5):  # the count is on both sides of the formula, on one of them only in a logarithm
            growth = needed * self._r2 + 1
            factor = 2 * growth / (needed * self._r2) * np.log(np.sqrt(growth) / self._alpha)
            needed = np.maximum(self._variance * factor / np.asarray(half_width) ** 2, FIRST_LOOK)
        return needed

    @property
    def interval(self) -> tuple[Array, Array]:
        """The lower and upper ends of the intervals."""
        return self.mean - self.half_width, self.mean + self.half_width

    @property
    def p(self) -> Array:
        """The anytime-valid p-values against a mean of `null`; 1 before the first look."""
        if self.count < FIRST_LOOK:
            return np.ones(self._sum.shape)
        growth = self.count * self._r2 + 1
        apart = self._sum - self.count * self._null
        evidence = self._r2 * apart**2 / (2 * self._variance * growth) - np.log(growth) / 2
        p: Array = np.exp(-np.maximum(evidence, 0))
        return p
