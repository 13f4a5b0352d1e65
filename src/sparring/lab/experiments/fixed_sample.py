"""Fixed-sample 95% intervals and tests, which hold if the number of matches was fixed in advance.

Means get Wilson (shares) or t intervals, differences the paired t-test. Match lengths need them: a confidence sequence
for values between 0 and some thousands takes thousands of matches to become useful.
"""

from dataclasses import dataclass
from math import erfc, exp, log1p, sqrt
from typing import Any

import numpy as np

from sparring.lab.measures import Figure, MatchColumn, interval

from .accumulators import ALPHA, Accumulator, holm

Array = np.ndarray[Any, Any]

#: The 97.5% quantile of the normal distribution.
Z = 1.96

#: The verdicts on a difference, as stored in files: statistically significant, or not (yet).
REAL, UNCLEAR = "real", "not told apart yet"


@dataclass(frozen=True)
class FixedIntervals:
    """95% intervals of means, shape (variants, columns), and of differences with p-values, shape (pairs, columns)."""

    low: Array
    high: Array
    differences_low: Array
    differences_high: Array
    p: Array
    #: p corrected for all differences together (Holm).
    corrected: Array

    @property
    def verdicts(self) -> Array:
        """Return the verdict on each difference."""
        return np.where(self.corrected <= ALPHA, REAL, UNCLEAR)


def fixed_intervals(accumulator: Accumulator) -> FixedIntervals:
    """Return the fixed-sample intervals and tests of all columns."""
    low, high = ends = np.zeros((2, *accumulator.sums.shape))
    apart_low, apart_high, p = tests = np.zeros((3, len(accumulator.pairs), len(accumulator.columns)))
    for c, column in enumerate(accumulator.columns):
        sums, products = accumulator.sums[:, c], accumulator.products[c]
        for v, total in enumerate(sums):
            ends[:, v, c] = mean_interval(column, accumulator.matches, total, products[v, v])
        for k, (one, other) in enumerate(accumulator.pairs):
            squares = products[one, one] + products[other, other] - 2 * products[one, other]
            tests[:, k, c] = paired_t_test(column, accumulator.matches, sums[one] - sums[other], squares)
    return FixedIntervals(low, high, apart_low, apart_high, p, holm(p.ravel()).reshape(p.shape))


def mean_interval(column: MatchColumn, n: int, total: float, squares: float) -> tuple[float, float]:
    """Return the 95% interval of a mean from the sum and the sum of squares of `n` matches."""
    mean = total / n
    variance = max(squares - n * mean**2, 0.0) / (n - 1) if n > 1 else 0.0
    return interval(Figure(column.name, n, mean, variance, column.low, column.high), t_quantile(max(n - 1, 1)))


def paired_t_test(column: MatchColumn, n: int, total: float, squares: float) -> tuple[float, float, float]:
    """Return the 95% interval (low, high) of a mean paired difference and its p-value against 0.

    For shares one difference of 1 and one of -1 are added (Bonett and Price, Adjusted Wald confidence interval for a
    difference of binomial proportions based on paired data, 2012). The p-value is at least that of the sign test, so
    that a few matches that all agree are not significant.
    """
    added = 2 if column.is_share else 0
    count, freedom = n + added, max(n + added - 1, 1)
    mean = total / count
    error = sqrt(max(squares + added - count * mean**2, 0.0) / (freedom * count))
    reach = t_quantile(freedom) * error
    p = t_p_value(mean / error, freedom) if error else float(mean == 0)
    return mean - reach, mean + reach, min(max(p, 0.5 ** (n - 1)), 1.0)


def t_quantile(freedom: int) -> float:
    """Return the 97.5% quantile of Student's t (Wallace 1959, inverted; 0.5% off at 4 degrees of freedom).

    >>> round(t_quantile(19), 3)
    2.093
    """
    z = Z * (8 * freedom + 3) / (8 * freedom + 1)
    return sqrt(freedom * (exp(z * z / freedom) - 1))


def t_p_value(t: float, freedom: int) -> float:
    """Return the two-sided p-value of Student's t (Wallace 1959).

    >>> round(t_p_value(2.093, 19), 3)
    0.05
    """
    z = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t * t / freedom))
    return erfc(z / sqrt(2))
