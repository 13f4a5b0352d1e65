"""Pairs of items: how much more often seats that drew both win than the items' separate effects explain.

A least-squares fit over all seats explains wins by single items; what a pair adds is the mean residual of the seats
that have both. Intervals are clustered by match and corrected for the number of pairs (Bonferroni).
"""

import math
from itertools import combinations
from typing import Any

import numpy as np

from sparring.lab.measures.match_plan import MatchPlan
from sparring.lab.stats.intervals import corrected_z

from .detail import Detail, table_of
from .match_traces import MatchTraces, trace

Array = np.ndarray[Any, Any]

#: The fewest seats with a pair, the most items (the most common ones) and the most pairs in the table.
MIN_SEATS, MAX_ITEMS, MAX_ROWS = 50, 60, 20

#: Keeps the least-squares fit stable where items always occur together.
RIDGE = 1.0

MEANING = (
    "How much more often seats win with both items than their separate effects explain, in the pairs that differ most. "
    "Intervals: 95%, clustered by match and corrected for the number of pairs (Bonferroni)."
)


def pairs(plan: MatchPlan, matches: int) -> Detail:
    """Measure the interaction of all pairs of items in matches of two seats."""
    if plan.seats != 2:
        return _detail([], ["Pairs of items are measured in matches of two seats."])
    traces = trace(plan, matches)
    has, wins = _seats(traces)
    if not len(wins):
        return _detail([], ["No match had a single winner, so there is nothing to tell about pairs of items."])
    common = np.argsort(-has.sum(axis=0), kind="stable")[:MAX_ITEMS]
    common = np.sort(common[(has[:, common].mean(axis=0) > 0) & (has[:, common].mean(axis=0) < 1)])
    rest = _unexplained(has[:, common], wins)
    together = has[:, common].T @ has[:, common]
    known = [(a, b) for a, b in combinations(range(len(common)), 2) if together[a, b] >= MIN_SEATS]
    z, rows = corrected_z(len(known)), []
    for a, b in known:
        both = has[:, common[a]] * has[:, common[b]]
        n, extra = together[a, b], float((both * rest).sum() / together[a, b])
        by_match = (both * (rest - extra)).reshape(2, -1).sum(axis=0)
        half = z * float(np.sqrt((by_match**2).sum())) / n
        names = (traces.items[common[index]].name for index in (a, b))
        rows.append((*names, int(n), extra, extra - half, extra + half, abs(extra) > half))
    rows.sort(key=lambda row: -abs(row[3]) / max(row[5] - row[3], 1e-9))
    most = max((int(together[a, b]) for a, b in combinations(range(len(common)), 2)), default=0)
    return _detail(rows[:MAX_ROWS], _sentences(rows) if rows else [_too_few(most, matches)])


def _too_few(most: int, matches: int) -> str:
    """Say how many matches a pair needs; the most common one was drawn by `most` seats."""
    if not most:
        return "No seat drew two items that other seats don't have, so there are no pairs to compare."
    return (
        f"Too few matches to tell which pairs of items win together: the most common pair was drawn by {most} seats "
        f"and needs {MIN_SEATS}, so about {math.ceil(matches * MIN_SEATS / most):,} matches would judge a first one."
    )


def _seats(traces: MatchTraces) -> tuple[Array, Array]:
    """Return which items each seat has, shape (2 x matches, items), and whether it won (winners first)."""
    decided = traces.won.sum(axis=1) == 1
    winner, loser = traces.winning[decided], (traces.having - traces.winning)[decided]
    has = np.concatenate([winner, loser]).astype(float)
    return has, np.repeat([1.0, 0.0], len(winner))


def _unexplained(has: Array, wins: Array) -> Array:
    """Return the residuals: wins minus what single items explain."""
    centred = has - has.mean(axis=0)
    weights = np.linalg.solve(centred.T @ centred + RIDGE * np.eye(has.shape[1]), centred.T @ (wins - wins.mean()))
    rest: Array = wins - wins.mean() - centred @ weights
    return rest


def _detail(rows: list[tuple[Any, ...]], sentences: list[str]) -> Detail:
    heads = "item", "other", "seats", "extra", "low", "high", "marked"
    return Detail("pairs", "Pairs that win together", MEANING, table_of(heads, rows), sentences)


def _sentences(rows: list[tuple[Any, ...]]) -> list[str]:
    marked = [row for row in rows if row[6]]
    if not marked:
        return [f"None of {len(rows):,} pairs of items clearly wins more or less together than apart."]
    told = [f"{row[0]} with {row[1]}: {100 * row[3]:+.0f} points" for row in marked[:3]]
    return [f"More or less together than apart: {'; '.join(told)}."]
