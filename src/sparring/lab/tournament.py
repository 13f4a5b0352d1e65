"""Define tournaments (line-ups of bots in which every bot plays every seat equally often), play them, and save winners.

A tournament file:

    bots = ["random", "search:iterations=100", "careful"]
    matches = 200          # per line-up
    [[games]]
    name = "make-your-moves"
    seats = 3
    options = { match = "elimination" }

With two seats every pair of bots meets. With more seats every set of that many bots meets or, with fewer bots than
seats, every multiset of at least two different bots. In a line-up each bot plays every seat equally often and, with up
to four seats, next to every other bot.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.bots import parse
from sparring.bots.value_models import lacks_own_model
from sparring.engine.errors import BadOption, SparringError
from sparring.engine.formats.position_reader import read_seed
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.lab.executors import Executor
from sparring.lab.experiments.config import read_text
from sparring.lab.measures import columns, measure
from sparring.lab.measures.match_plan import MatchPlan, line_up

#: All orders around the table are played up to this number of seats.
MAX_SEATS_ORDERED = 4

FIELDS = ("bots", "matches", "seed", "games")
GAME_FIELDS = ("name", "seats", "options", "preset", "content")

#: The file with the winners, in the folder of a tournament.
FILE = "matches.json"

#: Called with the matches that were just played, and with all that were missing.
Progress = Callable[[int, int], None]

#: The size of a task: matches of random play, and matches x iterations of search.
RANDOM_TASK, SEARCH_TASK = 20_000, 5_000


@dataclass(frozen=True)
class TournamentEvent:
    """A game of the tournament with its options, content and number of seats."""

    game: Game
    options: Mapping[str, Any]
    content: Any
    seats: int

    @property
    def title(self) -> str:
        """The title: the game, its seats and the options that differ from the defaults."""
        defaults = self.game.setup().options
        changed = [f"{name} {value}" for name, value in self.options.items() if value != defaults[name]]
        return ", ".join([f"{self.game.title}, {self.seats} seats", *changed])

    def __reduce__(self) -> Any:
        """Pickle the game by name, so that a worker loads its own copy."""
        return _event, (self.game.name, self.options, self.content, self.seats)


def _event(game: str, *rest: Any) -> TournamentEvent:
    return TournamentEvent(find_game(game), *rest)


@dataclass(frozen=True)
class Tournament:
    """A tournament: bots, events, matches per line-up and first seed."""

    bots: tuple[str, ...]
    events: tuple[TournamentEvent, ...]
    matches: int
    seed: int = 0
    #: Bots that bring down the number of matches of their line-ups, because they take long.
    limits: Mapping[str, int] = field(default_factory=dict)
    #: The bots of interest: every line-up has one of them. Empty: all bots.
    newcomers: tuple[str, ...] = ()

    def line_ups(self, event: TournamentEvent) -> list[tuple[int, ...]]:
        """Return the line-ups of an event: bot indices in every order around the table."""
        indices = range(len(self.bots))
        sets = combinations(indices, event.seats)
        if len(self.bots) < event.seats:
            multisets = combinations_with_replacement(indices, event.seats)
            sets = (each for each in multisets if len(set(each)) > 1)  # type: ignore[assignment]
        wanted = {index for index in indices if self.bots[index] in (self.newcomers or self.bots)}
        return [order for line_up_set in sets if wanted & {*line_up_set} for order in _orders(line_up_set)]

    def matches_of(self, indices: Sequence[int]) -> int:
        """Return the number of matches of a line-up, given as indices of bots."""
        return min([self.matches, *(self.limits.get(self.bots[index], self.matches) for index in indices)])

    def bots_without_value_model(self, event: TournamentEvent) -> list[str]:
        """Return the bots that use a value model but have none for this game, its options and content."""
        lacks_model = lacks_own_model(event.game.setup(event.options, event.content), event.seats)
        return [bot for bot in self.bots if lacks_model and parse(bot).evaluates]

    def plan(self, event: TournamentEvent, indices: Sequence[int]) -> MatchPlan:
        """Return the match plan of a line-up, given as indices of bots."""
        bots = line_up(event.game, [self.bots[index] for index in indices], event.seats)
        return MatchPlan(event.game, event.options, event.content, bots, self.seed)


def _orders(bots: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the orders of a line-up around a table; above MAX_SEATS_ORDERED seats, only one and its reverse."""
    first, *others = bots
    if len(bots) > MAX_SEATS_ORDERED:
        return list(dict.fromkeys([bots, (first, *reversed(others))]))
    return list(dict.fromkeys((first, *order) for order in permutations(others)))


def read_tournament(file: Path) -> Tournament:
    """Read a tournament file; content paths in it are relative to its folder. Raises BadOption, BadContent, BadBot."""
    data = read_toml(read_text(file), file.name)
    _check_fields(data, FIELDS, file.name)
    bots, games, matches = data.get("bots"), data.get("games"), data.get("matches", 100)
    if not isinstance(bots, list) or len(set(map(str, bots))) != len(bots) or len(bots) < 2:
        raise BadOption(f"{file.name}: bots must be a list of at least two different bots.")
    if not isinstance(matches, int) or isinstance(matches, bool) or matches < 1:
        raise BadOption(f"{file.name}: matches must be a whole number, at least 1.")
    if not isinstance(games, list) or not games:
        raise BadOption(f"{file.name}: games must be a list of names, or tables [[games]].")
    seed = read_seed(data.get("seed", 0))
    events = tuple(_read_event(one, f"{file.name}: game {number}", file.parent) for number, one in enumerate(games, 1))
    tournament = Tournament(tuple(map(str, bots)), events, matches, seed)
    for event in events:
        for order in tournament.line_ups(event)[:1]:
            tournament.plan(event, order)
    for bot in tournament.bots:
        line_up(events[0].game, [bot], None)
    return tournament


def _read_event(data: Any, where: str, folder: Path) -> TournamentEvent:
    table = {"name": data} if isinstance(data, str) else data
    if not isinstance(table, dict) or not isinstance(table.get("name"), str):
        raise BadOption(f'{where} needs a name, such as name = "mace".')
    _check_fields(table, GAME_FIELDS, where)
    game = find_game(table["name"])
    options = table.get("options", {})
    if not isinstance(options, dict):
        raise BadOption(f"{where}: options must be a table, such as options = {{ life = 3 }}.")
    seats = table.get("seats")
    if seats is not None and (not isinstance(seats, int) or isinstance(seats, bool)):
        raise BadOption(f"{where}: seats must be a whole number.")
    preset = game.preset(str(table.get("preset", game.recommended)))
    content = game.read_content(folder / str(table["content"])) if "content" in table else None
    return TournamentEvent(game, game.setup({**preset, **options}, content).options, content, game.check_seats(seats))


def _check_fields(data: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in data:
        if key not in known:
            raise BadOption(f'{where}: unknown field "{key}"; known fields are {", ".join(known)}.')


class TournamentTask(NamedTuple):
    """A task for a worker: match numbers of one line-up in one event."""

    event: int
    line_up: tuple[int, ...]
    first: int
    matches: int


def play_task(
    tournament: Tournament, task: TournamentTask
) -> tuple[TournamentTask, list[int], dict[int, tuple[int, str]]]:
    """Play a task and return it with its results.

    These are the winners of each match (a bit mask over the line-up), and the bots that failed, by place in the
    line-up: the number of matches and the first reason.
    """
    plan = tournament.plan(tournament.events[task.event], task.line_up)
    measured = measure(plan, task.first, task.matches)
    names = [column.name for column in columns(plan)]
    seats = [names.index(f"wins/seat {seat}") for seat in range(1, plan.seats + 1)]
    won = measured.rows[:, seats] > 0
    numbers = task.first + np.arange(task.matches)[:, None]
    bits = (won << ((np.arange(plan.seats) + numbers) % plan.seats)).sum(axis=1)
    failures = {bot: (failed.matches, failed.why) for bot, failed in measured.counts.failures.items()}
    return task, bits.tolist(), failures


class TournamentScores:
    """The results so far, by event and line-up, stored in a file that a later run resumes."""

    def __init__(self, tournament: Tournament, folder: Path) -> None:
        self.tournament, self.file = tournament, folder / FILE
        self.won: dict[str, list[int]] = {}
        self.failures: dict[str, tuple[int, str]] = {}
        if self.file.exists():
            self._read()

    def _read(self) -> None:
        try:
            stored = json.loads(self.file.read_text(encoding="utf-8"))
            self.won = {key: list(map(int, won)) for key, won in stored["won"].items()}
            self.failures = {bot: (int(count), str(why)) for bot, (count, why) in stored["lost"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise SparringError(f"{self.file} is not a tournament file; move it or choose another folder.") from None

    def save(self) -> None:
        """Write the file atomically."""
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps({"won": self.won, "lost": self.failures}), encoding="utf-8")
        new.replace(self.file)

    def key(self, event: int, line_up: Sequence[int]) -> str:
        """Return the key of a line-up in the file: everything that its matches depend on."""
        entry = self.tournament.events[event]
        bots = [self.tournament.bots[bot] for bot in line_up]
        content = repr(entry.content) if entry.content is not None else ""
        return json.dumps(
            [entry.game.name, entry.game.version, entry.seats, dict(entry.options), content, self.tournament.seed, bots]
        )

    def results(self, event: int, line_up: Sequence[int]) -> list[int]:
        """Return the winners of the matches of a line-up so far, as in `play_task`."""
        return self.won.get(self.key(event, line_up), [])[: self.tournament.matches_of(line_up)]

    def missing_tasks(self) -> Iterator[TournamentTask]:
        """Yield the tasks still to play, alternating between line-ups."""
        remaining = []
        for event, entry in enumerate(self.tournament.events):
            for indices in self.tournament.line_ups(entry):
                size = self._size(entry, indices)
                done, matches = len(self.results(event, indices)), self.tournament.matches_of(indices)
                remaining.append(
                    [TournamentTask(event, indices, at, min(size, matches - at)) for at in range(done, matches, size)]
                )
        for index_in_round in range(max(map(len, remaining), default=0)):
            yield from (tasks[index_in_round] for tasks in remaining if index_in_round < len(tasks))

    def _size(self, event: TournamentEvent, line_up: Sequence[int]) -> int:
        bots = self.tournament.plan(event, line_up).bots_at_level
        iterations = max(bot.iterations for bot in bots)
        if not all(bot.plays_compiled for bot in bots):
            return 1
        return max(1, SEARCH_TASK // iterations) if iterations else RANDOM_TASK

    def add(self, done: tuple[TournamentTask, list[int], dict[int, tuple[int, str]]]) -> None:
        """Add the result of a task."""
        task, won, failures = done
        self.won.setdefault(self.key(task.event, task.line_up), []).extend(won)
        for place, (count, why) in failures.items():
            bot = self.tournament.bots[task.line_up[place]]
            before = self.failures.get(bot, (0, why))
            self.failures[bot] = before[0] + count, before[1]


def run(tournament: Tournament, folder: Path, executor: Executor, progress: Progress) -> TournamentScores:
    """Play the matches that are missing in a folder, which is created if needed, and save after every task.

    Raises SparringError if the folder can't be used, or if the workers are lost.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        scores = TournamentScores(tournament, folder)
        scores.save()
    except OSError as problem:
        raise SparringError(f"Can't save results in {folder}: {problem.strerror or problem}.") from None
    tasks = list(scores.missing_tasks())
    missing = sum(task.matches for task in tasks)
    for first in {task.event: task for task in reversed(tasks)}.values():
        executor.prepare(play_task, tournament, first._replace(matches=0))
    with closing(executor.map(play_task, tournament, tasks)) as results:
        for done in results:
            scores.add(done)
            scores.save()
            progress(done[0].matches, missing)
    return scores
