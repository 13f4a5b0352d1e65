"""A study: variants of a game, played by the same bots on the same match numbers, block by block.

Every variant plays match number i from the seed + i, so that chance is the same for all as far as it can be, and
differences are taken match by match, where the matches are played. A first block tells how long matches are; how large
the others are follows from that and never from a clock, so that the numbers do not depend on who played them (see
`pace`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparring.bots import Bot
from sparring.engine.game import Game
from sparring.lab.executors.batching import Block
from sparring.lab.measures import MatchColumn, MatchCounts, columns, measure

from .match_plan import MatchPlan, line_up
from .variants import Variant

Array = np.ndarray[Any, Any]

#: How many choices of random play a block is worth: less than half a second.
BLOCK = 1_000_000

#: What costs as much as so many choices of random play: an iteration of a search; a choice that is not made in machine
#: code; a second of a search by the clock.
ITERATION, SLOW, SECOND = 12, 2000, 6 * BLOCK

#: How many matches the first block has of random play, and how many of search, in matches x iterations.
FIRST, FIRST_THOUGHT = 200, 1200

#: No block is a larger share of all before it.
GROWTH = 0.125


class BlockSums(NamedTuple):
    """The sums of a block: of each variant everything that is counted, and of the columns sums and products.

    `sums` are variants x columns, `products` columns x variants x variants, all in values (not in whole units).
    """

    matches: int
    counts: tuple[MatchCounts, ...]
    sums: Array
    products: Array


@dataclass(frozen=True)
class Study:
    """What is played: it goes to every worker."""

    game: Game
    variants: tuple[Variant, ...]
    bots: tuple[str, ...]
    seats: int
    seed: int = 0
    by_lot: tuple[str, ...] = ()
    #: Whether machine code is to be used; without it nothing has to be made first, and every match takes far longer.
    compiled: bool = True

    @property
    def in_machine_code(self) -> bool:
        """Whether all of it is played in machine code."""
        return self.compiled and all(bot.plays_compiled for bot in self.plans[0].bots)

    @property
    def plans(self) -> list[MatchPlan]:
        """The plan of each variant."""
        bots = line_up(self.game, self.bots, self.seats)
        return [
            MatchPlan(self.game, variant.options, variant.content, bots, self.seed, self.by_lot)
            for variant in self.variants
        ]

    @property
    def thinkers(self) -> list[Bot]:
        """The bots as their levels are in each variant."""
        return [bot for plan in self.plans for bot in plan.thinkers]

    @property
    def places(self) -> list[int]:
        """Where these columns stand in a row: the wins of bots that are all the same tell nothing."""
        bots_differ = len(set(self.bots)) > 1
        every = enumerate(columns(self.plans[0]))
        return [place for place, column in every if bots_differ or "/bot " not in column.name]

    @property
    def columns(self) -> tuple[MatchColumn, ...]:
        """What every match gives: the same of all variants, with the widest bounds of any of them."""
        found = [[_bounded(columns(plan)[place], plan) for place in self.places] for plan in self.plans]
        return tuple(
            same[0]._replace(
                low=_widest(min, [column.low for column in same]), high=_widest(max, [column.high for column in same])
            )
            for same in zip(*found, strict=True)
        )

    def __reduce__(self) -> Any:
        """For its way to a worker: the game goes by name."""
        return _study, (self.game.name, self.variants, self.bots, self.seats, self.seed, self.by_lot, self.compiled)


def _study(game: str, *rest: Any) -> Study:
    from sparring.engine.game import game as find_game

    return Study(find_game(game), *rest)


def _bounded(column: MatchColumn, plan: MatchPlan) -> MatchColumn:
    """What counts something in a match is no more than the choices that a match can have."""
    if column.high is None and column.low == 0:
        return column._replace(high=float(plan.game.longest(plan.box, plan.seats)))
    return column


def _widest(end: Any, bounds: list[float | None]) -> float | None:
    return None if None in bounds else end(bounds)


def play_block(study: Study, block: Block) -> BlockSums:
    """So many matches from a number on, in all variants."""
    plans, places = study.plans, study.places
    units = np.array([columns(plans[0])[place].unit for place in places], float)
    played = [measure(plan, *block, compiled=study.compiled) for plan in plans]
    rows = (
        np.stack([one.rows[:, places] for one in played]).transpose(2, 0, 1).astype(float)
    )  # columns x variants x matches
    products = rows @ rows.transpose(0, 2, 1) / (units**2)[:, None, None]
    return BlockSums(block[1], tuple(one.counts for one in played), rows.sum(axis=2).T / units, products)


def first_block(study: Study, most: int | None) -> Block:
    """The one that tells how long matches are."""
    thought = max(bot.iterations for bot in study.thinkers)
    count = FIRST_THOUGHT // thought if thought else FIRST
    if not study.in_machine_code:
        count = 1
    return 0, min(max(count, 1), most or FIRST)


def other_blocks(study: Study, first: int, length: float, most: int | None) -> Iterator[Block]:
    """Those after the first one, whose matches had so many choices; without end unless `most` are wanted."""
    bots = study.thinkers
    thought = sum(bot.iterations for bot in bots) / len(bots)
    choice = 1 + thought * ITERATION + SECOND * sum(getattr(bot, "seconds", 0) for bot in bots) / len(bots)
    if not study.in_machine_code:
        choice += SLOW * (1 + thought)
    full = max(1, int(BLOCK / (len(study.variants) * length * choice)))
    played = first
    while most is None or played < most:
        count = min(full, max(first, int(GROWTH * played)))
        if most is not None:
            count = min(count, most - played)
        yield played, count
        played += count
