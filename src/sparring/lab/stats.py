"""Statistics of many matches: 95% intervals, and confidence sequences that hold at every stopping time.

An ordinary 95% interval holds for one sample size fixed in advance. If you check it repeatedly and stop when you like
the result, it is wrong far more often than 5% of the time. A confidence sequence holds at all times at once with 95%
probability, so you may stop at any time.

These are the predictable plug-in empirical-Bernstein confidence sequences of Waudby-Smith and Ramdas (Estimating means
of bounded random variables by betting, Journal of the Royal Statistical Society B 86, 2024, theorem 2; time-uniform
bounds: Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49, 2021). For values X between 0 and 1 with mean m,
and bets L and guesses M chosen before X is seen,

    exp(sum L (X - m) - sum (X - M)^2 (-log(1 - L) - L))

is a supermartingale. By Ville's inequality, it reaches 2 / 0.05 with a probability of at most 2.5%; the same holds with
m - X. Here bets and guesses are constant within a chunk of matches and depend only on earlier chunks. So they stay
predictable, and a chunk is fully described by its count, sum and sum of squares: a billion matches cost no more than a
thousand. Callers must add chunks in order, choose their boundaries independently of the results, and look only between
chunks.

Match lengths have no useful upper bound: a bound of thousands would make these sequences thousands of matches wide.
Asymptotic sequences need only a finite variance. They are the Gaussian-mixture sequences of Waudby-Smith, Arbour,
Sinha, Kennedy and Ramdas (Time-uniform central limit theory and asymptotic confidence sequences, Annals of Statistics
52, 2024; first version 2021): with the mean m and the standard deviation s of t values,

    m +- s sqrt(2 (t r^2 + 1) / (t r)^2 log(sqrt(t r^2 + 1) / alpha))

contains the true mean at all times with a probability that approaches 1 - alpha as the first look moves later. So there
is no interval before `FIRST_LOOK` values. `benchmarks/length_coverage.py` measures the coverage on the match lengths of
the games.

Sequences for quantiles, such as the median match length, need no assumption about the distribution: Howard and Ramdas,
Sequential estimation of quantiles with applications to A/B testing and best-arm identification, Bernoulli 28, 2022,
equation 3.
"""

from math import log, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np


def wilson(wins: float, matches: float, z: float = 1.96) -> tuple[float, float]:
    """Return the Wilson score interval of a share, from 0 to 1 (Wilson 1927; 95% for z = 1.96).

    >>> tuple(round(end, 3) for end in wilson(90, 100))
    (0.826, 0.945)
    """
    if matches == 0:
        return 0.0, 1.0
    share = wins / matches
    centre = share + z * z / (2 * matches)
    half_width = z * sqrt(share * (1 - share) / matches + z * z / (4 * matches * matches))
    scale = 1 + z * z / matches
    return max(0.0, (centre - half_width) / scale), min(1.0, (centre + half_width) / scale)


def mean_and_margin(values: np.ndarray[Any, Any]) -> tuple[float, float]:
    """Return the mean of independent numbers and the half-width of its 95% interval (normal).

    For fewer than two numbers, return their sum and 0.
    """
    if len(values) < 2:
        return float(values.sum()), 0.0
    return float(values.mean()), float(1.96 * values.std(ddof=1) / sqrt(len(values)))


def corrected_z(count: int) -> float:
    """Return the normal quantile for 95% intervals that hold for `count` values together (Bonferroni).

    >>> round(corrected_z(1), 2), round(corrected_z(20), 2)
    (1.96, 3.02)
    """
    return NormalDist().inv_cdf(1 - 0.025 / max(count, 1))


Array = np.ndarray[Any, Any]

#: The largest bet. Bets near 1 assume a variance far below what a few values can show.
MAX_BET = 0.75

#: The expected growth of the sample by the next chunk (a factor), and the expected size of the first chunk.
GROWTH, FIRST = 1.1, 100

#: The share of alpha for bets that reach the aim soonest; the rest is for bets that are good at any time.
AIM_SHARE = 0.8


class ConfidenceSequences:
    """Confidence sequences of many means at once, updated with the sums of one chunk after another.

    :param low, high: The bounds of the values.
    :param alpha: The error probability.
    :param aim: The target half-width, which most bets are tuned to reach soonest (0: none).
    :param relative: Whether `aim` is a share of the mean.
    :param null: The mean that `p` tests.

    All but `alpha` may be arrays that broadcast together. Results have the broadcast shape and dtype float64.
    """

    def __init__(
        self, low: Any, high: Any, *, alpha: float = 0.05, aim: Any = 0.0, relative: Any = False, null: Any = 0.5
    ) -> None:
        low, high, aim, null = np.broadcast_arrays(*(np.asarray(value, float) for value in (low, high, aim, null)))
        self._base, self._span = low, np.where(high > low, high - low, 1.0)
        self._aim, self._relative, self._null = aim, np.asarray(relative, bool), (null - low) / self._span
        aim_share = np.where(aim > 0, AIM_SHARE, 0.0)
        with np.errstate(divide="ignore"):
            self._shares = np.log(np.stack([aim_share, 1 - aim_share]))
        self._log_threshold = np.log(2 / alpha) - self._shares
        self.count, self._sum, self._squares = (np.zeros(low.shape) for _ in range(3))
        self._bets, self._weighted_sum, self._penalty = (np.zeros(self._log_threshold.shape) for _ in range(3))
        self._evidence = np.zeros(low.shape)
        self._ends = np.zeros(low.shape), np.ones(low.shape)

    def add(self, count: Any, total: Any, squares: Any) -> None:
        """Add a chunk: its number of values, their sum and their sum of squares, in the original scale."""
        count, total, squares = (np.asarray(value, float) for value in (count, total, squares))
        bets, guess = self._bet(), (0.5 + self._sum) / (1 + self.count)
        squares = (squares - 2 * self._base * total + count * self._base**2) / self._span**2
        total = (total - count * self._base) / self._span
        deviation = np.maximum(squares - 2 * guess * total + count * guess**2, 0)
        self._bets = self._bets + bets * count
        self._weighted_sum = self._weighted_sum + bets * total
        self._penalty = self._penalty + deviation * (-np.log1p(-bets) - bets)
        self.count, self._sum, self._squares = self.count + count, self._sum + total, self._squares + squares
        self._update()

    def _bet(self) -> Array:
        """Return the bets for the next chunk, shape (2, ...): tuned to the aim, and good at any time."""
        mean = self._sum / np.maximum(self.count, 1)
        variance = (0.25 + np.maximum(self._squares - self.count * mean**2, 0)) / (1 + self.count)
        next_count = np.maximum(GROWTH * self.count, FIRST)
        anytime = np.sqrt(2 * self._log_threshold[1] / (variance * next_count * np.log1p(next_count)))
        bets: Array = np.minimum(np.stack([self.aim / self._span / variance, anytime]), MAX_BET)
        return bets

    def _update(self) -> None:
        """Narrow the intervals and keep the maximum evidence against the null."""
        bets = np.maximum(self._bets, 1e-300)
        centre, radius = self._weighted_sum / bets, (self._log_threshold + self._penalty) / bets
        low, high = (centre - radius).max(axis=0), (centre + radius).min(axis=0)
        self._ends = np.maximum(self._ends[0], low), np.minimum(self._ends[1], high)
        gain = self._weighted_sum - self._null * self._bets
        evidence = np.logaddexp(gain, -gain) - np.log(2) - self._penalty + self._shares
        self._evidence = np.maximum(self._evidence, np.logaddexp(*evidence))

    @property
    def aim(self) -> Array:
        """The target half-widths; 0 where there is none."""
        aim: Array = self._aim * np.where(self._relative, np.abs(self.mean), 1.0)
        return aim

    @property
    def mean(self) -> Array:
        """The means so far; the middle of the bounds where there are no values yet."""
        share = np.where(self.count > 0, self._sum / np.maximum(self.count, 1), 0.5)
        mean: Array = self._base + self._span * share
        return mean

    @property
    def interval(self) -> tuple[Array, Array]:
        """The lower and upper ends of the intervals."""
        low, high = self._ends
        return self._base + self._span * low, self._base + self._span * high

    @property
    def half_width(self) -> Array:
        """The half-widths of the intervals."""
        low, high = self._ends
        half: Array = self._span * (high - low) / 2
        return half

    def needed(self, half_width: Any) -> Array:
        """Estimate how many values make the intervals this narrow, at the variance so far (infinite: more won't do).

        With bets tuned to an aim, the half-width is half the aim plus a part proportional to 1 / count. Without an aim
        it is roughly proportional to 1 / sqrt(count).
        """
        aim, target = self.aim / self._span, np.asarray(half_width, float) / self._span
        squares = np.maximum(self._squares - self.count * ((self.mean - self._base) / self._span) ** 2, 0)
        variance = (0.25 + squares) / (1 + self.count)
        with np.errstate(divide="ignore", invalid="ignore"):
            tuned = self._log_threshold[0] * variance / (aim * (target - aim / 2))
        scaled = self.count * (self.half_width / self._span / target) ** 2
        needed: Array = np.where(aim == 0, scaled, np.where(target > aim / 2, tuned, np.inf))
        return needed

    @property
    def p(self) -> Array:
        """The anytime-valid p-values against a mean of `null`."""
        p: Array = np.exp(-self._evidence)
        return p


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


def quantile_interval(
    histogram: np.ndarray[Any, Any], quantile: float = 0.5, alpha: float = 0.05
) -> tuple[int, int, int]:
    """Return a quantile of whole numbers and its interval (value, low, high), which holds at every stopping time.

    :param histogram: How often each number from 0 occurred.
    :param quantile: The quantile, between 0 and 1; 0.5 is the median.
    :param alpha: The error probability.

    >>> quantile_interval(np.array([0, 100, 800, 100]))
    (2, 2, 2)
    """
    below = np.cumsum(histogram)
    n = int(below[-1])
    if n < 2:
        return int(np.searchsorted(below, quantile * n)), 0, len(histogram) - 1
    rate = (1.4 * log(max(log(2.1 * n), 1.0)) + log(10 / alpha)) / n
    reach = 1.5 * sqrt(quantile * (1 - quantile) * rate) + 0.8 * rate
    low, high = quantile - reach, quantile + reach
    return (
        int(np.searchsorted(below, quantile * n)),
        int(np.searchsorted(below, low * n)) if low > 0 else 0,
        int(np.searchsorted(below, high * n, side="right")) if high < 1 else len(histogram) - 1,
    )
