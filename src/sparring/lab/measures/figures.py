"""Compute figures from counts, each with the variance of one match's contribution: of seats, and of items.

For items: how often each is drawn, held and played, and how often its seats win. Several seats of a match can have the
same item. So these figures are clustered by match: the contributions of matches are linearized (delta method), and
variances are taken over matches.
"""

from dataclasses import replace
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from sparring.bots import Bot, parse
from sparring.engine.errors import BadBot
from sparring.engine.game import Item
from sparring.engine.items import item_rules
from sparring.lab.stats import wilson

from .counts import LEAD_POINTS, Array, MatchColumn, MatchCounts, columns
from .match_plan import MatchPlan

#: Figures without meaning in games where no seat is ever ahead.
LEAD_FIGURES = ("lead changes", "ahead", "comeback", "drama", "behind", "open")

#: The outcomes of an item, in the order of `engine.compilation.counters`: drawn, held at the end, played.
OUTCOMES = ("drawn", "kept", "played")


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
    names = item_rules(plan.game).names(plan.setup)
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


#: The factor between the search budgets.
BUDGET_FACTOR = 10


def skill_plan(plan: MatchPlan) -> MatchPlan:
    """Return the plan with one bot at ten times the budget and all others like its first searching bot.

    Raises BadBot if no bot searches by iterations.
    """
    weaker = next((bot for bot in plan.bots if bot.iterations), None)
    if weaker is None:
        raise BadBot("Skill needs a bot that searches by iterations, such as search:iterations=300.")
    return replace(plan, bots=(_stronger(weaker), *[weaker] * (plan.seats - 1)))


def _stronger(bot: Bot) -> Bot:
    return parse(f"{bot.text.partition(':')[0]}:iterations={BUDGET_FACTOR * bot.iterations}")


def skill(plan: MatchPlan, counts: MatchCounts) -> Figure:
    """Return how much more often the first bot wins than each other bot: 0 is pure luck, 1 means it always wins."""
    names = [column.name for column in columns(plan)]
    k, n, others = names.index(f"wins/bot {plan.bot_names[0]}"), counts.matches, plan.seats - 1
    unit = columns(plan)[k].unit
    won, squares = int(counts.sums[k]) / unit, int(counts.squares[k]) / unit**2
    decided = n - int(counts.sums[names.index("draws")])
    # A match contributes the share of the first bot minus the mean share of the others; both are 0 in a draw.
    total = (plan.seats * won - decided) / others
    total_squares = (plan.seats**2 * squares - 2 * plan.seats * won + decided) / others**2
    value = total / n if n else 0.0
    variance = max(0.0, total_squares - n * value**2) / (n - 1) if n > 1 else 0.0
    return Figure("skill", n, value, variance, -1.0, 1.0)
