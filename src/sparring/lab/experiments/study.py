"""A study: variants of a game, played by the same bots on the same match numbers, block by block.

Every variant plays match number i with seed + i (common random numbers), so that differences are paired match by match.
The first block measures the match length. The sizes of all later blocks follow from it and never from a clock, so that
results don't depend on workers or machine (see `executors.py`).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.bots import Bot, value_models
from sparring.bots.evaluation import EXPLORATION_WITH_MODEL
from sparring.engine.errors import BadOption
from sparring.engine.game import Game, GameSetup
from sparring.lab.executors import Block, Executor
from sparring.lab.measures import MatchColumn, MatchCounts, columns, measure
from sparring.lab.measures.match_plan import MatchPlan, line_up
from sparring.lab.self_play import ProgressCallback, ProgressGenerator, finish
from sparring.lab.training import ITERATIONS, MATCHES, FittedModel, rounds, training_steps

from .variants import Variant

Array = np.ndarray[Any, Any]

#: The work of a full block, in choices of random play (less than half a second).
BLOCK = 1_000_000

#: The cost, in choices of random play, of a search iteration, of a choice in plain Python, and of a second of timed
#: search.
ITERATION_COST, INTERPRETED_COST, SECOND_COST = 12, 2000, 6 * BLOCK

#: The size of the first block: matches of random play, and matches x iterations of search.
FIRST_RANDOM_MATCHES, FIRST_SEARCH_WORK = 200, 1200

#: The maximum size of a block, as a share of all matches before it.
GROWTH = 0.125


class BlockSums(NamedTuple):
    """The sums of one block of matches.

    `counts` has one entry per variant. `sums` has shape (variants, columns), `products` (columns, variants, variants);
    both are float64 and in natural units (not in the integer units of the columns).
    """

    matches: int
    counts: tuple[MatchCounts, ...]
    sums: Array
    products: Array


@dataclass(frozen=True)
class Study:
    """The variants, bots and seeds of an experiment; pickled for every worker."""

    game: Game
    variants: tuple[Variant, ...]
    bots: tuple[str, ...]
    seats: int
    seed: int = 0
    by_lot: tuple[str, ...] = ()
    #: Whether to play compiled; plain Python needs no compilation but is far slower.
    compiled: bool = True

    @property
    def is_compiled(self) -> bool:
        """Whether all matches are played in compiled code."""
        return self.compiled and all(bot.plays_compiled for bot in self.plans[0].bots)

    @property
    def plans(self) -> list[MatchPlan]:
        """The match plan of each variant."""
        bots = line_up(self.game, self.bots, self.seats)
        return [
            MatchPlan(self.game, variant.options, variant.content, bots, self.seed, self.by_lot)
            for variant in self.variants
        ]

    @property
    def bots_at_level(self) -> list[Bot]:
        """The bots of all variants, with the search budgets of their levels."""
        return [bot for plan in self.plans for bot in plan.bots_at_level]

    @property
    def column_indices(self) -> list[int]:
        """The indices of the compared columns; wins by bot are left out if all bots are equal."""
        bots_differ = len(set(self.bots)) > 1
        numbered = enumerate(columns(self.plans[0]))
        return [index for index, column in numbered if bots_differ or "/bot " not in column.name]

    @property
    def columns(self) -> tuple[MatchColumn, ...]:
        """The compared columns, which are the same for all variants."""
        every = columns(self.plans[0])
        return tuple(every[index] for index in self.column_indices)

    def __reduce__(self) -> Any:
        """Pickle the game by name, so that a worker loads its own copy."""
        return _study, (self.game.name, self.variants, self.bots, self.seats, self.seed, self.by_lot, self.compiled)


def _study(game: str, *rest: Any) -> Study:
    from sparring.engine.game import game as find_game

    return Study(find_game(game), *rest)


def play_block(study: Study, block: Block) -> BlockSums:
    """Play a block of match numbers in all variants and return its sums."""
    plans, indices = study.plans, study.column_indices
    units = np.array([columns(plans[0])[index].unit for index in indices], float)
    played = [measure(plan, *block, compiled=study.compiled) for plan in plans]
    rows = (
        np.stack([one.rows[:, indices] for one in played]).transpose(2, 0, 1).astype(float)
    )  # columns x variants x matches
    products = rows @ rows.transpose(0, 2, 1) / (units**2)[:, None, None]
    return BlockSums(block[1], tuple(one.counts for one in played), rows.sum(axis=2).T / units, products)


def first_block(study: Study, limit: int | None) -> Block:
    """Return the first block, which measures the match length; `limit` is the maximum number of matches."""
    iterations = max(bot.iterations for bot in study.bots_at_level)
    count = FIRST_SEARCH_WORK // iterations if iterations else FIRST_RANDOM_MATCHES
    if not study.is_compiled:
        count = 1
    return 0, min(max(count, 1), limit or FIRST_RANDOM_MATCHES)


def later_blocks(study: Study, first: int, length: float, limit: int | None) -> Iterator[Block]:
    """Yield the blocks after the first one, which had `first` matches of `length` choices on average.

    They add up to `limit` matches; None: there is no limit.
    """
    bots = study.bots_at_level
    iterations = sum(bot.iterations for bot in bots) / len(bots)
    seconds = sum(getattr(bot, "seconds", 0) for bot in bots) / len(bots)
    cost_per_choice = 1 + iterations * ITERATION_COST + SECOND_COST * seconds
    if not study.is_compiled:
        cost_per_choice += INTERPRETED_COST * (1 + iterations)
    full_size = max(1, int(BLOCK / (len(study.variants) * length * cost_per_choice)))
    played = first
    while limit is None or played < limit:
        count = min(full_size, max(first, int(GROWTH * played)))
        if limit is not None:
            count = min(count, limit - played)
        yield played, count
        played += count


def train_variant_model(setup: GameSetup, seats: int, folder: Path) -> ProgressGenerator[FittedModel]:
    """Train a value model as `sparring train` does (minutes), and save it where bots look for it."""
    default_model = value_models.find_model(setup, seats)
    exploration = default_model.exploration if default_model else EXPLORATION_WITH_MODEL
    fitted = yield from training_steps(setup, seats, rounds(MATCHES, ITERATIONS), exploration=exploration)
    value_models.save(folder / value_models.file_name(setup, seats), fitted.value_model)
    return fitted


def train_missing(study: Study, executor: Executor, progress: ProgressCallback = lambda what, done: None) -> None:
    """Train and save a value model for each variant that lacks one, if its bots use value models.

    `progress` is called with a description and the share done, from 0 to 1. Raises BadOption on a cluster.
    """
    if not executor.is_local:
        raise BadOption("Value models are saved on this machine, where cluster workers can't read them; use --workers.")
    for number, (variant, plan) in enumerate(zip(study.variants, study.plans, strict=True)):
        setup, seats = plan.setup, plan.seats
        if value_models.has_own_model(setup, seats) or not any(bot.evaluates for bot in plan.bots):
            continue

        def report(what: str, done: float, number: int = number, name: str = variant.name) -> None:
            progress(f"Training for {name}: {what}", (number + done) / len(study.variants))

        finish(train_variant_model(setup, seats, value_models.folders(study.game).own), report)
