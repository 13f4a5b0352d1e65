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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, permutations
from pathlib import Path
from typing import Any

from sparring.bots import parse
from sparring.bots.value_models import misses
from sparring.engine.errors import BadOption
from sparring.engine.formats.position_reader import read_seed
from sparring.engine.formats.toml_reader import read_toml
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.lab.experiments.config import read_text
from sparring.lab.experiments.match_plan import MatchPlan, line_up

#: Who may sit next to whom is tried out at tables of so many seats.
MOST_ORDERED = 4

FIELDS = ("bots", "matches", "seed", "games")
GAME_FIELDS = ("name", "seats", "options", "preset", "content")


@dataclass(frozen=True)
class TournamentEvent:
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


def _event(game: str, *rest: Any) -> TournamentEvent:
    return TournamentEvent(find_game(game), *rest)


@dataclass(frozen=True)
class Tournament:
    """What is played."""

    bots: tuple[str, ...]
    events: tuple[TournamentEvent, ...]
    matches: int
    seed: int = 0

    def line_ups(self, event: TournamentEvent) -> list[tuple[int, ...]]:
        """Which bots (by number) sit together, in every order around the table."""
        everybody = range(len(self.bots))
        some = combinations(everybody, event.seats)
        if len(self.bots) < event.seats:
            all_of_them = combinations_with_replacement(everybody, event.seats)
            some = (one for one in all_of_them if len(set(one)) > 1)  # type: ignore[assignment]
        return [order for sitting in some for order in _around(sitting)]

    def without_judgement(self, event: TournamentEvent) -> list[str]:
        """The bots that would judge positions, but nothing was learned for this game, its options and its content."""
        missed = misses(event.game.box(event.options, event.content), event.seats)
        return [bot for bot in self.bots if missed and parse(bot).judges]

    def plan(self, event: TournamentEvent, sitting: Sequence[int]) -> MatchPlan:
        """The matches of a line-up."""
        bots = line_up(event.game, [self.bots[bot] for bot in sitting], event.seats)
        return MatchPlan(event.game, event.options, event.content, bots, self.seed)


def _around(sitting: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The orders in which they can sit around a table; of many only one and its reverse."""
    first, *others = sitting
    if len(sitting) > MOST_ORDERED:
        return list(dict.fromkeys([sitting, (first, *reversed(others))]))
    return list(dict.fromkeys((first, *order) for order in permutations(others)))


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


def _read_event(data: Any, where: str, folder: Path) -> TournamentEvent:
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
    return TournamentEvent(game, game.box({**preset, **options}, content).options, content, game.check_seats(seats))


def _check_fields(data: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in data:
        if key not in known:
            raise BadOption(f"{where}: there is no field {key}; there is {', '.join(known)}.")
