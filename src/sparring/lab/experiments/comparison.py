"""The results of an experiment as arrays, and as tables for files, data frames and the report."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sparring.engine.errors import SparringError
from sparring.lab.experiments.stopping import FixedIntervals, StoppingRule
from sparring.lab.measures import MatchColumn, MatchCounts, figures, interval, items, skill
from sparring.lab.traces import Detail

from .config import ExperimentConfig
from .study import Study
from .variants import Variant

#: The columns of the items table for each of drawn, kept and played.
ITEM_OUTCOME_COLUMNS = (
    "{}",
    "wins_when_{}",
    "wins_when_{}_low",
    "wins_when_{}_high",
    "lift_when_{}",
    "lift_when_{}_low",
    "lift_when_{}_high",
)

Array = np.ndarray[Any, Any]
Table = dict[str, Array]


@dataclass(frozen=True)
class Comparison:
    """The results of an experiment.

    Arrays are float64 with shape (variants, columns) for means and (pairs, columns) for differences. Shares are from 0
    to 1. ``low``, ``high``, ``p`` and the corresponding fields of differences are 95% confidence sequences and their
    p-values, which hold at any stopping time.
    """

    config: ExperimentConfig
    study: Study
    stopping_rule: StoppingRule
    columns: tuple[MatchColumn, ...]
    #: A boolean mask of the requested columns.
    requested: Array
    #: The number of matches of each variant, and the run time in seconds.
    matches: int
    seconds: float
    means: Array
    low: Array
    high: Array
    #: The indices of the two variants of each difference (first minus second).
    pairs: tuple[tuple[int, int], ...]
    differences: Array
    differences_low: Array
    differences_high: Array
    #: p-values of the differences: each alone, and corrected for all of them together (Holm 1979).
    p: Array
    corrected: Array
    #: Ordinary 95% intervals and tests, which hold if the number of matches was fixed in advance.
    fixed: FixedIntervals
    counts: tuple[MatchCounts, ...]
    #: With `skill`, the same variants with one bot that searches ten times as long as the others.
    skill_run: "Comparison | None" = None
    #: Why the run stopped early; empty if it did not.
    unfinished: str = ""
    #: The details of the first variant that the questions of the config need.
    details: tuple[Detail, ...] = ()
    #: The time to compile the rules (or load the compiled code) before the first match, which no time limit counts.
    preparation_seconds: float = 0.0

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The compared variants."""
        return self.study.variants

    @property
    def variants_without_value_model(self) -> list[str]:
        """The names of variants without a value model, if bots use one."""
        plans = zip(self.variants, self.study.plans, strict=True)
        return [variant.name for variant, plan in plans if plan.bots_without_value_model]

    @property
    def names(self) -> list[str]:
        """The names of the columns (measures)."""
        return [column.name for column in self.columns]

    @property
    def verdicts(self) -> Array:
        """The verdict on each difference (`REAL` or `UNCLEAR`), from the confidence sequences."""
        return self.anytime.verdicts

    @property
    def anytime(self) -> FixedIntervals:
        """The confidence sequences, which hold at any stopping time."""
        return FixedIntervals(self.low, self.high, self.differences_low, self.differences_high, self.p, self.corrected)

    @property
    def fixed_in_advance(self) -> bool:
        """Whether the number of matches was fixed in advance and all of them were played."""
        return self.stopping_rule.precision is None and self.matches == self.stopping_rule.matches

    @property
    def valid(self) -> FixedIntervals:
        """The intervals to use: `fixed` if the number of matches was fixed in advance, otherwise `anytime`."""
        return self.fixed if self.fixed_in_advance else self.anytime

    @cached_property
    def tables(self) -> dict[str, dict[str, Array]]:
        """All results as tables: a dict of columns (arrays) for each name."""
        return tables_of(self)

    def frame(self, table: str) -> Any:
        """Return a table as a pandas or polars data frame.

        Raises SparringError if neither library is installed.
        """
        for library in ("pandas", "polars"):
            try:
                return __import__(library).DataFrame(self.tables[table])
            except ImportError:
                continue
        raise SparringError("Data frames need pandas or polars; `tables` has the same data as arrays.")


def tables_of(comparison: Comparison) -> dict[str, Table]:
    """Return all tables of a comparison by name (see `Comparison.tables`)."""
    tables = {
        "measures": _measures(comparison), "figures": _figures(comparison), "items": _items(comparison),
        "lengths": _lengths(comparison),
    }  # fmt: skip
    if comparison.pairs:
        tables["differences"] = _differences(comparison)
    tables |= {detail.name: detail.table for detail in comparison.details}
    if comparison.skill_run:
        tables["skill"] = _skill(comparison.skill_run)
    return tables


def _table(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Table:
    return {column: np.array([row[index] for row in rows]) for index, column in enumerate(columns)}


def _measures(comparison: Comparison) -> Table:
    """Tabulate the mean of each measure and variant with its confidence sequence and ordinary interval."""
    heads = "variant", "measure", "matches", "mean", "low", "high", "asked", "fixed_low", "fixed_high"
    arrays, fixed = (comparison.means, comparison.low, comparison.high), comparison.fixed
    rows = [
        (variant.name, column.name, comparison.matches, *(float(array[v, c]) for array in arrays),
         bool(comparison.requested[c]), float(fixed.low[v, c]), float(fixed.high[v, c]))
        for v, variant in enumerate(comparison.variants)
        for c, column in enumerate(comparison.columns)
    ]  # fmt: skip
    return _table(heads, rows)


def _differences(comparison: Comparison) -> Table:
    """Tabulate the paired differences with confidence sequences and with the ordinary test."""
    test_columns = "low", "high", "p", "corrected", "verdict"
    heads = "variant", "other", "measure", "difference", *test_columns, *(f"fixed_{head}" for head in test_columns)
    names = [variant.name for variant in comparison.variants]
    rows = [
        (names[one], names[other], column, float(comparison.differences[k, c]),
         *_test_columns(comparison.anytime, k, c), *_test_columns(comparison.fixed, k, c))
        for k, (one, other) in enumerate(comparison.pairs)
        for c, column in enumerate(comparison.names)
    ]  # fmt: skip
    return _table(heads, rows)


def _test_columns(by: FixedIntervals, k: int, c: int) -> tuple[float | str, ...]:
    numbers = by.differences_low, by.differences_high, by.p, by.corrected
    return *(float(array[k, c]) for array in numbers), str(by.verdicts[k, c])


def _figures(comparison: Comparison) -> Table:
    """Tabulate all other figures with ordinary intervals, which hold for a fixed number of matches."""
    heads = "variant", "figure", "n", "value", "low", "high"
    rows = []
    for variant, plan, counts in zip(comparison.variants, comparison.study.plans, comparison.counts, strict=True):
        for name, figure in figures(plan, counts).items():
            if name not in comparison.names:
                rows.append((variant.name, name, figure.n, figure.value, *interval(figure)))
    return _table(heads, rows)


def _items(comparison: Comparison) -> Table:
    """Tabulate for each item the seats that drew, kept or played it, and their wins, with ordinary intervals."""
    names = ("drawn", "kept", "played")
    columns = [head.format(outcome) for outcome in names for head in ITEM_OUTCOME_COLUMNS]
    rows = []
    for variant, plan, counts in zip(comparison.variants, comparison.study.plans, comparison.counts, strict=True):
        for one in items(plan, counts):
            outcomes = [getattr(one, outcome) for outcome in names]
            numbers = [
                number
                for outcome in outcomes
                for number in (
                    outcome.seats.value,
                    outcome.wins.value,
                    *interval(outcome.wins),
                    outcome.lift.value,
                    *interval(outcome.lift),
                )
            ]
            rows.append((variant.name, one.item.sort, one.item.name, one.plays, *numbers))
    return _table(("variant", "sort", "item", "plays", *columns), rows)


def _skill(ladder: "Comparison") -> Table:
    """Tabulate how often the bot with ten times the budget wins, and its lead over each other bot."""
    stronger = ladder.names.index(f"wins/bot {ladder.study.bots[0]}")
    rows = []
    for v, (variant, plan, counts) in enumerate(zip(ladder.variants, ladder.study.plans, ladder.counts, strict=True)):
        wins = (float(array[v, stronger]) for array in (ladder.means, ladder.low, ladder.high))
        figure = skill(plan, counts)
        rows.append(
            (
                variant.name,
                ladder.study.bots[0],
                ladder.study.bots[1],
                ladder.matches,
                *wins,
                figure.value,
                *interval(figure),
            )
        )
    return _table(
        ("variant", "bot", "against", "matches", "wins", "low", "high", "skill", "skill_low", "skill_high"), rows
    )


def _lengths(comparison: Comparison) -> Table:
    """Tabulate the histogram of match lengths."""
    rows = [
        (variant.name, what, length, int(matches))
        for variant, counts in zip(comparison.variants, comparison.counts, strict=True)
        for what, histogram in counts.lengths.items()
        for length, matches in enumerate(histogram)
        if matches
    ]
    return _table(("variant", "unit", "length", "matches"), rows)
