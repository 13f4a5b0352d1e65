"""Many matches between bots, and the sum of them.

A match depends on the seed and its number alone (see `Plan`), and the result on neither the number of workers nor the
order in which they finish. (A search by the clock is the exception: how far it comes depends on the machine.)
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from sparring.engine.errors import SparringError
from sparring.engine.formats.position_reader import read_seed
from sparring.engine.game import Game

from .executors.batching import Block, in_blocks
from .executors.factory import hands
from .experiments.match_plan import MatchPlan, line_up
from .measures import Figure, MatchCounts, columns, figures, interval, measure

#: How many matches a block has: of random play, and of search in matches x iterations.
RANDOM, THOUGHT = 10_000, 1_000


@dataclass(frozen=True)
class FailedMatches:
    """In how many matches a bot lost its clock, and what it did the first time."""

    matches: int
    first: str


@dataclass(frozen=True)
class SimulationSummary:
    """What a simulation tells.

    Who has the highest payoff won. A match won by k seats together counts 1/k for each of them; one that nobody won is
    a draw; so all wins and draws add up to the matches. Equal bots are counted one by one, as `search#1` and
    `search#2`. `sd_choices` is the standard deviation of a sample.
    """

    game: str
    matches: int
    choices: int
    seconds: float
    choices_per_second: float
    wins_by_bot: dict[str, float]
    wins_by_seat: dict[str, float]
    #: In a game that pays other than wins and losses: what each bot (and seat) won a match, and half of a 95% interval.
    payoffs_by_bot: dict[str, tuple[float, float]]
    payoffs_by_seat: dict[str, tuple[float, float]]
    #: What is paid in such a game, as chips; else empty.
    unit: str
    draws: int
    mean_choices: float
    sd_choices: float
    longest: int
    choices_by_phase: dict[str, int]
    endings: dict[str, int]
    #: The bots that lost their clocks in a match, whose stand-ins played on at random.
    lost_clocks: dict[str, FailedMatches]
    #: The bots that would judge positions, but nothing was learned for these rules, options and content.
    without_judgement: list[str]


def simulate(
    game: Game, matches: int, *, bots: Sequence[str] = ("random",), seats: int | None = None,
    options: Mapping[str, Any] | None = None, content: Any = None, seed: int = 0, workers: int = 1,
    cluster: str | None = None, progress: Callable[[int], None] = lambda matches: None,
) -> SimulationSummary:  # fmt: skip
    """Play so many matches. One bot plays on all seats; several are one for each seat.

    `workers` are processes here, `cluster` is the address of a Dask scheduler (see `hands`); the result depends on
    neither. `progress` hears how many matches are done, 0 first. Raises BadBot, BadOption or another SparringError.
    """
    if matches < 1 or workers < 1:
        raise SparringError(f"At least one match and one worker are needed, not {min(matches, workers)}.")
    plan = MatchPlan(game, game.box(options, content).options, content, line_up(game, bots, seats), read_seed(seed))
    read_seed(seed + matches)
    with hands(workers, cluster) as them:
        them.prepare(_count, plan, (0, 0))
        progress(0)
        start = time.perf_counter()
        counts = MatchCounts.blank(plan)
        for part in in_blocks(them, _count, plan, _blocks(plan, matches)):
            counts += part
            progress(counts.matches)
        seconds = time.perf_counter() - start
    return summary(plan, counts, seconds)


def prepare(game: Game, bot: str) -> None:
    """Compile what matches between bots of this kind need, unless that was done before."""
    measure(MatchPlan(game, {}, None, line_up(game, [bot], None), 0), 0, 0)


# Handing out


def _blocks(plan: MatchPlan, matches: int) -> Iterator[Block]:
    thought = max(bot.iterations for bot in plan.thinkers)
    size = max(1, THOUGHT // thought) if thought else RANDOM
    if not all(bot.plays_compiled for bot in plan.bots):
        size = 1
    return ((first, min(size, matches - first)) for first in range(0, matches, size))


def _count(plan: MatchPlan, block: Block) -> MatchCounts:
    return measure(plan, *block).counts


# Adding up


def summary(plan: MatchPlan, counts: MatchCounts, seconds: float) -> SimulationSummary:
    """What the counts of all matches tell."""
    told, rules, called = figures(plan, counts), plan.game.rules, plan.called
    choices = int(counts.kinds.sum())
    bots, seats = [f"bot {name}" for name in called], [f"seat {seat}" for seat in range(1, plan.seats + 1)]
    total = {column.name: int(added) / column.unit for column, added in zip(columns(plan), counts.sums, strict=True)}
    paid = {name: _mean_and_margin(figure) for name, figure in told.items() if figure.group == "payoff"}
    return SimulationSummary(
        game=plan.game.name, matches=counts.matches, choices=choices, seconds=round(seconds, 6),
        choices_per_second=round(choices / max(seconds, 1e-9), 1),
        wins_by_bot={name: total[f"wins/{bot}"] for name, bot in zip(called, bots, strict=True)},
        unit=plan.game.payoffs.unit if plan.game.payoffs else "",
        payoffs_by_bot={name: paid[f"payoff/{bot}"] for name, bot in zip(called, bots, strict=True) if paid},
        payoffs_by_seat={str(number): paid[f"payoff/{seat}"] for number, seat in enumerate(seats, 1) if paid},
        wins_by_seat={str(number): total[f"wins/{seat}"] for number, seat in enumerate(seats, 1)},
        draws=int(total["draws"]), mean_choices=told["length/choices"].value,
        sd_choices=sqrt(told["length/choices"].variance), longest=len(counts.lengths["choices"]) - 1,
        choices_by_phase=dict(zip(rules.PHASES, counts.kinds.sum(axis=1).tolist(), strict=True)),
        endings={ending: int(total[f"ends/{ending}"]) for ending in rules.ENDINGS},
        lost_clocks={called[bot]: FailedMatches(lost.matches, lost.why) for bot, lost in counts.lost.items()},
        without_judgement=plan.without_judgement,
    )  # fmt: skip


def _mean_and_margin(figure: Figure) -> tuple[float, float]:
    """The mean, and half of its 95% interval (normal)."""
    low, high = interval(figure)
    return figure.value, (high - low) / 2
