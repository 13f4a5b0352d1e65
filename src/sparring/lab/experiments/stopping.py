"""Accumulate the blocks of a study, decide when it stops, and compute intervals and tests for its results.

Fixed-sample intervals hold if the number of matches was fixed in advance: means get Wilson intervals (shares) or t
intervals; differences get the paired t-test. They are 1.5 to 2 times narrower than the confidence sequences that hold
at any time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import erfc, exp, log1p, sqrt
from typing import Any

import numpy as np

from sparring.engine.errors import BadOption, SparringError
from sparring.lab.measures import Figure, MatchColumn, MatchCounts, interval
from sparring.lab.stats import AsymptoticSequences, ConfidenceSequences

from .study import BlockSums, Study

Array = np.ndarray[Any, Any]

#: The family-wise error rate of all tests of a report together.
ALPHA = 0.05


class ColumnSequences:
    """Confidence sequences of all columns: `exact` ones for shares, `asymptotic` ones for everything else.

    Both have one entry per column in the last axis and the properties that are read here; `shares` is a boolean mask of
    the columns.
    """

    def __init__(self, shares: Array, exact: ConfidenceSequences, asymptotic: AsymptoticSequences) -> None:
        self._shares, self._exact, self._asymptotic = shares, exact, asymptotic

    def add(self, count: int, total: Array, squares: Array) -> None:
        """Add a chunk of values by their number, sum and sum of squares."""
        # The exact sequences skip the other columns: those values are not between 0 and 1.
        self._exact.add(count, np.where(self._shares, total, 0), np.where(self._shares, squares, 0))
        self._asymptotic.add(count, total, squares)

    @property
    def mean(self) -> Array:
        """The means so far."""
        return self._asymptotic.mean

    @property
    def aim(self) -> Array:
        """The target half-widths; 0 where there is none."""
        return self._select(self._exact.aim, self._asymptotic.aim)

    @property
    def half_width(self) -> Array:
        """The half-widths of the intervals."""
        return self._select(self._exact.half_width, self._asymptotic.half_width)

    def needed(self, half_width: Any) -> Array:
        """Estimate how many matches make the intervals this narrow."""
        return self._select(self._exact.needed(half_width), self._asymptotic.needed(half_width))

    @property
    def interval(self) -> tuple[Array, Array]:
        """The lower and upper ends of the intervals."""
        (low, high), (other_low, other_high) = self._exact.interval, self._asymptotic.interval
        return self._select(low, other_low), self._select(high, other_high)

    @property
    def is_precise(self) -> bool:
        """Whether every interval with an aim has reached it."""
        return bool((self.aim > 0).any() and (self.half_width <= self.aim)[self.aim > 0].all())

    @property
    def p(self) -> Array:
        """The anytime-valid p-values."""
        return self._select(self._exact.p, self._asymptotic.p)

    def _select(self, exact: Array, asymptotic: Array) -> Array:
        selected: Array = np.where(self._shares, exact, asymptotic)
        return selected


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
        self.shares = np.array([column.is_share for column in columns])
        shape, pairs = (variants, len(columns)), list(combinations(range(variants), 2))
        aim = np.where(requested, precision or 0.0, 0.0)
        self.means = ColumnSequences(
            self.shares,
            ConfidenceSequences(np.zeros(shape), 1.0, aim=np.where(self.shares, aim, 0.0)),
            AsymptoticSequences(shape, aim=np.where(self.shares, 0.0, aim)),
        )
        self.pairs, shape = pairs, (len(pairs), len(columns))
        self.differences = ColumnSequences(
            self.shares, ConfidenceSequences(np.full(shape, -1.0), 1.0, null=0.0), AsymptoticSequences(shape)
        )

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
        return float(self.means.needed(np.where(has_aim, aim, 1.0))[has_aim].max())

    @property
    def is_precise(self) -> bool:
        """Whether every requested interval has reached the precision."""
        return self.means.is_precise


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


#: The default precision (half-width of an interval) and time limit (seconds).
DEFAULT_PRECISION, DEFAULT_SECONDS = 0.01, 60.0


@dataclass(frozen=True)
class StoppingRule:
    """A stopping rule: stop at a precision of the `measures`, a number of matches, or a time in seconds.

    `ExperimentConfig` describes the fields.
    """

    measures: tuple[str, ...] = ()
    precision: float | None = None
    matches: int | None = None
    seconds: float | None = None
    #: Whether these are the defaults. A run that misses the default precision in the default time is complete.
    is_default: bool = False

    def validated(self, default_precision: float = DEFAULT_PRECISION) -> "StoppingRule":
        """Validate the rule and fill in the defaults; raise BadOption or SparringError."""
        if self.precision is not None and not 0 < self.precision < 0.5:
            raise BadOption(f"The precision must be more than 0 and less than 0.5, not {self.precision:g}.")
        if self.matches is not None and self.matches < 1:
            raise SparringError(f"The number of matches must be at least 1, not {self.matches}.")
        if self.precision is None and self.matches is None:
            return StoppingRule(
                self.measures, default_precision, None, self.seconds or DEFAULT_SECONDS, is_default=True
            )
        return self

    def requested_columns(self, study: Study, columns: Sequence[MatchColumn]) -> Array:
        """Return a boolean mask of the requested columns; raise BadOption for an unknown measure.

        The default is the wins of seats, and of bots if these differ.
        """
        for name in self.measures:
            if not any(_is_of(column.name, name) for column in columns):
                known = dict.fromkeys(column.name.partition("/")[0] for column in columns)
                raise BadOption(f'Unknown measure "{name}"; known measures are {", ".join(known)}.')
        usual = ("wins/seat", "wins/bot") if len(set(study.bots)) > 1 else ("wins/seat",)
        measures = self.measures or usual
        return np.array([any(_is_of(column.name, name) for name in measures) for column in columns])


def _is_of(column: str, name: str) -> bool:
    return column == name or column.startswith((f"{name}/", f"{name} "))


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
        """The verdict on each difference."""
        return np.where(self.corrected <= ALPHA, REAL, UNCLEAR)


def fixed_intervals(accumulator: Accumulator) -> FixedIntervals:
    """Return the fixed-sample intervals and tests of all columns."""
    low, high = ends = np.zeros((2, *accumulator.sums.shape))
    difference_low, difference_high, p = tests = np.zeros((3, len(accumulator.pairs), len(accumulator.columns)))
    for c, column in enumerate(accumulator.columns):
        sums, products = accumulator.sums[:, c], accumulator.products[c]
        for v, total in enumerate(sums):
            ends[:, v, c] = mean_interval(column, accumulator.matches, total, products[v, v])
        for k, (one, other) in enumerate(accumulator.pairs):
            squares = products[one, one] + products[other, other] - 2 * products[one, other]
            tests[:, k, c] = paired_t_test(column, accumulator.matches, sums[one] - sums[other], squares)
    return FixedIntervals(low, high, difference_low, difference_high, p, holm(p.ravel()).reshape(p.shape))


def mean_interval(column: MatchColumn, n: int, total: float, squares: float) -> tuple[float, float]:
    """Return the 95% interval of a mean from the sum and the sum of squares of `n` matches."""
    mean = total / n
    variance = max(squares - n * mean**2, 0.0) / (n - 1) if n > 1 else 0.0
    return interval(Figure(column.name, n, mean, variance, column.low, column.high), t_quantile(max(n - 1, 1)))


def paired_t_test(column: MatchColumn, n: int, total: float, squares: float) -> tuple[float, float, float]:
    """Return the 95% interval (low, high) of a mean paired difference and its p-value against 0.

    `total` and `squares` are the sum of the differences and of their squares over `n` matches. For shares, one
    difference of 1 and one of -1 are added (Bonett and Price, Adjusted Wald confidence interval for a difference of
    binomial proportions based on paired data, 2012). The p-value is at least that of the sign test, so that a few
    matches that all agree are not significant.
    """
    pseudo_counts = 2 if column.is_share else 0
    count, degrees = n + pseudo_counts, max(n + pseudo_counts - 1, 1)
    mean = total / count
    error = sqrt(max(squares + pseudo_counts - count * mean**2, 0.0) / (degrees * count))
    half_width = t_quantile(degrees) * error
    p = t_p_value(mean / error, degrees) if error else float(mean == 0)
    return mean - half_width, mean + half_width, min(max(p, 0.5 ** (n - 1)), 1.0)


def t_quantile(degrees: int) -> float:
    """Return the 97.5% quantile of Student's t (Wallace 1959, inverted; 0.5% off at 4 degrees of freedom).

    >>> round(t_quantile(19), 3)
    2.093
    """
    z = Z * (8 * degrees + 3) / (8 * degrees + 1)
    return sqrt(degrees * (exp(z * z / degrees) - 1))


def t_p_value(t: float, degrees: int) -> float:
    """Return the two-sided p-value of Student's t (Wallace 1959).

    >>> round(t_p_value(2.093, 19), 3)
    0.05
    """
    z = (8 * degrees + 1) / (8 * degrees + 3) * sqrt(degrees * log1p(t * t / degrees))
    return erfc(z / sqrt(2))
