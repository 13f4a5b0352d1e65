"""Benchmark suites, and running one: matches, exploitability and CPU times. An interrupted run resumes from its files.

A published suite never changes; other games or anchors make a new one. New rules of a game change its fingerprint,
which results contain.
"""

import hashlib
import json
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sparring.bots import parse
from sparring.bots.value_models import find_model, fingerprint
from sparring.engine.errors import BadBot, BadOption, SparringError, UnknownGame
from sparring.engine.game import Game, GameSetup
from sparring.engine.game import game as find_game
from sparring.engine.views import View

from .benchmark_results import BenchmarkResult, ExactResult, FailedBot, GameResult, PairResult, rate
from .executors import Executor
from .game_tree import bot_policy, exploitability
from .measures import measure
from .speed import machine
from .tournament import Tournament, TournamentEvent, TournamentScores
from .tournament import run as play_tournament


@dataclass(frozen=True)
class Suite:
    """The fixed part of a benchmark."""

    name: str
    #: The bots that every other bot meets, weakest first.
    anchors: tuple[str, ...]
    #: Options of each game; all matches have two seats. A changed default changes none of the others (`stored_setup`).
    games: Mapping[str, Mapping[str, Any]]
    #: Games without matches, small enough to compute how exploitable a bot is.
    exact: tuple[str, ...]
    #: The number of matches of each pair, the seed of the first one, and the streams that exploitability averages over.
    matches: int
    seed: int
    streams: int

    def tournament(
        self, bots: Sequence[str] = (), *, matches: int | None = None, limits: Mapping[str, int] | None = None,
        games: Sequence[str] = (),
    ) -> Tournament:  # fmt: skip
        """Return the matches of the suite.

        :param bots: Bots that meet every anchor, while anchors don't meet each other. Default: none; all anchors meet.
        :param matches: The number of matches of each pair. Default: that of the suite.
        :param limits: Lower numbers for the pairs of some bots.
        :param games: Only these games of the suite. Default: all.
        :raises BadBot: A bot is unknown or an anchor.
        :raises BadOption: A game is not in the suite, or a limit is for a bot that doesn't play.
        """
        for bot in bots:
            parse(bot)
            if bot in self.anchors:
                raise BadBot(f"{bot} is an anchor of the suite {self.name}; without --bot, all anchors play.")
        for name in games:
            if name not in {*self.games, *self.exact}:
                raise BadOption(f"{name} is not in the suite {self.name}: {', '.join([*self.games, *self.exact])}.")
        for bot in limits or ():
            if bot not in {*self.anchors, *bots}:
                raise BadOption(f"{bot} doesn't play; these do: {', '.join([*self.anchors, *bots])}.")
        events = tuple(self.event(name) for name in self.games if not games or name in games)
        playing = (*self.anchors, *dict.fromkeys(bots))
        newcomers = tuple(dict.fromkeys(bots))
        return Tournament(playing, events, matches or self.matches, self.seed, dict(limits or {}), newcomers)

    def event(self, name: str) -> TournamentEvent:
        """Return a game of the suite with its options, for two seats."""
        game = find_game(name)
        return TournamentEvent(game, game.stored_setup(self.games[name]).options, None, 2)

    def exact_games(self, games: Sequence[str] = ()) -> tuple[list[Game], list[str]]:
        """Return the installed games in which exploitability is computed, and the names of the missing ones."""
        found, missing = list[Game](), list[str]()
        for name in self.exact:
            if games and name not in games:
                continue
            try:
                found.append(find_game(name))
            except UnknownGame:
                missing.append(name)
        return found, missing


SUITES = {
    "v1": Suite(
        "v1",
        anchors=("random", "search:level=gentle", "search:level=steady", "search:level=strong", "plain:iterations=1000",
                 "search:level=master"),
        games={
            "make-your-moves": {}, "world-of-fighters": {}, "untitled-movement": {}, "mace": {},
            "five-circles": {"opening": "hold"},
        },
        exact=("kuhn-poker", "leduc-poker"), matches=1000, seed=20_261_127, streams=16,
    ),
}  # fmt: skip


def suite_named(name: str) -> Suite:
    """Return a suite by its name. Raises BadOption."""
    if name not in SUITES:
        raise BadOption(f"There is no suite {name}; choose {', '.join(SUITES)}.")
    return SUITES[name]


#: The files of a run beside the winners of its matches: exploitability, and the result.
EXACT, RESULT = "exact.json", "result.json"

#: How long a bot plays against itself to measure its CPU time for an action (seconds), and the most matches.
CPU_SECONDS, CPU_MATCHES = 1.0, 4096

#: Called with the name of a step, how much more of it is done, and how much there is in all.
Progress = Callable[[str, int, int], None]


def run(
    suite: Suite, tournament: Tournament, exact: Sequence[Game], folder: Path, executor: Executor, progress: Progress
) -> BenchmarkResult:
    """Play what is missing in `folder` and return the result.

    :param suite: The suite, and `tournament`, its matches (`Suite.tournament`).
    :param exact: The games in which exploitability is computed.
    :param folder: Where results are saved during the run; it is created if needed.
    :raises SparringError: The folder can't be used, or the workers are lost.
    """
    scores = play_tournament(tournament, folder, executor, partial(progress, "Matches"))
    exploited = _exact_results(suite, tournament, exact, folder / EXACT, executor, progress)
    times = _cpu_times(tournament, executor, progress)
    games = [game_result(scores, number, times[number]) for number in range(len(tournament.events))]
    return BenchmarkResult(
        suite=suite.name, seed=suite.seed, bots=list(tournament.newcomers or tournament.bots),
        matches=tournament.matches, limits=dict(tournament.limits), games=games, exact=exploited,
        failures=[FailedBot(bot, *failed) for bot, failed in sorted(scores.failures.items())],
        sparring=version("sparring"), commit=commit(), machine=machine(), date=f"{datetime.now(UTC):%Y-%m-%d}",
    ).sealed()  # fmt: skip


def game_result(scores: TournamentScores, number: int, milliseconds: dict[str, float]) -> GameResult:
    """Return the result of a tournament's event."""
    tournament, event = scores.tournament, scores.tournament.events[number]
    pairs = []
    for first, second in tournament.line_ups(event):
        winners = "".join(map(str, scores.results(number, (first, second))))
        pairs.append(PairResult.of((tournament.bots[first], tournament.bots[second]), winners))
    setup = event.game.setup(event.options)
    return GameResult(
        event.game.name, event.game.version, event.seats, dict(event.options), fingerprint(setup, event.seats),
        model_hash(setup, event.seats), pairs, rate(pairs), milliseconds,
    )  # fmt: skip


def model_hash(setup: GameSetup, seats: int) -> str:
    """Return a hash of the value model and policy prior that bots use at a table; empty if there is none."""
    model = find_model(setup, seats)
    if model is None:
        return ""
    hashed = hashlib.blake2b(f"{model.rollout} {model.exploration}".encode(), digest_size=16)
    parts = [model.linear, model.hidden_weights, model.hidden_bias, model.output_weights]
    if prior := model.prior:
        parts += [prior.hidden_weights, prior.hidden_bias, prior.action_weights, prior.action_bias]
    for part in parts:
        hashed.update(part.tobytes())
    return hashed.hexdigest()


def exact_result(streams: int, task: tuple[GameSetup, str]) -> ExactResult:
    """Compute how exploitable a bot is; `random` counts as uniform play."""
    setup, bot = task
    assert setup.game.deals
    policy = _uniform if bot == "random" else bot_policy(bot, streams)
    found = exploitability(setup, setup.game.deals(setup, 2), policy)
    return ExactResult(setup.game.name, setup.game.version, bot, streams, round(found, 6))


def _uniform(view: View) -> list[float]:
    return [1 / len(view.legal)] * len(view.legal)


def _exact_results(
    suite: Suite, tournament: Tournament, games: Iterable[Game], file: Path, executor: Executor, progress: Progress
) -> list[ExactResult]:
    """Return how exploitable each bot is, from the file where it has the figure."""
    known: dict[str, float] = {}
    if file.exists():
        try:
            known = {key: float(value) for key, value in json.loads(file.read_text(encoding="utf-8")).items()}
        except (OSError, ValueError, TypeError, AttributeError):
            raise SparringError(f"{file} has no exploitability values; move it or choose another folder.") from None
    tasks = [(game.setup(), bot) for game in games for bot in tournament.newcomers or tournament.bots]
    keys = {json.dumps([setup.game.name, setup.game.version, bot, suite.streams]): (setup, bot) for setup, bot in tasks}
    missing = [task for key, task in keys.items() if key not in known]
    for found in executor.map(exact_result, suite.streams, missing):
        known[json.dumps([found.game, found.version, found.bot, found.streams])] = found.exploitability
        file.write_text(json.dumps(known), encoding="utf-8")
        progress("Exploitability", 1, len(missing))
    return [
        ExactResult(setup.game.name, setup.game.version, bot, suite.streams, known[key])
        for key, (setup, bot) in keys.items()
    ]


def cpu_time(tournament: Tournament, task: tuple[int, int]) -> float:
    """Return a bot's CPU milliseconds for an action, in matches against itself; a task is an event and a bot."""
    event, bot = task
    plan = tournament.plan(tournament.events[event], (bot, bot))
    measure(plan, 0, 0)
    count = 1
    while True:
        start = time.process_time()
        actions = int(measure(plan, 0, count).counts.kinds.sum())
        seconds = time.process_time() - start
        if seconds >= CPU_SECONDS or count >= CPU_MATCHES:
            return float(f"{1000 * seconds / actions:.3g}")
        count *= 4


def _cpu_times(tournament: Tournament, executor: Executor, progress: Progress) -> list[dict[str, float]]:
    """Return the CPU times of all bots, for each event."""
    tasks = [(event, bot) for event in range(len(tournament.events)) for bot in range(len(tournament.bots))]
    times: list[dict[str, float]] = [{} for _ in tournament.events]
    for (event, bot), milliseconds in zip(tasks, executor.map(cpu_time, tournament, tasks), strict=True):
        times[event][tournament.bots[bot]] = milliseconds
        progress("CPU time", 1, len(tasks))
    return times


def commit() -> str:
    """Return the commit of this checkout, with `-dirty` if files were changed; empty if this isn't a checkout."""
    here = Path(__file__)
    git = ["git", "-C", str(here.parent)]
    try:
        subprocess.run([*git, "ls-files", "--error-unmatch", here.name], capture_output=True, check=True)
        named = [*git, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
        return subprocess.run(named, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def event_of(result: GameResult, game: Game) -> TournamentEvent:
    """Return the event of a result in a game, with the options of the result."""
    return TournamentEvent(game, game.stored_setup(result.options).options, None, result.seats)
