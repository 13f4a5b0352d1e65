"""Figures read from counts: a value, and how much one match varies what it says."""

from math import sqrt
from typing import NamedTuple

from sparring.lab.plan import Plan

from .counts import Column, Counts, columns


class Figure(NamedTuple):
    """A value estimated from `n` matches.

    `variance` is that of what one match adds, so that the standard error is the root of variance / n. `low` and `high`
    bound what one match can say, where there are bounds.
    """

    name: str
    n: int
    value: float
    variance: float
    low: float | None = None
    high: float | None = None

    @property
    def group(self) -> str:
        """What it is one of: `wins` of `wins/seat 1`."""
        return self.name.partition("/")[0]


def figures(plan: Plan, counts: Counts) -> dict[str, Figure]:
    """All figures by name, in the order in which somebody would read them."""
    found = [_column(column, counts, k) for k, column in enumerate(columns(plan))]
    return {figure.name: figure for figure in found}


def _column(column: Column, counts: Counts, k: int) -> Figure:
    n, unit = counts.matches, column.unit
    total, squares = int(counts.sums[k]), int(counts.squares[k])
    mean = total / (n * unit) if n else 0.0
    variance = (n * squares - total * total) / (n * (n - 1) * unit * unit) if n > 1 else 0.0
    return Figure(column.name, n, mean, variance, column.low, column.high)


def interval(figure: Figure, z: float = 1.96) -> tuple[float, float]:
    """Where the true value lies: with 95% certainty for z = 1.96, if the number of matches was fixed before."""
    reach = z * sqrt(figure.variance / figure.n) if figure.n else 0.0
    return figure.value - reach, figure.value + reach
