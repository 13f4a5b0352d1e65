"""Benchmark suites: the games, anchors and seeds that results of a suite have in common.

A published suite never changes; other games or anchors make a new one. New rules of a game change its fingerprint,
which results contain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sparring.bots import parse
from sparring.engine.errors import BadBot, BadOption, UnknownGame
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.lab.tournaments.tournament import Tournament, TournamentEvent


@dataclass(frozen=True)
class Suite:
    """The fixed part of a benchmark."""

    name: str
    #: The bots that every other bot meets, weakest first.
    anchors: tuple[str, ...]
    #: Options of each game; all matches have two seats. A changed default changes none of the others (`stored_box`).
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
        return TournamentEvent(game, game.stored_box(self.games[name]).options, None, 2)

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
