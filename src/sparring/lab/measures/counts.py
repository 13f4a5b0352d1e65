"""Sums of many matches, which can be added; and what is known of each match, column by column."""

from dataclasses import dataclass, field, fields
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from sparring.engine.compilation.counters import FATES, WHOLE, blank_sheet, payoff_unit
from sparring.engine.items import asked
from sparring.lab.experiments.match_plan import MatchPlan

Array = np.ndarray[Any, Any]

#: In what a match is long.
LENGTHS = ("choices", "turns", "rounds")
#: When it is asked who is ahead.
WHEN = ("a quarter", "half", "three quarters")


class MatchColumn(NamedTuple):
    """What is known of each match: a whole number, in parts of which `unit` are 1; and its bounds, where it has any."""

    name: str
    unit: int = 1
    low: float | None = 0.0
    high: float | None = None

    @property
    def group(self) -> str:
        """What it is one of: `wins` of `wins/seat 1`."""
        return self.name.partition("/")[0]

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1 and is told in percent."""
        return (self.low, self.high) == (0.0, 1.0)


def columns(plan: MatchPlan) -> tuple[MatchColumn, ...]:
    """What stands in a row, in the order in which `engine.tally` writes it."""
    seats, paid, called = range(1, plan.seats + 1), plan.game.payoffs, plan.called
    whose = [*(f"seat {seat}" for seat in seats), *(f"bot {name}" for name in called)]
    win = [*whose[: plan.seats], *(f"place {seat}" for seat in seats), *whose[plan.seats :]]
    unit = payoff_unit(plan.game)
    return (
        *(MatchColumn(f"wins/{who}", WHOLE, 0.0, 1.0) for who in win),
        MatchColumn("draws", high=1.0),
        *(MatchColumn(f"payoff/{who}", unit, paid.low, paid.high) for who in whose if paid),
        *(MatchColumn(f"ends/{ending}", high=1.0) for ending in plan.game.rules.ENDINGS),
        *(MatchColumn(f"length/{what}") for what in LENGTHS),
        MatchColumn("decisions"),
        MatchColumn("width", WHOLE, high=float(len(plan.game.rules.ACTIONS))),
        MatchColumn("lead changes"),
        *(MatchColumn(f"ahead/{when}", high=1.0) for when in WHEN),
        *(MatchColumn(f"comeback/{when}", high=1.0) for when in WHEN),
        MatchColumn("drama", WHOLE, 0.0, 1.0),
        MatchColumn("behind", WHOLE, 0.0, 1.0),
        MatchColumn("open", WHOLE, 0.0, 1.0),
    )


class BotFailures(NamedTuple):
    """In how many matches a bot lost its clock, the first of them, and what it did there."""

    matches: int
    first: int
    why: str


@dataclass(frozen=True, eq=False)
class MatchCounts:
    """Sums over matches, all of them whole numbers; equal for the same matches, however they were shared out."""

    matches: int
    #: Of each column, and of its squares.
    sums: Array
    squares: Array
    #: Matches by length in choices, turns and rounds: how many were so long.
    lengths: dict[str, Array]
    #: Choices by phase and kind; of each kind, sums over matches of its square and of its product with all choices of
    #: the match; choices by how many there were to choose from; plays of each item; see `tally`.
    kinds: Array
    kind_squares: Array
    kind_products: Array
    widths: Array
    times: Array
    cells: Array
    #: The bots that lost their clocks, by number.
    lost: dict[int, BotFailures] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: MatchPlan, sheet: Any, rows: Array, lost: dict[int, BotFailures]) -> "MatchCounts":
        """What these rows and their sheet add up to."""
        names = [column.name for column in columns(plan)]
        lengths = {what: np.bincount(rows[:, names.index(f"length/{what}")]) for what in LENGTHS}
        items, cells = len(asked(plan.game).names(plan.box)), (plan.seats + 1) ** 3
        found = sheet.cells[: items * FATES * cells].reshape(items, FATES, cells).astype(np.int64)
        found[:, :, : plan.seats + 1] = 0  # on no seat
        return cls(
            len(rows), sheet.sums[: len(names)].copy(), sheet.squares[: len(names)].copy(), lengths,
            sheet.kinds.copy(), sheet.kind_squares.copy(), sheet.kind_products.copy(), sheet.widths.copy(),
            sheet.times[:items].copy(),
            found, lost,
        )  # fmt: skip

    @classmethod
    def blank(cls, plan: MatchPlan) -> "MatchCounts":
        """Of no match at all."""
        return cls.of(plan, blank_sheet(plan.box), np.zeros((0, row_length(plan)), np.int64), {})

    def __add__(self, other: "MatchCounts") -> "MatchCounts":
        """Both together."""
        lengths = {what: _longer(self.lengths[what], other.lengths[what]) for what in LENGTHS}
        return MatchCounts(
            self.matches + other.matches, self.sums + other.sums, self.squares + other.squares, lengths,
            self.kinds + other.kinds, self.kind_squares + other.kind_squares, self.kind_products + other.kind_products,
            self.widths + other.widths, self.times + other.times, self.cells + other.cells,
            _lost(self.lost, other.lost),
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        """Whether all numbers are the same."""
        return isinstance(other, MatchCounts) and all(
            _same(getattr(self, each.name), getattr(other, each.name)) for each in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]  # its arrays can change


class MeasuredMatches(NamedTuple):
    """What matches gave: added up, and each for itself (a row for each, in order; see `columns`)."""

    counts: MatchCounts
    rows: Array


def row_length(plan: MatchPlan) -> int:
    """How many columns a row has."""
    return len(columns(plan))


def _longer(one: Array, other: Array) -> Array:
    return np.array([a + b for a, b in zip_longest(one.tolist(), other.tolist(), fillvalue=0)], np.int64)


def _lost(one: dict[int, BotFailures], other: dict[int, BotFailures]) -> dict[int, BotFailures]:
    both = {}
    for bot in sorted({*one, *other}):
        some = [lost[bot] for lost in (one, other) if bot in lost]
        first = min(some, key=lambda lost: lost.first)
        both[bot] = BotFailures(sum(lost.matches for lost in some), first.first, first.why)
    return both


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return np.array_equal(one, other)
