"""Simulate many matches between bots and summarize them.

A match depends only on the seed and its number (see `MatchPlan`), so results don't depend on the number of workers or
their order. Bots with a time budget are the exception: how far they search depends on the machine.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from sparring.engine.errors import SparringError
from sparring.engine.formats.position_reader import read_seed
from sparring.engine.game import Game
from sparring.engine.records import setup_of

from .executors import Block, make_executor, run_blocks
from .measures import Figure, MatchCounts, columns, figures, interval, measure
from .measures.match_plan import MatchPlan, line_up

#: The size of a block: matches of random play, and matches x iterations of search.
RANDOM_MATCHES, SEARCH_WORK = 10_000, 1_000


@dataclass(frozen=True)
class FailedMatches:
    """The number of matches in which a bot failed, and why it failed the first time."""

    matches: int
    first: str


@dataclass(frozen=True)
class SimulationSummary:
    """The results of a simulation.

    The highest payoff wins. A win shared by k seats counts 1/k for each. A match without a winner is a draw, so wins
    and draws add up to the number of matches. Equal bots are numbered, as in `search#1` and `search#2`. `seconds` is
    wall-clock time; `mean_choices`, `sd_choices` (sample standard deviation) and `longest` describe the match length.
    """

    game: str
    #: The closest variant and the options that differ from it.
    variant: str
    matches: int
    choices: int
    seconds: float
    choices_per_second: float
    wins_by_bot: dict[str, float]
    wins_by_seat: dict[str, float]
    #: In games with payoffs: the mean payoff per match of each bot and seat, and the half-width of its 95% interval.
    payoffs_by_bot: dict[str, tuple[float, float]]
    payoffs_by_seat: dict[str, tuple[float, float]]
    #: The unit of payoffs, such as chips; empty in other games.
    unit: str
    draws: int
    mean_choices: float
    sd_choices: float
    longest: int
    choices_by_phase: dict[str, int]
    endings: dict[str, int]
    #: Bots that failed; for the rest of that match a random bot replaced them.
    lost_clocks: dict[str, FailedMatches]
    #: Bots that use a value model but have none for these rules, options and content.
    without_value_model: list[str]


def simulate(
    game: str | Game, matches: int, *, bots: Sequence[str] = ("random",), seats: int | None = None,
    options: Mapping[str, Any] | None = None, content: Any = None, seed: int = 0, workers: int = 1,
    cluster: str | None = None, progress: Callable[[int], None] = lambda matches: None,
) -> SimulationSummary:  # fmt: skip
    """Play `matches` matches between bots and return a summary.

    :param game: The game, or its name or title.
    :param matches: The number of matches, at least 1.
    :param bots: Bot specifications: one bot for all seats, or one per seat. Default: random play.
    :param seats: The number of seats. Default: one per bot, or the game's smallest number for a single bot.
    :param options: Options of the game. Default: the game's defaults.
    :param content: The path of a content file, its data, or a result of `read_content`. Default: the game's own.
    :param seed: The seed of match number 0; match number i uses `seed` + i. Default: 0.
    :param workers: The number of processes on this machine, at least 1. Results don't depend on it.
    :param cluster: The address of a Dask scheduler such as "tcp://HOST:8786", used instead of `workers`.
    :param progress: Called with the number of finished matches, first with 0, before the rules are compiled.
    :raises BadBot: A bot is unknown, or bots and seats don't match.
    :raises BadOption: An option or value is not valid.
    :raises SparringError: The base class of these; also raised for too few matches or workers, or a lost cluster.
    """
    if matches < 1 or workers < 1:
        raise SparringError(f"The numbers of matches and workers must be at least 1, not {min(matches, workers)}.")
    setup = setup_of(game, options, content, None)
    own = setup.content if setup.own_content else None
    plan = MatchPlan(setup.game, setup.options, own, line_up(setup.game, bots, seats), read_seed(seed))
    read_seed(seed + matches)
    with make_executor(workers, cluster) as executor:
        progress(0)
        executor.prepare(_count, plan, (0, 0))
        start = time.perf_counter()
        counts = MatchCounts.blank(plan)
        for part in run_blocks(executor, _count, plan, _blocks(plan, matches)):
            counts += part
            progress(counts.matches)
        seconds = time.perf_counter() - start
    return summary(plan, counts, seconds)


def prepare(game: Game, bot: str) -> None:
    """Compile the code for matches between bots of this kind, or load it from the cache."""
    measure(MatchPlan(game, {}, None, line_up(game, [bot], None), 0), 0, 0)


def _blocks(plan: MatchPlan, matches: int) -> Iterator[Block]:
    iterations = max(bot.iterations for bot in plan.bots_at_level)
    size = max(1, SEARCH_WORK // iterations) if iterations else RANDOM_MATCHES
    if not all(bot.plays_compiled for bot in plan.bots):
        size = 1
    return ((first, min(size, matches - first)) for first in range(0, matches, size))


def _count(plan: MatchPlan, block: Block) -> MatchCounts:
    return measure(plan, *block).counts


def summary(plan: MatchPlan, counts: MatchCounts, seconds: float) -> SimulationSummary:
    """Summarize the counts of all matches."""
    figures_by_name, rules, names = figures(plan, counts), plan.game.rules, plan.bot_names
    choices = int(counts.kinds.sum())
    bots, seats = [f"bot {name}" for name in names], [f"seat {seat}" for seat in range(1, plan.seats + 1)]
    total = {column.name: int(sum_) / column.unit for column, sum_ in zip(columns(plan), counts.sums, strict=True)}
    payoffs = {name: _mean_and_margin(figure) for name, figure in figures_by_name.items() if figure.group == "payoff"}
    return SimulationSummary(
        game=plan.game.name, variant=plan.game.describe_options(plan.options),
        matches=counts.matches, choices=choices, seconds=round(seconds, 6),
        choices_per_second=round(choices / max(seconds, 1e-9), 1),
        wins_by_bot={name: total[f"wins/{bot}"] for name, bot in zip(names, bots, strict=True)},
        unit=plan.game.payoffs.unit if plan.game.payoffs else "",
        payoffs_by_bot={name: payoffs[f"payoff/{bot}"] for name, bot in zip(names, bots, strict=True) if payoffs},
        payoffs_by_seat={str(number): payoffs[f"payoff/{seat}"] for number, seat in enumerate(seats, 1) if payoffs},
        wins_by_seat={str(number): total[f"wins/{seat}"] for number, seat in enumerate(seats, 1)},
        draws=int(total["draws"]), mean_choices=figures_by_name["length/choices"].value,
        sd_choices=sqrt(figures_by_name["length/choices"].variance), longest=len(counts.lengths["choices"]) - 1,
        choices_by_phase=dict(zip(rules.PHASES, counts.kinds.sum(axis=1).tolist(), strict=True)),
        endings={ending: int(total[f"ends/{ending}"]) for ending in rules.ENDINGS},
        lost_clocks={names[bot]: FailedMatches(lost.matches, lost.why) for bot, lost in counts.failures.items()},
        without_value_model=plan.bots_without_value_model,
    )  # fmt: skip


def _mean_and_margin(figure: Figure) -> tuple[float, float]:
    """Return the mean and the half-width of its 95% interval (normal)."""
    low, high = interval(figure)
    return figure.value, (high - low) / 2
