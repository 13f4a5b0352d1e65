"""Match-ups: how often the seat with one item beats the seat with another one of the same sort."""

import math
from collections.abc import Sequence
from itertools import permutations

import numpy as np

from sparring.lab.measures.match_plan import MatchPlan
from sparring.lab.stats.intervals import corrected_z, wilson

from .detail import Array, Detail, table_of
from .match_traces import MatchTraces, trace

#: The most items of a sort in the matrix, those that occur most often, and the fewest matches of a match-up.
MAX_ITEMS, MIN_MATCHES = 16, 20

MEANING = (
    "Each row shows how often the seat with that item beats the seat with the item in the column. Bold match-ups "
    "differ from 50% even after a correction for their number (Bonferroni). Intervals: Wilson, 95%."
)


def match_ups(plan: MatchPlan, matches: int) -> Detail:
    """Measure all match-ups between items of the same sort."""
    traces = trace(plan, matches)
    counted = [
        (sort, a, b, *_counts(traces, a, b))
        for sort in dict.fromkeys(item.sort for item in traces.items)
        for a, b in permutations(_most_common(traces, sort), 2)
    ]
    known = [row for row in counted if row[4] >= MIN_MATCHES]
    z, rows = corrected_z(len(known) // 2), []
    for sort, a, b, wins, n in known:
        low, high = wilson(wins, n, z)
        marked = low > 0.5 or high < 0.5
        names = traces.items[a].name, traces.items[b].name
        rows.append((sort, *names, n, wins / n, *wilson(wins, n), marked))
    heads = "sort", "item", "against", "matches", "wins", "low", "high", "marked"
    most = max((row[4] for row in counted), default=0)
    told = _sentences(rows) if rows else [_too_few(most, matches)]
    return Detail("match-ups", "Match-ups", MEANING, table_of(heads, rows), told)


def _too_few(most: int, matches: int) -> str:
    """Say how many matches a match-up needs; the most common one has had `most`."""
    if not most:
        return "No match had two seats with different items, so there are no match-ups to show."
    return (
        f"Too few matches to tell: the most common match-up came up {most} times and needs {MIN_MATCHES}, so about "
        f"{math.ceil(matches * MIN_MATCHES / most):,} matches would show a first one."
    )


def _most_common(traces: MatchTraces, sort: str) -> list[int]:
    """Return the items of a sort that occur in the most matches, in the order of the game."""
    indices = [index for index, item in enumerate(traces.items) if item.sort == sort]
    common = sorted(indices, key=lambda index: -int((traces.having[:, index] > 0).sum()))[:MAX_ITEMS]
    return sorted(common)


def _counts(traces: MatchTraces, a: int, b: int) -> tuple[int, int]:
    """Return the matches that a seat with only `a` won against a seat with only `b`, and those that either won.

    Only matches with one winner count in which at most one seat has each item, so that it is known who has it.
    """
    having, winning = traces.having, traces.winning
    single = (having[:, a] == 1) & (having[:, b] == 1) & (traces.won.sum(axis=1) == 1)
    first = single & (winning[:, a] == 1) & (winning[:, b] == 0)
    second = single & (winning[:, b] == 1) & (winning[:, a] == 0)
    return int(first.sum()), int(first.sum() + second.sum())


def _sentences(rows: Sequence[tuple[str, str, str, int, float, float, float, bool]]) -> list[str]:
    best = sorted((row for row in rows if row[7] and row[4] > 0.5), key=lambda row: -row[4])
    if not best:
        return ["No match-up differs clearly from 50%."]
    told = [
        f"{row[1]} beats {row[2]} in {100 * row[4]:.0f}% ({100 * row[5]:.0f} to {100 * row[6]:.0f})" for row in best
    ]
    return [f"{'; '.join(told[:3])}.", f"{len(best)} of {len(rows) // 2} match-ups differ clearly from 50%."]


def matrix(detail: Detail, sort: str) -> tuple[list[str], Array, Array]:
    """Return the items of a sort, and the wins (NaN: unknown) and marks as square arrays."""
    chosen = detail.table["sort"] == sort
    names = list(dict.fromkeys(detail.table["item"][chosen].tolist()))
    wins, marks = np.full((len(names), len(names)), np.nan), np.zeros((len(names), len(names)), bool)
    for item, against, value, marked in zip(
        *(detail.table[head][chosen].tolist() for head in ("item", "against", "wins", "marked")), strict=True
    ):
        place = names.index(item), names.index(against)
        wins[place], marks[place] = value, marked
    return names, wins, marks
