"""Play the matches of a plan and count: sums over many matches that can be added, and columns for each match."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from sparring.bots import BotFailed, compile_searches, parse, replacement_bot, search_of, stream
from sparring.bots.bot import Workspace, nodes_for
from sparring.bots.evaluation import blank_settings
from sparring.bots.search import match_driver as search_matches
from sparring.engine.compilation.counters import FATES, WHOLE, begin, blank_counters, close_rule, note_rule, payoff_unit
from sparring.engine.compilation.drivers import counted_playouts
from sparring.engine.items import item_rules
from sparring.engine.match import Match
from sparring.engine.tiered_rules import TieredRules

from .match_plan import MatchPlan

Array = np.ndarray[Any, Any]

#: The units of match length.
LENGTHS = ("choices", "turns", "rounds")
#: The points of a match at which the leader is recorded.
LEAD_POINTS = ("a quarter", "half", "three quarters")


class MatchColumn(NamedTuple):
    """A column of a row: an integer in steps of 1 / `unit`, with the bounds of its value (None: unbounded)."""

    name: str
    unit: int = 1
    low: float | None = 0.0
    high: float | None = None

    @property
    def group(self) -> str:
        """The part of the name before the slash, such as `wins` of `wins/seat 1`."""
        return self.name.partition("/")[0]

    @property
    def is_share(self) -> bool:
        """Whether values are from 0 to 1 and are shown in percent."""
        return (self.low, self.high) == (0.0, 1.0)


def columns(plan: MatchPlan) -> tuple[MatchColumn, ...]:
    """Return the columns of a row, in the order in which `engine.compilation.counters` writes them."""
    seats, payoffs, names = range(1, plan.seats + 1), plan.game.payoffs, plan.bot_names
    owners = [*(f"seat {seat}" for seat in seats), *(f"bot {name}" for name in names)]
    win = [*owners[: plan.seats], *(f"place {seat}" for seat in seats), *owners[plan.seats :]]
    unit = payoff_unit(plan.game)
    return (
        *(MatchColumn(f"wins/{who}", WHOLE, 0.0, 1.0) for who in win),
        MatchColumn("draws", high=1.0),
        *(MatchColumn(f"payoff/{who}", unit, payoffs.low, payoffs.high) for who in owners if payoffs),
        *(MatchColumn(f"ends/{ending}", high=1.0) for ending in plan.game.rules.ENDINGS),
        *(MatchColumn(f"length/{what}") for what in LENGTHS),
        MatchColumn("decisions"),
        MatchColumn("width", WHOLE, high=float(len(plan.game.rules.ACTIONS))),
        MatchColumn("lead changes"),
        *(MatchColumn(f"ahead/{when}", high=1.0) for when in LEAD_POINTS),
        *(MatchColumn(f"comeback/{when}", high=1.0) for when in LEAD_POINTS),
        MatchColumn("drama", WHOLE, 0.0, 1.0),
        MatchColumn("behind", WHOLE, 0.0, 1.0),
        MatchColumn("open", WHOLE, 0.0, 1.0),
    )


class BotFailures(NamedTuple):
    """The number of matches in which a bot failed, the first such match, and the reason."""

    matches: int
    first: int
    why: str


@dataclass(frozen=True, eq=False)
class MatchCounts:
    """Integer sums over matches; equal for the same matches, however they were divided into blocks."""

    matches: int
    #: Sums of each column and of its squares (int64).
    sums: Array
    squares: Array
    #: Histograms of match length: index = length in choices, turns or rounds, value = number of matches.
    lengths: dict[str, Array]
    #: See `engine.compilation.counters`: choices by phase and kind; for each kind, sums over matches of its squared
    #: count and of its count times the length of the match; choices by number of options; plays of each item; joint
    #: counts of seats and winners for each item.
    kinds: Array
    kind_squares: Array
    kind_products: Array
    widths: Array
    item_plays: Array
    item_outcomes: Array
    #: Failures by bot number.
    failures: dict[int, BotFailures] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: MatchPlan, counters: Any, rows: Array, failures: dict[int, BotFailures]) -> "MatchCounts":
        """Build the counts from the rows of matches and the counters with their sums."""
        names = [column.name for column in columns(plan)]
        lengths = {what: np.bincount(rows[:, names.index(f"length/{what}")]) for what in LENGTHS}
        items, cells = len(item_rules(plan.game).names(plan.setup)), (plan.seats + 1) ** 3
        outcomes = counters.cells[: items * FATES * cells].reshape(items, FATES, cells).astype(np.int64)
        outcomes[:, :, : plan.seats + 1] = 0  # matches in which no seat had the item
        return cls(
            len(rows), counters.sums[: len(names)].copy(), counters.squares[: len(names)].copy(), lengths,
            counters.kinds.copy(), counters.kind_squares.copy(), counters.kind_products.copy(), counters.widths.copy(),
            counters.times[:items].copy(),
            outcomes, failures,
        )  # fmt: skip

    @classmethod
    def blank(cls, plan: MatchPlan) -> "MatchCounts":
        """Return the counts of zero matches."""
        return cls.of(plan, blank_counters(plan.setup), np.zeros((0, row_length(plan)), np.int64), {})

    def __add__(self, other: "MatchCounts") -> "MatchCounts":
        """Return the counts of both sets of matches."""
        lengths = {what: _longer(self.lengths[what], other.lengths[what]) for what in LENGTHS}
        return MatchCounts(
            self.matches + other.matches, self.sums + other.sums, self.squares + other.squares, lengths,
            self.kinds + other.kinds, self.kind_squares + other.kind_squares, self.kind_products + other.kind_products,
            self.widths + other.widths, self.item_plays + other.item_plays, self.item_outcomes + other.item_outcomes,
            _add_failures(self.failures, other.failures),
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        """Return whether all counts are equal."""
        return isinstance(other, MatchCounts) and all(
            _same(getattr(self, each.name), getattr(other, each.name)) for each in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]  # its arrays can change


class MeasuredMatches(NamedTuple):
    """Measured matches: their counts, and rows of shape (matches, columns) in match order."""

    counts: MatchCounts
    rows: Array


def row_length(plan: MatchPlan) -> int:
    """Return the number of columns of a row."""
    return len(columns(plan))


def _longer(one: Array, other: Array) -> Array:
    return np.array([a + b for a, b in zip_longest(one.tolist(), other.tolist(), fillvalue=0)], np.int64)


def _add_failures(one: dict[int, BotFailures], other: dict[int, BotFailures]) -> dict[int, BotFailures]:
    total = {}
    for bot in sorted({*one, *other}):
        failures = [each[bot] for each in (one, other) if bot in each]
        first = min(failures, key=lambda each: each.first)
        total[bot] = BotFailures(sum(each.matches for each in failures), first.first, first.why)
    return total


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return np.array_equal(one, other)


#: A function that plays and counts matches (see `match_player`).
Player = Callable[[int, Any, Array], dict[int, BotFailures]]


def measure(plan: MatchPlan, first: int, count: int, *, compiled: bool = True) -> MeasuredMatches:
    """Play and count `count` matches, starting with match number `first`; with `count` 0, only compile the code.

    Without `compiled` they are played in plain Python, with other random choices than in compiled play.
    """
    counters, rows = blank_counters(plan.setup), np.empty((count, row_length(plan)), np.int64)
    if compiled and not count and not all(bot.plays_compiled for bot in plan.bots):
        _compile_for_python(plan)
    failures = match_player(plan, compiled=compiled)(first, counters, rows)
    return MeasuredMatches(MatchCounts.of(plan, counters, rows, failures), rows)


def match_player(plan: MatchPlan, *, compiled: bool = True) -> Player:
    """Return a function that plays `len(rows)` matches from a match number on, and counts them.

    It takes the first match number, the counters and the rows to fill, and returns the bots that failed. Afterwards,
    the counters still describe the last match.
    """
    if not (compiled and all(bot.plays_compiled for bot in plan.bots)):
        return partial(play_interpreted, plan)
    return _search_player(plan) if any(bot.searches for bot in plan.bots) else _random_player(plan)


def _compile_for_python(plan: MatchPlan) -> None:
    """Compile the searches and rules that matches in Python call."""
    compile_searches(plan.game, {search_of(bot.text) for bot in plan.bots if bot.searches})
    match = Match.deal(plan.setup, plan.seats, plan.seed)
    TieredRules(plan.game, plan.setup.params).compile(match.state)


def _random_player(plan: MatchPlan) -> Player:
    from sparring.engine.compilation.machine_code import blank_pair, compiled

    out, setup = np.zeros(len(plan.game.rules.ACTIONS), np.int16), plan.setup
    play, pair = compiled(plan.game, counted_playouts), blank_pair(plan.game)

    def play_matches(first: int, counters: Any, rows: Array) -> dict[int, BotFailures]:
        play(setup.params, pair, out, plan.seed, first, plan.seats, counters, rows)
        return {}

    return play_matches


def _search_player(plan: MatchPlan) -> Player:
    from sparring.engine.compilation.machine_code import compiled

    bots = plan.bots_at_level
    budgets = np.array([bot.iterations for bot in bots])
    ws = Workspace(plan.game, nodes_for(plan.seats, int(budgets.max())), states=4)
    streams = np.zeros((plan.seats, 4), np.int64)
    setup, settings = plan.setup, blank_settings(plan.game, plan.seats)
    for bot, bot_settings in zip(bots, settings, strict=True):
        bot.fill_settings(bot_settings, setup, plan.seats)
    play = compiled(plan.game, search_matches)

    def play_matches(first: int, counters: Any, rows: Array) -> dict[int, BotFailures]:
        play(
            setup.params, ws.work, ws.raw, ws.out, ws.nodes, ws.fields, settings, plan.seed, first, plan.seats,
            budgets, plan.random_phase_mask, streams, counters, rows,
        )  # fmt: skip
        return {}

    return play_matches


def play_interpreted(plan: MatchPlan, first: int, counters: Any, rows: Array) -> dict[int, BotFailures]:
    """Play matches in plain Python, as the driver of `bots.search.match_driver` does; return the bots that failed."""
    setup, game = plan.setup, plan.game
    note, close = note_rule(game), close_rule(game)
    failures: dict[int, BotFailures] = {}
    random_bot = parse("random")
    for i in range(len(rows)):
        number = first + i
        match = Match.deal(setup, plan.seats, plan.seed + number)
        streams = [stream(plan.seed + number, bot + 1) for bot in range(plan.seats)]
        players = list(plan.bots)
        begin(match.state, counters)
        while match.seat:
            bot = (match.seat - 1 + number) % plan.seats
            player = random_bot if plan.random_phase_mask >> int(match.state.phase) & 1 else players[bot]
            try:
                view = match.view(match.seat, memory=player.remembers)
                action = player.choose(view, streams[bot])
            except BotFailed as problem:
                earlier = failures.get(bot, BotFailures(0, number, problem.why))
                failures[bot] = earlier._replace(matches=earlier.matches + 1)
                players[bot] = replacement_bot(plan.bots[bot].text)
                continue
            n_choices = sum(choice not in game.conceding for choice in view.legal)
            note(setup.params, match.state, counters, action, n_choices)
            match.choose(action)
        close(setup.params, match.state, counters, number)
        rows[i] = counters.row[: rows.shape[1]]
    return failures
