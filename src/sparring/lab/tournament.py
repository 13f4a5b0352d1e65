"""Tournaments: bots against each other in games, every seating as often; kept while they are played, and gone on with.

A tournament is a file:

    bots = ["random", "search:iterations=100", "careful"]
    matches = 200          # in each line-up of bots
    [[games]]
    name = "make-your-moves"
    seats = 3
    options = { match = "elimination" }

At a table for two every pair of bots meets. At a larger one every set of so many bots does; if there are fewer bots
than seats, every line-up of them that is not one bot alone. In a line-up everybody sits on every seat as often, and (up
to four seats) next to everybody else.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sparring.engine.errors import BadOption, SparringError
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.readable import read_seed
from sparring.engine.toml import read_toml

from .asking import read_text
from .hands import Hands
from .measures import columns, measure
from .plan import Plan, line_up
from .ratings import Rating, bradley_terry, plackett_luce
from .statistics import wilson

Array = np.ndarray[Any, Any]

#: How many matches are handed out at once: of random play, and of search in matches x iterations.
RANDOM_TASK, SEARCH_TASK = 20_000, 5_000

#: Who may sit next to whom is tried out at tables of so many seats.
MOST_ORDERED = 4

FIELDS = ("bots", "matches", "seed", "games")
GAME_FIELDS = ("name", "seats", "options", "preset", "content")


@dataclass(frozen=True)
class Event:
    """A game of the tournament, with its options and content."""

    game: Game
    options: Mapping[str, Any]
    content: Any
    seats: int

    @property
    def title(self) -> str:
        """What it is called: the game, and what is not as its rules have it."""
        usual = self.game.box().options
        changed = [f"{name} {value}" for name, value in self.options.items() if value != usual[name]]
        return ", ".join([f"{self.game.title}, {self.seats} seats", *changed])

    def __reduce__(self) -> Any:
        """For its way to a worker: the game goes by name."""
        return _event, (self.game.name, self.options, self.content, self.seats)


def _event(game: str, *rest: Any) -> Event:
    return Event(find_game(game), *rest)


@dataclass(frozen=True)
class Tournament:
    """What is played."""

    bots: tuple[str, ...]
    events: tuple[Event, ...]
    matches: int
    seed: int = 0

    def line_ups(self, event: Event) -> list[tuple[int, ...]]:
        """Which bots (by number) sit together, in every order around the table."""
        everybody = range(len(self.bots))
        some = combinations(everybody, event.seats)
        if len(self.bots) < event.seats:
            all_of_them = combinations_with_replacement(everybody, event.seats)
            some = (one for one in all_of_them if len(set(one)) > 1)  # type: ignore[assignment]
        return [order for sitting in some for order in _around(sitting)]

    def plan(self, event: Event, sitting: Sequence[int]) -> Plan:
        """The matches of a line-up."""
        bots = line_up(event.game, [self.bots[bot] for bot in sitting], event.seats)
        return Plan(event.game, event.options, event.content, bots, self.seed)


def _around(sitting: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The orders in which they can sit around a table; of many only one and its reverse."""
    first, *others = sitting
    if len(sitting) > MOST_ORDERED:
        return list(dict.fromkeys([sitting, (first, *reversed(others))]))
    return list(dict.fromkeys((first, *order) for order in permutations(others)))


class Task(NamedTuple):
    """Matches of a line-up, in an event."""

    event: int
    sitting: tuple[int, ...]
    first: int
    many: int


def play_task(tournament: Tournament, task: Task) -> tuple[Task, list[int], dict[int, tuple[int, str]]]:
    """Who won each match (a bit for each place of the line-up); who lost its clock, how often and by what."""
    plan = tournament.plan(tournament.events[task.event], task.sitting)
    measured = measure(plan, task.first, task.many)
    names = [column.name for column in columns(plan)]
    seats = [names.index(f"wins/seat {seat}") for seat in range(1, plan.seats + 1)]
    won = measured.rows[:, seats] > 0
    numbers = task.first + np.arange(task.many)[:, None]
    bits = (won << ((np.arange(plan.seats) + numbers) % plan.seats)).sum(axis=1)
    lost = {bot: (lost.matches, lost.why) for bot, lost in measured.counts.lost.items()}
    return task, bits.tolist(), lost


class Scores:
    """What was played so far: for every event and line-up who won each match, in a file that can be gone on with."""

    def __init__(self, tournament: Tournament, file: Path) -> None:
        self.tournament, self.file = tournament, file
        self.won: dict[str, list[int]] = {}
        self.lost: dict[str, tuple[int, str]] = {}
        if file.exists():
            self._read()

    def _read(self) -> None:
        try:
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            self.won = {key: list(map(int, won)) for key, won in kept["won"].items()}
            self.lost = {bot: (int(often), str(why)) for bot, (often, why) in kept["lost"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise SparringError(
                f"{self.file} is not what a tournament keeps; move it away, or name another folder."
            ) from None

    def keep(self) -> None:
        """Write it down; the file is whole at every moment."""
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps({"won": self.won, "lost": self.lost}), encoding="utf-8")
        new.replace(self.file)

    def key(self, event: int, sitting: Sequence[int]) -> str:
        """A line-up by all that its matches depend on."""
        one = self.tournament.events[event]
        bots = [self.tournament.bots[bot] for bot in sitting]
        own = repr(one.content) if one.content is not None else ""
        return json.dumps(
            [one.game.name, one.game.version, one.seats, dict(one.options), own, self.tournament.seed, bots]
        )

    def missing(self) -> Iterator[Task]:
        """What is still to be played, a part of every line-up in turn."""
        left = []
        for event, one in enumerate(self.tournament.events):
            for sitting in self.tournament.line_ups(one):
                size = self._size(one, sitting)
                done = len(self.won.get(self.key(event, sitting), []))
                ends = range(done, self.tournament.matches, size)
                left.append([Task(event, sitting, at, min(size, self.tournament.matches - at)) for at in ends])
        for turn in range(max(map(len, left), default=0)):
            yield from (tasks[turn] for tasks in left if turn < len(tasks))

    def _size(self, event: Event, sitting: Sequence[int]) -> int:
        bots = self.tournament.plan(event, sitting).bots
        thought = max(bot.iterations for bot in bots)
        if not all(bot.plays_compiled for bot in bots):
            return 1
        return max(1, SEARCH_TASK // thought) if thought else RANDOM_TASK

    def add(self, done: tuple[Task, list[int], dict[int, tuple[int, str]]]) -> None:
        """What a task gave."""
        task, won, lost = done
        self.won.setdefault(self.key(task.event, task.sitting), []).extend(won)
        for place, (often, why) in lost.items():
            bot = self.tournament.bots[task.sitting[place]]
            before = self.lost.get(bot, (0, why))
            self.lost[bot] = before[0] + often, before[1]


def play(tournament: Tournament, scores: Scores, them: Hands, progress: Callable[[int], None]) -> None:
    """Play what is missing, and keep it as it comes."""
    for event in tournament.events:
        them.prepare(play_task, tournament, Task(tournament.events.index(event), tournament.line_ups(event)[0], 0, 0))
    results = them.each(play_task, tournament, scores.missing())
    try:
        for done in results:
            scores.add(done)
            scores.keep()
            progress(done[0].many)
    finally:
        results.close()


# What it tells


class Standing(NamedTuple):
    """A bot in an event (or over all of them)."""

    bot: str
    matches: int
    #: A match that k bots won together counts 1/k for each.
    wins: float
    #: The share of wins, with its 95% interval.
    share: tuple[float, float, float]
    rating: Rating


class Standings(NamedTuple):
    """Everybody in an event, the best first; `cross` says which share each (row) won of its matches with each other."""

    title: str
    model: str
    standings: list[Standing]
    cross: dict[str, dict[str, float]]


def standings(scores: Scores) -> list[Standings]:
    """Of every event; then, if there are several, of all of them."""
    tournament = scores.tournament
    found = [_of(scores, event.title, [number]) for number, event in enumerate(tournament.events)]
    if len(found) > 1:
        found.append(_of(scores, "all games", list(range(len(tournament.events)))))
    return found


def _of(scores: Scores, title: str, events: Sequence[int]) -> Standings:
    tournament, bots = scores.tournament, scores.tournament.bots
    wins, matches = np.zeros(len(bots)), np.zeros(len(bots))
    beat, met = np.zeros((len(bots), len(bots))), np.zeros((len(bots), len(bots)))
    sequence: list[tuple[Sequence[int], Sequence[bool]]] = []
    for event in events:
        for sitting in tournament.line_ups(tournament.events[event]):
            for bits in scores.won.get(scores.key(event, sitting), [])[: tournament.matches]:
                won = [bool(bits >> place & 1) for place in range(len(sitting))]
                share = np.array(won) / max(sum(won), 1)
                sequence.append((sitting, won))
                for place, bot in enumerate(sitting):
                    wins[bot] += share[place]
                    matches[bot] += 1
                    for beside, other in enumerate(sitting):
                        if other != bot:
                            met[bot, other] += 1
                            beat[bot, other] += won[place] if won[place] != won[beside] else 0.5
    in_pairs = all(tournament.events[event].seats == 2 for event in events)
    ratings = bradley_terry(beat) if in_pairs else plackett_luce(len(bots), _mixed(sequence))
    standing = [
        Standing(
            bot,
            int(matches[n]),
            float(wins[n]),
            (_share(wins[n], matches[n]), *wilson(wins[n], int(matches[n]))),
            ratings[n],
        )
        for n, bot in enumerate(bots)
    ]
    cross = {
        bot: {other: float(beat[n, m] / met[n, m]) for m, other in enumerate(bots) if met[n, m]}
        for n, bot in enumerate(bots)
    }
    model = "Bradley-Terry, Elo points" if in_pairs else "Plackett-Luce, openskill points"
    return Standings(title, model, sorted(standing, key=lambda one: -one.rating.rating), cross)


def _share(wins: float, matches: float) -> float:
    return float(wins / matches) if matches else 0.0


def _mixed(sequence: list[tuple[Sequence[int], Sequence[bool]]]) -> list[tuple[Sequence[int], Sequence[bool]]]:
    """The matches of all line-ups in turn: who rates match by match remembers the last ones best."""
    order = np.random.default_rng(0).permutation(len(sequence))
    return [sequence[place] for place in order]


# Reading


def read_tournament(file: Path) -> Tournament:
    """A tournament from its file; content files in it are meant from where it lies."""
    data = read_toml(read_text(file), file.name)
    _check_fields(data, FIELDS, file.name)
    bots, games, matches = data.get("bots"), data.get("games"), data.get("matches", 100)
    if not isinstance(bots, list) or len(set(map(str, bots))) != len(bots) or len(bots) < 2:
        raise BadOption(f"{file.name}: bots is a list of at least two different bots.")
    if not isinstance(matches, int) or isinstance(matches, bool) or matches < 1:
        raise BadOption(f"{file.name}: matches is a whole number from 1.")
    if not isinstance(games, list) or not games:
        raise BadOption(f"{file.name}: games is a list of tables [[games]], or of names.")
    seed = read_seed(data.get("seed", 0))
    events = tuple(_read_event(one, f"{file.name}: game {number}", file.parent) for number, one in enumerate(games, 1))
    tournament = Tournament(tuple(map(str, bots)), events, matches, seed)
    for event in events:
        for sitting in tournament.line_ups(event)[:1]:
            tournament.plan(event, sitting)
    for bot in tournament.bots:
        line_up(events[0].game, [bot], None)
    return tournament


def _read_event(data: Any, where: str, folder: Path) -> Event:
    table = {"name": data} if isinstance(data, str) else data
    if not isinstance(table, dict) or not isinstance(table.get("name"), str):
        raise BadOption(f"{where} needs a name.")
    _check_fields(table, GAME_FIELDS, where)
    game = find_game(table["name"])
    options = table.get("options", {})
    if not isinstance(options, dict):
        raise BadOption(f"{where}: options is a table.")
    seats = table.get("seats")
    if seats is not None and (not isinstance(seats, int) or isinstance(seats, bool)):
        raise BadOption(f"{where}: seats is a whole number.")
    preset = game.preset(str(table["preset"])) if "preset" in table else {}
    content = game.read_content(folder / str(table["content"])) if "content" in table else None
    return Event(game, game.box({**preset, **options}, content).options, content, game.check_seats(seats))


def _check_fields(data: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in data:
        if key not in known:
            raise BadOption(f"{where}: there is no field {key}; there is {', '.join(known)}.")
