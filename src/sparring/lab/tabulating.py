"""What a comparison found, as tables: for files, for frames, for the report."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .measures import figures, interval

if TYPE_CHECKING:
    from .comparing import Comparison

Array = np.ndarray[Any, Any]
Table = dict[str, Array]


def tables_of(found: "Comparison") -> dict[str, Table]:
    """All tables by name."""
    tables = {"measures": _measures(found), "figures": _figures(found), "lengths": _lengths(found)}
    if found.pairs:
        tables["differences"] = _differences(found)
    return tables


def _table(heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> Table:
    return {head: np.array([row[place] for row in rows]) for place, head in enumerate(heads)}


def _measures(found: "Comparison") -> Table:
    """The mean of each measure in each variant, with the interval that holds whenever one looks."""
    heads = "variant", "measure", "matches", "mean", "low", "high", "asked"
    rows = [
        (variant.name, column.name, found.matches, *(float(of[v, c]) for of in (found.means, found.low, found.high)),
         bool(found.asked[c]))
        for v, variant in enumerate(found.variants)
        for c, column in enumerate(found.columns)
    ]  # fmt: skip
    return _table(heads, rows)


def _differences(found: "Comparison") -> Table:
    """The first variant minus the second, match by match."""
    heads = "variant", "other", "measure", "difference", "low", "high", "p", "corrected", "verdict"
    names = [variant.name for variant in found.variants]
    arrays = found.differences, found.differences_low, found.differences_high, found.p, found.corrected
    rows = [
        (names[one], names[other], column, *(float(of[k, c]) for of in arrays), str(found.verdicts[k, c]))
        for k, (one, other) in enumerate(found.pairs)
        for c, column in enumerate(found.names)
    ]
    return _table(heads, rows)


def _figures(found: "Comparison") -> Table:
    """Everything else that was counted, with usual intervals: they hold for this number of matches only."""
    heads = "variant", "figure", "n", "value", "low", "high"
    rows = []
    for variant, plan, counts in zip(found.variants, found.study.plans, found.counts, strict=True):
        for name, figure in figures(plan, counts).items():
            if name not in found.names:
                rows.append((variant.name, name, figure.n, figure.value, *interval(figure)))
    return _table(heads, rows)


def _lengths(found: "Comparison") -> Table:
    """How many matches were how long."""
    rows = [
        (variant.name, what, length, int(matches))
        for variant, counts in zip(found.variants, found.counts, strict=True)
        for what, histogram in counts.lengths.items()
        for length, matches in enumerate(histogram)
        if matches
    ]
    return _table(("variant", "unit", "length", "matches"), rows)
