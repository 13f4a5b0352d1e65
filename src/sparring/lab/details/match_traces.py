"""Play matches one by one and record who had which items, who won, and how the lead changed."""

from typing import Any, NamedTuple

import numpy as np

from sparring.engine.compilation.counters import DRAWN, INTERVAL, TURNS, blank_counters
from sparring.engine.game import Item
from sparring.engine.items import item_rules
from sparring.lab.measures.counts import row_length
from sparring.lab.measures.match_plan import MatchPlan
from sparring.lab.measures.play import match_player

Array = np.ndarray[Any, Any]

#: The most matches that are traced. Tracing is a little slower than counting.
MAX_TRACED = 5000


class MatchTraces(NamedTuple):
    """What happened in each match.

    `having` and `winning` have shape (matches, items), int8: the number of seats that drew an item, and of the winners
    among them. `won` has shape (matches, seats), bool. `leads` has one float array of shape (turns, seats) for each
    match: how close each seat was to winning (`ahead` in a game's `items.py`).
    """

    items: tuple[Item, ...]
    having: Array
    winning: Array
    won: Array
    leads: list[Array]


def trace(plan: MatchPlan, matches: int) -> MatchTraces:
    """Play the first `matches` matches of a plan, at most `MAX_TRACED`; items that always occur together count once."""
    count, seats = min(matches, MAX_TRACED), plan.seats
    items = item_rules(plan.game).names(plan.box)
    counters, play = blank_counters(plan.box), match_player(plan)
    having, winning = np.zeros((2, count, len(items)), np.int8)
    won, leads, row = np.zeros((count, seats), bool), [], np.zeros((1, row_length(plan)), np.int64)
    base = seats + 1
    for number in range(count):
        play(number, counters, row)
        cell = counters["cell"][DRAWN, : len(items)]
        having[number], winning[number] = cell // base**2, cell // base % base
        won[number] = row[0, :seats] > 0
        turns = (int(counters["now"][TURNS]) - 1) // int(counters["now"][INTERVAL]) + 1
        leads.append(counters["ahead"][:turns, :seats].copy())
    # An item that the same seats have in every match, such as a fighter's own ability, is the same item twice.
    _, kept = np.unique(np.concatenate([having, winning]), axis=1, return_index=True)
    kept.sort()
    return MatchTraces(tuple(items[index] for index in kept), having[:, kept], winning[:, kept], won, leads)
