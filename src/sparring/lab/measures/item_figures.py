"""Compute for each item how often it is drawn, held and played, and how often its seats win.

Several seats of a match can have the same item. So all figures are clustered by match: the contributions of matches are
linearized (delta method), and variances are taken over matches.
"""

from typing import Any, NamedTuple

import numpy as np

from sparring.engine.game import Item
from sparring.engine.items import item_rules
from sparring.lab.measures.match_plan import MatchPlan

from .counts import Array, MatchCounts
from .figures import Figure

#: The outcomes of an item, in the order of `engine.compilation.counters`: drawn, held at the end, played.
OUTCOMES = ("drawn", "kept", "played")


class ItemOutcome(NamedTuple):
    """The seats that drew, held or played an item.

    `seats` is their share of all seats, `wins` their win rate, and `lift` their win rate minus that of all seats.
    """

    seats: Figure
    wins: Figure
    lift: Figure


class ItemFigures(NamedTuple):
    """The outcomes of an item; `plays` counts how often it was played in all matches."""

    item: Item
    plays: int
    drawn: ItemOutcome
    kept: ItemOutcome
    played: ItemOutcome


def items(plan: MatchPlan, counts: MatchCounts) -> tuple[ItemFigures, ...]:
    """Return the figures of each item, in the order of the game."""
    names = item_rules(plan.game).names(plan.box)
    numbers_by_outcome = [_numbers(plan.seats, counts, which) for which in range(len(OUTCOMES))]
    result = []
    for number, item in enumerate(names):
        outcomes = [
            ItemOutcome(
                _figure(f"items/{item}/{outcome}", numbers, "seats", number, 0.0, 1.0),
                _figure(f"items/{item}/wins when {outcome}", numbers, "wins", number, 0.0, 1.0),
                _figure(f"items/{item}/lift when {outcome}", numbers, "lift", number, -1.0, 1.0),
            )
            for outcome, numbers in zip(OUTCOMES, numbers_by_outcome, strict=True)
        ]
        result.append(ItemFigures(item, int(counts.item_plays[number]), *outcomes))
    return tuple(result)


def _figure(name: str, numbers: dict[str, Any], which: str, item: int, low: float, high: float) -> Figure:
    n, value, variance = (each[item] for each in numbers[which])
    return Figure(name, int(n), float(value), float(variance), low, high)


def _numbers(seats: int, counts: MatchCounts, outcome: int) -> dict[str, tuple[Array, Array, Array]]:
    """Return the numbers of `seats`, `wins` and `lift` for an outcome (an index into OUTCOMES).

    Each is a tuple of arrays with one entry per item: the contributing matches, the value, and the variance of one
    match's contribution.
    """
    n, cells = counts.matches, counts.item_outcomes[:, outcome, :].astype(float)
    on, winners_on, winners = (axis.ravel().astype(float) for axis in np.indices((seats + 1,) * 3))
    won = np.divide(winners_on, winners, out=np.zeros_like(on), where=winners > 0)
    field_of_cell = (winners > 0) / seats
    decided = n - int(counts.sums[3 * seats])
    field = decided / (n * seats) if n else 0.0
    seen = cells.sum(axis=1)
    share = cells @ on / max(n * seats, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        wins = np.where(seen > 0, cells @ won / (cells @ on), 0.0)
        scale = np.where(seen > 0, seen / (cells @ on), 0.0)[:, None]
    # Contributions minus their means; matches without the item contribute to the overall win rate only.
    of_seats = on / seats - share[:, None]
    of_wins = (won - wins[:, None] * on) * scale
    of_lift = of_wins * (n / np.maximum(seen, 1))[:, None] - (field_of_cell - field)
    unseen_decided = decided - cells[:, winners > 0].sum(axis=1)
    unseen = n - seen
    off_field = unseen_decided * (1 / seats - field) ** 2 + (unseen - unseen_decided) * field**2
    spread = max(n - 1, 1)
    some = np.maximum(seen - 1, 1)
    counted = np.full(len(seen), n)
    return {
        "seats": (counted, share, ((cells * of_seats**2).sum(axis=1) + unseen * share**2) / spread),
        "wins": (seen, wins, (cells * of_wins**2).sum(axis=1) / some),
        "lift": (
            np.where(seen > 0, n, 0), np.where(seen > 0, wins - field, 0.0),
            ((cells * of_lift**2).sum(axis=1) + off_field) / spread,
        ),
    }  # fmt: skip
