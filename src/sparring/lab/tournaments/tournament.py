"""Define tournaments: line-ups of bots in several games, in which every bot plays every seat equally often.

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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, permutations
from pathlib import Path
from typing import Any

from sparring.bots import parse
from sparring.bots.value_models import lacks_own_model
from sparring.engine.errors import BadOption
from sparring.engine.formats.position_reader import read_seed
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.lab.experiments.config import read_text
from sparring.lab.measures.match_plan import MatchPlan, line_up

#: All orders around the table are played up to this number of seats.
MAX_SEATS_ORDERED = 4

FIELDS = ("bots", "matches", "seed", "games")
GAME_FIELDS = ("name", "seats", "options", "preset", "content")


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
        defaults = self.game.box().options
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
        lacks_model = lacks_own_model(event.game.box(event.options, event.content), event.seats)
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
    return TournamentEvent(game, game.box({**preset, **options}, content).options, content, game.check_seats(seats))


def _check_fields(data: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for key in data:
        if key not in known:
            raise BadOption(f'{where}: unknown field "{key}"; known fields are {", ".join(known)}.')
