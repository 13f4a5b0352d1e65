"""Many matches between bots, and the sum of them.

Match number i of a simulation is dealt from seed + i, and its seat k (from 0) is played by bot (k + i) modulo the
number of seats. So a match depends on the seed and its number alone, and the result on neither the number of workers
nor the order in which they finish. (A search by the clock is the exception: how far it comes depends on the machine.)
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sparring.bots import Bot, LostClock, parse, stand_in, stream
from sparring.bots.bot import Desk, nodes_for
from sparring.bots.judgements import misses
from sparring.bots.judging import plain_minds
from sparring.bots.search import matches as search_matches
from sparring.engine.drivers import playouts
from sparring.engine.errors import BadBot, SparringError
from sparring.engine.game import Box, Game, winners_of
from sparring.engine.match import Match
from sparring.engine.readable import read_seed

from .statistics import mean_and_margin
from .workers import hands

Array = np.ndarray[Any, Any]

#: How much one task of a worker is: about a second, in matches of random play and in matches x iterations.
RANDOM_TASK, SEARCH_TASK = 50_000, 5_000


@dataclass(frozen=True)
class Plan:
    """What is to be played; small, for it goes to every worker. Matches are numbered from 0."""

    game: Game
    options: Mapping[str, Any]
    content: Any
    bots: tuple[Bot, ...]
    seed: int

    @property
    def seats(self) -> int:
        """How many seats play: one for each bot."""
        return len(self.bots)

    @property
    def box(self) -> Box:
        """What the matches are played with."""
        return self.game.box(self.options, self.content)

    def __reduce__(self) -> Any:
        """For its way to a worker: the game goes by name."""
        return _plan, (self.game.name, dict(self.options), self.content, self.bots, self.seed)


def _plan(game: str, *rest: Any) -> Plan:
    from sparring.engine.game import game as find_game

    return Plan(find_game(game), *rest)


class Results(NamedTuple):
    """Matches in order: choices made, how they ended, payoffs (matches x seats); and choices by phase, added up."""

    lengths: Array
    endings: Array
    payoffs: Array
    phases: Array
    #: Which bot lost its clock in a match, and what it did; a stand-in played on.
    lost: list[tuple[int, str]]

    @property
    def counted(self) -> tuple[Array, Array, Array, Array]:
        """What compiled matches are counted in."""
        return self[:4]

    @classmethod
    def blank(cls, plan: Plan, matches: int) -> "Results":
        """Room for so many matches."""
        phases = np.zeros(len(plan.game.rules.PHASES), np.int64)
        return cls(
            np.zeros(matches, np.int32), np.zeros(matches, np.int16), np.zeros((matches, plan.seats)), phases, []
        )

    @classmethod
    def joined(cls, parts: Sequence["Results"]) -> "Results":
        """Parts in their order as one."""
        lengths, endings, payoffs = (np.concatenate([part[i] for part in parts]) for i in range(3))
        lost = [each for part in parts for each in part.lost]
        return cls(lengths, endings, payoffs, np.sum([part.phases for part in parts], axis=0), lost)


@dataclass(frozen=True)
class Lost:
    """In how many matches a bot lost its clock, and what it did the first time."""

    matches: int
    first: str


@dataclass(frozen=True)
class Summary:
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
    lost_clocks: dict[str, Lost]
    #: The bots that would judge positions, but nothing was learned for these rules, options and content.
    without_judgement: list[str]


def simulate(
    game: Game, matches: int, *, bots: Sequence[str] = ("random",), seats: int | None = None,
    options: Mapping[str, Any] | None = None, content: Any = None, seed: int = 0, workers: int = 1,
    cluster: str | None = None, progress: Callable[[int], None] = lambda matches: None,
) -> Summary:  # fmt: skip
    """Play so many matches. One bot plays on all seats; several are one for each seat.

    `workers` are processes here, `cluster` is the address of a Dask scheduler (see `hands`); the result depends on
    neither. `progress` hears how many matches are done, 0 first. Raises BadBot, BadOption or another SparringError.
    """
    if matches < 1 or workers < 1:
        raise SparringError(f"At least one match and one worker are needed, not {min(matches, workers)}.")
    plan = Plan(game, game.box(options, content).options, content, line_up(game, bots, seats), read_seed(seed))
    read_seed(seed + matches)
    with hands(workers, cluster) as them:
        them.prepare(_play_task, plan, (0, 0))
        progress(0)
        start = time.perf_counter()
        parts = []
        for part in them.each(_play_task, plan, _tasks(plan, matches, workers)):
            parts.append(part)
            progress(sum(len(part.lengths) for part in parts))
        seconds = time.perf_counter() - start
    return summary(plan, Results.joined(parts), seconds)


def line_up(game: Game, bots: Sequence[str], seats: int | None) -> tuple[Bot, ...]:
    """The bots for the seats of a match: one for all seats, or as many as there are seats."""
    parsed = [parse(text) for text in bots]
    if len(parsed) > 1:
        count = game.check_seats(seats or len(parsed))
        if count != len(parsed):
            raise BadBot(f"Give one bot for all seats or {count}, one for each, not {len(parsed)}.")
        return tuple(parsed)
    return tuple(parsed) * game.check_seats(seats)


def prepare(game: Game, bot: str) -> None:
    """Compile what matches between bots of this kind need, unless that was done before."""
    play(Plan(game, {}, None, line_up(game, [bot], None), 0), 0, 0)


# Playing


def play(plan: Plan, first: int, count: int) -> Results:
    """The matches from number `first` on, compiled as whole matches where no bot goes by the clock."""
    results = Results.blank(plan, count)
    if not all(bot.plays_compiled for bot in plan.bots):
        _play_one_by_one(plan, first, results)
    elif not any(bot.searches for bot in plan.bots):
        _play_random(plan, first, results)
    else:
        _play_search(plan, first, results)
    return results


def _play_random(plan: Plan, first: int, results: Results) -> None:
    from sparring.engine.compiled import blank_pair, compiled

    out = np.zeros(len(plan.game.rules.ACTIONS), np.int16)
    compiled(plan.game, playouts)(
        plan.box.kit, blank_pair(plan.game), out, plan.seed + first, plan.seats, *results.counted
    )


def _play_search(plan: Plan, first: int, results: Results) -> None:
    from sparring.engine.compiled import compiled

    budgets = np.array([bot.iterations for bot in plan.bots])
    desk = Desk(plan.game, nodes_for(plan.seats, int(budgets.max())), states=4)
    streams = np.zeros((plan.seats, 4), np.int64)
    box, minds = plan.box, plain_minds(plan.game, plan.seats)
    for bot, mind in zip(plan.bots, minds, strict=True):
        bot.prepare(mind, box, plan.seats)
    compiled(plan.game, search_matches)(
        box.kit,
        desk.work,
        desk.octets,
        desk.out,
        desk.nodes,
        desk.notes,
        minds,
        plan.seed,
        first,
        plan.seats,
        budgets,
        streams,
        *results.counted,
    )


def _play_one_by_one(plan: Plan, first: int, results: Results) -> None:
    """The same as the compiled driver `matches`, choice by choice."""
    box = plan.box
    for i in range(len(results.lengths)):
        number = first + i
        match = Match.deal(box, plan.seats, plan.seed + number)
        streams = [stream(plan.seed + number, bot + 1) for bot in range(plan.seats)]
        playing = list(plan.bots)
        while match.seat:
            bot = (match.seat - 1 + number) % plan.seats
            try:
                view = match.view(match.seat, memory=playing[bot].remembers)
                action = playing[bot].choose(view, streams[bot])
            except LostClock as lost:
                results.lost.append((bot, lost.why))
                playing[bot] = stand_in(plan.bots[bot].text)
                continue
            results.phases[match.state.phase] += 1
            match.choose(action)
        results.lengths[i] = len(match.history)
        results.endings[i] = match.state.ending
        results.payoffs[i] = match.state.payoff[: plan.seats]


# Handing out


def _tasks(plan: Plan, matches: int, workers: int) -> Iterator[tuple[int, int]]:
    """First number and count of each task."""
    thought = max(bot.iterations for bot in plan.bots)
    size = SEARCH_TASK // thought if thought else RANDOM_TASK
    if not all(bot.plays_compiled for bot in plan.bots):
        size = 1
    size = max(1, min(size, matches // (4 * workers)))
    return ((first, min(size, matches - first)) for first in range(0, matches, size))


def _play_task(plan: Plan, task: tuple[int, int]) -> Results:
    return play(plan, *task)


# Adding up


def summary(plan: Plan, results: Results, seconds: float) -> Summary:
    """All matches added up."""
    matches, choices = len(results.lengths), int(results.lengths.sum())
    won = winners_of(results.payoffs)
    winners = won.sum(axis=1)
    by_seat = _shares(won, winners)
    bots = (np.arange(plan.seats) + np.arange(matches)[:, None]) % plan.seats
    seats = np.argsort(bots, axis=1)  # of each bot, match by match
    by_bot = _shares(np.take_along_axis(won, seats, axis=1), winners)
    rules, called = plan.game.rules, names([bot.text for bot in plan.bots])
    paid = results.payoffs if plan.game.payoffs else results.payoffs[:, :0]
    paid_to_bots = np.take_along_axis(results.payoffs, seats, axis=1)[:, : paid.shape[1]]
    return Summary(
        game=plan.game.name, matches=matches, choices=choices, seconds=round(seconds, 6),
        choices_per_second=round(choices / max(seconds, 1e-9), 1),
        wins_by_bot=dict(zip(called, by_bot, strict=True)),
        unit=plan.game.payoffs.unit if plan.game.payoffs else "",
        payoffs_by_bot=dict(zip(called, map(mean_and_margin, paid_to_bots.T), strict=False)),
        payoffs_by_seat={str(seat): mean_and_margin(column) for seat, column in enumerate(paid.T, 1)},
        wins_by_seat={str(seat): wins for seat, wins in enumerate(by_seat, 1)},
        draws=int((winners == 0).sum()), mean_choices=float(results.lengths.mean()),
        sd_choices=float(results.lengths.std(ddof=1)) if matches > 1 else 0.0, longest=int(results.lengths.max()),
        choices_by_phase=dict(zip(rules.PHASES, results.phases.tolist(), strict=True)),
        endings={name: int((results.endings == number).sum()) for number, name in enumerate(rules.ENDINGS)},
        lost_clocks=_lost(called, results.lost),
        without_judgement=[
            name for name, bot in zip(called, plan.bots, strict=True) if bot.judges and misses(plan.box, plan.seats)
        ],
    )  # fmt: skip


def _lost(called: Sequence[str], lost: Sequence[tuple[int, str]]) -> dict[str, Lost]:
    """Who lost its clock, by the names of bots."""
    whys = {name: [why for bot, why in lost if bot == number] for number, name in enumerate(called)}
    return {name: Lost(len(why), why[0]) for name, why in whys.items() if why}


def _shares(won: Array, winners: Array) -> list[float]:
    """Wins by column; of a match with k winners each gets 1/k. Matches are counted first: one rounding."""
    most = won.shape[1]
    return [float(sum(int(column[winners == k].sum()) / k for k in range(1, most + 1))) for column in won.T]


def names(texts: Sequence[str]) -> list[str]:
    """Equal ones numbered: random, search#1, search#2."""
    return [
        f"{text}#{texts[: place + 1].count(text)}" if texts.count(text) > 1 else text
        for place, text in enumerate(texts)
    ]
