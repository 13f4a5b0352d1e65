"""The result of one detail, matches played one by one for it, and their tension from the start to the end.

The win probability of a seat follows from its lead (`progress` in the game's `items.py`, compared with its best
opponent) at the same point of other matches: the share of wins among the tenth of seats with the most similar leads.
Odd matches are estimated from even ones and the other way round, so that no match predicts itself. The curve and lead
changes are measures of drama and uncertainty as in C. Browne, Automatic Generation and Evaluation of Recombination
Games (2008).
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparring.engine.compilation.counters import DRAWN, INTERVAL, TURNS, blank_counters
from sparring.engine.game import Item
from sparring.engine.items import item_rules

from .measures.counts import match_player, row_length
from .measures.match_plan import MatchPlan

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Detail:
    """A table (arrays by column name), sentences that say what was found, and what the table and its plot show."""

    name: str
    title: str
    meaning: str
    table: dict[str, Array]
    sentences: list[str]


def table_of(columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> dict[str, Array]:
    """Return a table from rows."""
    return {column: np.array([row[index] for row in rows]) for index, column in enumerate(columns)}


#: The most matches that are traced. Tracing is a little slower than counting.
MAX_TRACED = 5000


class MatchTraces(NamedTuple):
    """What happened in each match.

    `having` and `winning` have shape (matches, items), int8: the number of seats that drew an item, and of the winners
    among them. `won` has shape (matches, seats), bool. `leads` has one float array of shape (turns, seats) for each
    match: how close each seat was to winning (`progress` in a game's `items.py`).
    """

    items: tuple[Item, ...]
    having: Array
    winning: Array
    won: Array
    leads: list[Array]


def trace(plan: MatchPlan, matches: int) -> MatchTraces:
    """Play the first `matches` matches of a plan, at most `MAX_TRACED`; items that always occur together count once."""
    count, seats = min(matches, MAX_TRACED), plan.seats
    items = item_rules(plan.game).names(plan.setup)
    counters, play = blank_counters(plan.setup), match_player(plan)
    having, winning = np.zeros((2, count, len(items)), np.int8)
    won, leads, row = np.zeros((count, seats), bool), [], np.zeros((1, row_length(plan)), np.int64)
    base = seats + 1
    for number in range(count):
        play(number, counters, row)
        cell = counters["cell"][DRAWN, : len(items)]
        having[number], winning[number] = cell // base**2, cell // base % base
        won[number] = row[0, :seats] > 0
        turns = (int(counters["now"][TURNS]) - 1) // int(counters["now"][INTERVAL]) + 1
        leads.append(counters["progress"][:turns, :seats].copy())
    # An item that the same seats have in every match, such as a fighter's own ability, is the same item twice.
    _, kept = np.unique(np.concatenate([having, winning]), axis=1, return_index=True)
    kept.sort()
    return MatchTraces(tuple(items[index] for index in kept), having[:, kept], winning[:, kept], won, leads)


#: The points of a match at which the curve is drawn, and the groups of similar leads.
POINTS, GROUPS = 21, 10

#: The fewest decided matches.
MIN_MATCHES = 100

MEANING = (
    "How likely the eventual winner was to win, judged by its lead at that point of the match: the mean of all matches "
    "with its 95% interval, and the middle 80% of matches. A curve that rises late means that matches stay open."
)


def tension(plan: MatchPlan, matches: int) -> Detail:
    """Measure the win probability of the eventual winner over the match."""
    traces = trace(plan, matches)
    decided = np.flatnonzero(traces.won.sum(axis=1) == 1)
    heads = "progress", "mean", "low", "high", "tenth", "ninetieth", "matches"
    if why := _why_none(traces, len(decided)):
        return Detail("tension", "Tension", MEANING, table_of(heads, []), [why])
    curves = np.stack([_at(traces, decided, point) for point in np.linspace(0, 1, POINTS)])
    rows = []
    for progress, values in zip(np.linspace(0, 1, POINTS), curves, strict=True):
        half = 1.96 * values.std(ddof=1) / np.sqrt(len(values))
        low, high = np.quantile(values, [0.1, 0.9])
        rows.append((progress, values.mean(), values.mean() - half, values.mean() + half, low, high, len(values)))
    return Detail("tension", "Tension", MEANING, table_of(heads, rows), _sentences(curves, traces, decided))


def _why_none(traces: MatchTraces, decided: int) -> str:
    """Return why there is no tension curve; empty if there is one."""
    if not any(lead.any() for lead in traces.leads):
        return "There is no tension curve: the game doesn't say who is ahead."
    if decided >= MIN_MATCHES:
        return ""
    return f"Too few matches for the tension curve: it needs {MIN_MATCHES} with a single winner, and has {decided}."


def _leads(traces: MatchTraces, decided: Array, progress: float) -> Array:
    """Return the lead of every seat over its best opponent at a point of each match, shape (matches, seats)."""
    now = np.stack([traces.leads[match][round(progress * (len(traces.leads[match]) - 1))] for match in decided])
    others = np.stack([np.delete(now, seat, axis=1).max(axis=1) for seat in range(now.shape[1])], axis=1)
    lead: Array = now - others
    return lead


def _at(traces: MatchTraces, decided: Array, progress: float) -> Array:
    """Return the win probability of the eventual winner of each match at a point of the match."""
    leads, won = _leads(traces, decided, progress), traces.won[decided]
    values = np.zeros(len(decided))
    for half in (0, 1):
        known, judged = np.arange(len(decided)) % 2 == half, np.arange(len(decided)) % 2 != half
        edges = np.unique(np.quantile(leads[known], np.linspace(0, 1, GROUPS + 1)[1:-1]))
        group = np.searchsorted(edges, leads[known].ravel(), side="right")
        wins = np.bincount(group, won[known].ravel(), len(edges) + 1) + 1 / won.shape[1]
        rate = wins / (np.bincount(group, minlength=len(edges) + 1) + 1)
        winners = leads[judged][won[judged]]
        values[judged] = rate[np.searchsorted(edges, winners, side="right")]
    return values


def _sentences(curves: Array, traces: MatchTraces, decided: Array) -> list[str]:
    """Say when the winner becomes likely, and how often the lead changes."""
    means = curves.mean(axis=1)
    reached = np.flatnonzero(means >= 0.75)
    sentences = [
        f"Halfway through the match, the eventual winner has a chance of {100 * means[POINTS // 2]:.0f}% on average."
    ]
    if len(reached):
        sentences.append(f"It reaches 75% after {100 * reached[0] / (POINTS - 1):.0f}% of the match.")
    changes = np.array([_lead_changes(traces.leads[match]) for match in decided])
    half = 1.96 * changes.std(ddof=1) / np.sqrt(len(changes))
    return [*sentences, f"The lead changes {changes.mean():.1f} times (± {half:.1f})."]


def _lead_changes(lead: Array) -> int:
    """Return how often another seat takes the lead; ties keep the last leader."""
    best = lead.max(axis=1, keepdims=True)
    alone = (lead == best).sum(axis=1) == 1
    leaders = lead.argmax(axis=1)[alone]
    return int((np.diff(leaders) != 0).sum())
