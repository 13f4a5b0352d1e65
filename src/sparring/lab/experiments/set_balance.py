"""What a set of content is worth while somebody designs it: played a little at a time, and looked at in between.

It is a study of one variant, as `sparring lab` plays it: the same matches in the same blocks, counted and estimated by
the same measures. It ends when every interval is as narrow as was said before, whatever it shows, or after so long.
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
from sparring.lab.executors.batching import Block
from sparring.lab.measures import ItemOutcome, items
from sparring.lab.measures import interval as interval_of
from sparring.lab.stats.accumulators import Accumulator

from .comparison import Comparison
from .config import ExperimentConfig
from .match_plan import line_up
from .runner import mean_length, what_was_found
from .stopping import StoppingRule
from .study import Study, first_block, other_blocks, play_block
from .variants import AS_IT_IS, Variant


class Estimate(msgspec.Struct, frozen=True):
    """A number with its 95% interval."""

    value: float
    low: float
    high: float

    @property
    def reach(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class ItemBalance(msgspec.Struct, frozen=True):
    """What became of an item; the wins are None if no seat drew it, or none played it."""

    sort: str
    name: str
    #: The share of seats that drew it, and that played it.
    drawn: float
    played: float
    wins_drawn: Estimate | None
    wins_played: Estimate | None


class SetBalance(msgspec.Struct, frozen=True):
    """What so many matches of one kind of bot tell of a set."""

    bot: str
    matches: int
    seats: list[Estimate]
    draws: Estimate
    #: In choices and in turns.
    choices: Estimate
    turns: Estimate
    items: list[ItemBalance]
    #: Whether all is as precise as it was to be.
    precise: bool

    def medians(self, sort: str) -> tuple[float | None, float | None]:
        """The wins of the median item of a sort, drawn and played: what the others are measured by."""
        those = [one for one in self.items if one.sort == sort]
        drawn = [one.wins_drawn.value for one in those if one.wins_drawn]
        played = [one.wins_played.value for one in those if one.wins_played]
        return (median(drawn) if drawn else None), (median(played) if played else None)


class BalanceMeasurement:
    """A set that is being measured by one kind of bot on all seats. Without `compiled` in plain Python, and slowly.

    Machine code plays in so many threads at once; what is found depends on their number only by where it ends.
    """

    def __init__(
        self, game: Game, content: Any, options: Mapping[str, Any], bot: str, precision: float, longest: float, *,
        compiled: bool = True, threads: int = 1,
    ) -> None:  # fmt: skip
        box = game.box(options, content)
        self.question = StoppingRule(precision=precision)
        variant = Variant(AS_IT_IS, box.options, content)
        seats, by_lot = len(line_up(game, (bot,), None)), getattr(game.items, "BY_LOT", ())
        self.study = Study(game, (variant,), (bot,), seats, by_lot=by_lot, compiled=compiled)
        columns = self.study.columns
        self.ledger = Accumulator(columns, self.question.asks(self.study, columns), 1, precision)
        #: How long it was played, and how long at most: seconds of processor time of each thread.
        self.seconds, self.longest = 0.0, longest
        self._threads = threads if self.study.in_machine_code else 1
        self._blocks = self._all_blocks()

    def go_on(self, seconds: float) -> None:
        """Play for about so long (seconds of processor time of each thread), or until it is enough."""
        begin = time.process_time()
        spent, before = 0.0, self.seconds
        with ThreadPoolExecutor(self._threads) as pool:
            while spent < seconds and not self.is_enough:
                # The first block alone: what comes after it depends on it, and it brings the machine code.
                together = list(islice(self._blocks, self._threads if self.ledger.matches else 1))
                for sums in pool.map(partial(play_block, self.study), together):
                    self.ledger.add(sums)
                spent = (time.process_time() - begin) / self._threads
                self.seconds = before + spent

    def _all_blocks(self) -> Iterator[Block]:
        first = first_block(self.study, None)
        yield first
        yield from other_blocks(self.study, first[1], mean_length(self.ledger), None)

    @property
    def is_enough(self) -> bool:
        """Whether it is played no further."""
        return self.seconds >= self.longest or self.is_precise

    @property
    def is_precise(self) -> bool:
        """Whether the wins of all seats, and of whoever draws an item that is ever drawn, are known so precisely."""
        if not self.ledger.matches or not self.ledger.is_enough:
            return False
        found = items(self.study.plans[0], self.ledger.counts[0])
        reaches = [one.reach for each in found if (one := _wins(each.drawn)) is not None]
        return max(reaches, default=0.0) <= (self.question.precision or 0.0)

    @property
    def worth(self) -> SetBalance:
        """What it tells so far."""
        names = [column.name for column in self.ledger.columns]
        means, (low, high) = self.ledger.means.mean[0], self.ledger.means.interval

        def of(name: str) -> Estimate:
            place = names.index(name)
            return Estimate(float(means[place]), float(low[0, place]), float(high[0, place]))

        return SetBalance(
            bot=self.study.bots[0], matches=self.ledger.matches,
            seats=[of(f"wins/seat {seat}") for seat in range(1, self.study.seats + 1)], draws=of("draws"),
            choices=of("length/choices"), turns=of("length/turns"),
            items=[
                ItemBalance(one.item.sort, one.item.name, one.drawn.seats.value, one.played.seats.value,
                          _wins(one.drawn), _wins(one.played))
                for one in items(self.study.plans[0], self.ledger.counts[0])
            ],
            precise=self.is_precise,
        )  # fmt: skip

    def found(self, wishes: ExperimentConfig) -> Comparison:
        """The same as the lab's own answer to somebody's wishes, of which a report can be written."""
        return what_was_found(wishes, self.study, self.question, self.ledger, self.seconds, "")


def _wins(fate: ItemOutcome) -> Estimate | None:
    """The wins of those seats; of one match alone nothing can be said."""
    return Estimate(fate.wins.value, *interval_of(fate.wins)) if fate.wins.n > 1 else None
