"""Compute figures from counts, each with the variance of one match's contribution."""

from math import sqrt
from typing import NamedTuple

from sparring.lab.measures.match_plan import MatchPlan
from sparring.lab.stats.intervals import wilson

from .counts import LEAD_POINTS, MatchColumn, MatchCounts, columns

#: Figures without meaning in games where no seat is ever ahead.
LEAD_FIGURES = ("lead changes", "ahead", "comeback", "drama", "behind", "open")


class Figure(NamedTuple):
    """A value estimated from the `n` matches that contribute to it.

    `variance` is that of one match's contribution, so the standard error is sqrt(variance / n). ``low`` and ``high``
    bound one contribution; None means unbounded.
    """

    name: str
    n: int
    value: float
    variance: float
    low: float | None = None
    high: float | None = None

    @property
    def group(self) -> str:
        """The part of the name before the slash, such as `wins` of `wins/seat 1`."""
        return self.name.partition("/")[0]


def figures(plan: MatchPlan, counts: MatchCounts) -> dict[str, Figure]:
    """Return all figures of whole matches by name: columns, kinds of choices, and lost leads."""
    result = {column.name: _column(column, counts, k) for k, column in enumerate(columns(plan))}
    result |= kinds(plan, counts)
    for when in LEAD_POINTS:
        result[f"lead lost/{when}"] = _share(f"lead lost/{when}", result[f"comeback/{when}"], result[f"ahead/{when}"])
    if any(figure.value for name, figure in result.items() if name.startswith("ahead/")):
        return result
    return {name: figure for name, figure in result.items() if figure.group not in (*LEAD_FIGURES, "lead lost")}


def _column(column: MatchColumn, counts: MatchCounts, k: int) -> Figure:
    n, unit = counts.matches, column.unit
    total, squares = int(counts.sums[k]), int(counts.squares[k])
    mean = total / (n * unit) if n else 0.0
    variance = (n * squares - total * total) / (n * (n - 1) * unit * unit) if n > 1 else 0.0
    return Figure(column.name, n, mean, variance, column.low, column.high)


def _share(name: str, some: Figure, of: Figure) -> Figure:
    """Return the share of the matches counted by `of` that `some` counts too."""
    n = round(of.value * of.n)
    share = some.value / of.value if n else 0.0
    return Figure(name, n, share, share * (1 - share) * n / (n - 1) if n > 1 else 0.0, 0.0, 1.0)


def interval(figure: Figure, z: float = 1.96) -> tuple[float, float]:
    """Return the confidence interval of a figure (95% for z = 1.96). It holds for a fixed number of matches.

    A share gets a Wilson interval with the effective number of matches that its variance implies; other figures get a
    normal interval.
    """
    value, variance = figure.value, figure.variance
    if (figure.low, figure.high) == (0.0, 1.0) and (variance or value in (0.0, 1.0)):
        effective_n = value * (1 - value) / variance * figure.n if variance else figure.n
        return wilson(value * effective_n, effective_n, z)
    half_width = z * sqrt(variance / figure.n) if figure.n else 0.0
    return value - half_width, value + half_width


def kinds(plan: MatchPlan, counts: MatchCounts) -> dict[str, Figure]:
    """Return the share of all choices that are of each kind (a block of action numbers), for kinds that occurred.

    It is a ratio of sums, so its variance is linearized (delta method): a match contributes its choices of the kind
    minus the share times its number of choices.
    """
    n, c = counts.matches, [column.name for column in columns(plan)].index("length/choices")
    choices, squares = int(counts.sums[c]), int(counts.squares[c])
    shares = {}
    for k, block in enumerate(plan.game.rules.ACTIONS.blocks):
        count = int(counts.kinds[:, k].sum())
        if count:
            share = count / choices
            spread = int(counts.kind_squares[k]) - 2 * share * int(counts.kind_products[k]) + share**2 * squares
            variance = max(0.0, spread) * n**2 / (choices**2 * (n - 1)) if n > 1 else 0.0
            name = f"kind/{block.replace('_', ' ')}"
            shares[name] = Figure(name, n, share, variance, 0.0, 1.0)
    return shares
