"""Match-ups and pairs of items: how often one beats another, and how much more often both together win.

For pairs, a least-squares fit over all seats explains wins by single items; what a pair adds is the mean residual of
the seats that have both. Intervals are clustered by match and corrected for the number of pairs (Bonferroni).
"""

import math
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any

import numpy as np

from .measures.match_plan import MatchPlan
from .stats import corrected_z, wilson
from .traces import Array, Detail, MatchTraces, table_of, trace

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


#: The fewest seats with a pair, the most items (the most common ones) and the most pairs in the table.
MIN_SEATS, MAX_PAIRED_ITEMS, MAX_ROWS = 50, 60, 20

#: Keeps the least-squares fit stable where items always occur together.
RIDGE = 1.0

PAIRS_MEANING = (
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
    common = np.argsort(-has.sum(axis=0), kind="stable")[:MAX_PAIRED_ITEMS]
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
    return _detail(rows[:MAX_ROWS], _pair_sentences(rows) if rows else [_too_few_pairs(most, matches)])


def _too_few_pairs(most: int, matches: int) -> str:
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
    return Detail("pairs", "Pairs that win together", PAIRS_MEANING, table_of(heads, rows), sentences)


def _pair_sentences(rows: list[tuple[Any, ...]]) -> list[str]:
    marked = [row for row in rows if row[6]]
    if not marked:
        return [f"None of {len(rows):,} pairs of items clearly wins more or less together than apart."]
    told = [f"{row[0]} with {row[1]}: {100 * row[3]:+.0f} points" for row in marked[:3]]
    return [f"More or less together than apart: {'; '.join(told)}."]
