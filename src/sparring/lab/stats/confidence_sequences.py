"""Compute confidence sequences: intervals for means of bounded variables that hold at every stopping time.

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
"""

from typing import Any

import numpy as np

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
