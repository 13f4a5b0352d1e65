"""Measure the balance of a content set while its designer edits it, in short steps.

A measurement is a study of one variant with the same matches, blocks and measures as in `sparring lab`. It stops when
every interval reaches the precision that was fixed in advance, or at the time limit.
"""

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from statistics import median
from typing import Any

import msgspec

from sparring.engine.game import Game
from sparring.lab.executors import Block
from sparring.lab.experiments.stopping import Accumulator, StoppingRule
from sparring.lab.measures import ItemOutcome, items
from sparring.lab.measures import interval as interval_of
from sparring.lab.measures.match_plan import line_up

from .comparison import Comparison
from .config import ExperimentConfig
from .runner import build_comparison, mean_length
from .study import Study, first_block, later_blocks, play_block
from .variants import UNCHANGED, Variant


class Estimate(msgspec.Struct, frozen=True):
    """An estimate with its 95% interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class ItemBalance(msgspec.Struct, frozen=True):
    """How often an item was drawn and played, and the wins of these seats (None for fewer than two matches)."""

    sort: str
    name: str
    #: The shares of seats that drew it and that played it, 0 to 1.
    drawn: float
    played: float
    wins_drawn: Estimate | None
    wins_played: Estimate | None


class SetBalance(msgspec.Struct, frozen=True):
    """The balance of a content set, measured with one kind of bot on all seats."""

    bot: str
    matches: int
    seats: list[Estimate]
    draws: Estimate
    #: The mean match length in choices and in turns.
    choices: Estimate
    turns: Estimate
    items: list[ItemBalance]
    #: Whether every interval has reached the precision.
    precise: bool

    def medians(self, sort: str) -> tuple[float | None, float | None]:
        """Return the median wins with items of a sort, drawn and played, with which each item is compared."""
        selected = [item for item in self.items if item.sort == sort]
        drawn = [item.wins_drawn.value for item in selected if item.wins_drawn]
        played = [item.wins_played.value for item in selected if item.wins_played]
        return (median(drawn) if drawn else None), (median(played) if played else None)


class BalanceMeasurement:
    """A running measurement of a content set with one kind of bot on all seats.

    `precision` is the target half-width of the intervals, `time_limit` the limit in CPU seconds per thread. Without
    `compiled` it plays in plain Python, slowly. Compiled code plays in `threads` threads; their number affects only
    where the measurement stops.
    """

    def __init__(
        self, game: Game, content: Any, options: Mapping[str, Any], bot: str, precision: float, time_limit: float, *,
        compiled: bool = True, threads: int = 1,
    ) -> None:  # fmt: skip
        setup = game.setup(options, content)
        self.stopping_rule = StoppingRule(precision=precision)
        variant = Variant(UNCHANGED, setup.options, content)
        seats, by_lot = len(line_up(game, (bot,), None)), getattr(game.items, "BY_LOT", ())
        self.study = Study(game, (variant,), (bot,), seats, by_lot=by_lot, compiled=compiled)
        columns = self.study.columns
        self.accumulator = Accumulator(columns, self.stopping_rule.requested_columns(self.study, columns), 1, precision)
        #: Elapsed and maximum time, in seconds of CPU time per thread.
        self.seconds, self.time_limit = 0.0, time_limit
        self._threads = threads if self.study.is_compiled else 1
        self._blocks = self._all_blocks()

    def run(self, seconds: float) -> None:
        """Play for about this many seconds of CPU time per thread, or until the stopping rule is met."""
        start = time.process_time()
        elapsed, previous = 0.0, self.seconds
        with ThreadPoolExecutor(self._threads) as pool:
            while elapsed < seconds and not self.is_finished:
                # The first block runs alone: it compiles the code, and later block sizes depend on it.
                blocks = list(islice(self._blocks, self._threads if self.accumulator.matches else 1))
                for sums in pool.map(partial(play_block, self.study), blocks):
                    self.accumulator.add(sums)
                elapsed = (time.process_time() - start) / self._threads
                self.seconds = previous + elapsed

    def _all_blocks(self) -> Iterator[Block]:
        first = first_block(self.study, None)
        yield first
        yield from later_blocks(self.study, first[1], mean_length(self.accumulator), None)

    @property
    def is_finished(self) -> bool:
        """Whether the measurement is finished."""
        return self.seconds >= self.time_limit or self.is_precise

    @property
    def is_precise(self) -> bool:
        """Whether the wins of every seat and of the seats that draw each item have reached the precision."""
        if not self.accumulator.matches or not self.accumulator.is_precise:
            return False
        figures = items(self.study.plans[0], self.accumulator.counts[0])
        reaches = [wins.half_width for each in figures if (wins := _wins(each.drawn)) is not None]
        return max(reaches, default=0.0) <= (self.stopping_rule.precision or 0.0)

    @property
    def balance(self) -> SetBalance:
        """The balance measured so far."""
        names = [column.name for column in self.accumulator.columns]
        means, (low, high) = self.accumulator.means.mean[0], self.accumulator.means.interval
        longest = float(self.study.game.max_choices(self.study.plans[0].setup, self.study.seats))

        def of(name: str) -> Estimate:
            place = names.index(name)
            # No measure that is shown is below 0 or above the longest match, even before there is an interval.
            return Estimate(float(means[place]), max(float(low[0, place]), 0.0), min(float(high[0, place]), longest))

        return SetBalance(
            bot=self.study.bots[0], matches=self.accumulator.matches,
            seats=[of(f"wins/seat {seat}") for seat in range(1, self.study.seats + 1)], draws=of("draws"),
            choices=of("length/choices"), turns=of("length/turns"),
            items=[
                ItemBalance(each.item.sort, each.item.name, each.drawn.seats.value, each.played.seats.value,
                            _wins(each.drawn), _wins(each.played))
                for each in items(self.study.plans[0], self.accumulator.counts[0])
            ],
            precise=self.is_precise,
        )  # fmt: skip

    def comparison(self, config: ExperimentConfig) -> Comparison:
        """Return the measurement as a comparison, for a report."""
        return build_comparison(config, self.study, self.stopping_rule, self.accumulator, self.seconds, "")


def _wins(outcome: ItemOutcome) -> Estimate | None:
    """Return the wins of these seats, or None for fewer than two matches."""
    return Estimate(outcome.wins.value, *interval_of(outcome.wins)) if outcome.wins.n > 1 else None
