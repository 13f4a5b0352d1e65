"""Intervals that hold whenever one looks: confidence sequences for means of bounded numbers.

A usual 95% interval holds at one number of matches that was fixed before. Who looks again and again, and stops when the
interval pleases, is wrong far more often than in 5% of the cases. The intervals here hold at all times at once, with
95% probability, so that stopping when one likes is honest.

They are the predictable plug-in empirical-Bernstein confidence sequences of Waudby-Smith and Ramdas (Estimating means
of bounded random variables by betting, Journal of the Royal Statistical Society B 86, 2024, theorem 2; bounds that hold
at all times: Howard, Ramdas, McAuliffe and Sekhon, Annals of Statistics 49, 2021). For numbers X between 0 and 1 with
mean m, and for bets L and guesses M that are chosen before X is seen,

    exp(sum L (X - m) - sum (X - M)^2 (-log(1 - L) - L))

is a supermartingale, and by Ville's inequality ever reaches 2 / 0.05 with a probability of 2.5% at most; so does the
same with m - X. Here bets and guesses stay as they are for a whole chunk of matches, and follow from earlier chunks
alone. That keeps them predictable, and of a chunk only its count, its sum and its sum of squares are needed: intervals
cost the same for a thousand matches as for a billion. What has to be kept: chunks come in their order, their borders do
not hang on what is counted in them, and one looks between chunks only.
"""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

#: The largest bet: close to 1 one bets on a variance far smaller than the few numbers seen so far can show.
BOLDEST = 0.75

#: The next chunk is expected to bring so much of what is there, and the first one so many numbers.
GROWTH, FIRST = 1.1, 100

#: How the 5% are shared between bets that serve to reach an aim soonest, and bets that serve at any time.
AIMED = 0.8


class ConfidenceSequences:
    """Intervals for many means at once, each between its own bounds, fed with the sums of one chunk after the other.

    With an `aim` (half the width that is wanted; a share of the mean where it is `relative`) most is bet so as to reach
    it soonest. `null` is the mean that `p` speaks of. All these may be arrays that broadcast together.
    """

    def __init__(
        self, low: Any, high: Any, *, alpha: float = 0.05, aim: Any = 0.0, relative: Any = False, null: Any = 0.5
    ) -> None:
        low, high, aim, null = np.broadcast_arrays(*(np.asarray(each, float) for each in (low, high, aim, null)))
        self._base, self._span = low, np.where(high > low, high - low, 1.0)
        self._wanted, self._relative, self._null = aim, np.asarray(relative, bool), (null - low) / self._span
        aimed = np.where(aim > 0, AIMED, 0.0)
        with np.errstate(divide="ignore"):
            self._shares = np.log(np.stack([aimed, 1 - aimed]))
        self._price = np.log(2 / alpha) - self._shares
        self.count, self._sum, self._squares = (np.zeros(low.shape) for _ in range(3))
        self._bets, self._won, self._paid = (np.zeros(self._price.shape) for _ in range(3))
        self._evidence = np.zeros(low.shape)
        self._ends = np.zeros(low.shape), np.ones(low.shape)

    def add(self, count: Any, total: Any, squares: Any) -> None:
        """The next chunk: how many numbers, their sum, and the sum of their squares, as they are."""
        count, total, squares = (np.asarray(each, float) for each in (count, total, squares))
        bets, guess = self._bet(), (0.5 + self._sum) / (1 + self.count)
        squares = (squares - 2 * self._base * total + count * self._base**2) / self._span**2
        total = (total - count * self._base) / self._span
        strayed = np.maximum(squares - 2 * guess * total + count * guess**2, 0)
        self._bets = self._bets + bets * count
        self._won = self._won + bets * total
        self._paid = self._paid + strayed * (-np.log1p(-bets) - bets)
        self.count, self._sum, self._squares = self.count + count, self._sum + total, self._squares + squares
        self._look()

    def _bet(self) -> Array:
        """How much is bet on each number of the next chunk: to reach the aim soonest, and to know much at any time."""
        mean = self._sum / np.maximum(self.count, 1)
        variance = (0.25 + np.maximum(self._squares - self.count * mean**2, 0)) / (1 + self.count)
        then = np.maximum(GROWTH * self.count, FIRST)
        anytime = np.sqrt(2 * self._price[1] / (variance * then * np.log1p(then)))
        bets: Array = np.minimum(np.stack([self.aim / self._span / variance, anytime]), BOLDEST)
        return bets

    def _look(self) -> None:
        """Narrow the intervals, and remember the most that ever spoke against the null."""
        bets = np.maximum(self._bets, 1e-300)
        middle, reach = self._won / bets, (self._price + self._paid) / bets
        low, high = (middle - reach).max(axis=0), (middle + reach).min(axis=0)
        self._ends = np.maximum(self._ends[0], low), np.minimum(self._ends[1], high)
        ahead = self._won - self._null * self._bets
        against = np.logaddexp(ahead, -ahead) - np.log(2) - self._paid + self._shares
        self._evidence = np.maximum(self._evidence, np.logaddexp(*against))

    @property
    def aim(self) -> Array:
        """Half the widths that are wanted; 0 where none is."""
        aim: Array = self._wanted * np.where(self._relative, np.abs(self.mean), 1.0)
        return aim

    @property
    def mean(self) -> Array:
        """The means so far; the middle of the bounds where there is nothing yet."""
        share = np.where(self.count > 0, self._sum / np.maximum(self.count, 1), 0.5)
        mean: Array = self._base + self._span * share
        return mean

    @property
    def interval(self) -> tuple[Array, Array]:
        """The lower and upper ends of the intervals."""
        low, high = self._ends
        return self._base + self._span * low, self._base + self._span * high

    @property
    def reach(self) -> Array:
        """Half the widths of the intervals."""
        low, high = self._ends
        half: Array = self._span * (high - low) / 2
        return half

    @property
    def p(self) -> Array:
        """How likely it is at most to ever see so much against a mean of `null` if that is the true one."""
        p: Array = np.exp(-self._evidence)
        return p
