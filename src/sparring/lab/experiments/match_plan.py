"""What is to be played: a game, its options and content, who sits at the table, and where the seeds begin."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sparring.bots import Bot, parse
from sparring.bots.value_models import misses
from sparring.engine.errors import BadBot, BadOption
from sparring.engine.game import Box, Game
from sparring.engine.game import game as find_game


@dataclass(frozen=True)
class MatchPlan:
    """What is to be played; small, for it goes to every worker. Matches are numbered from 0.

    Match number i is dealt from seed + i, and its seat k (from 0) is played by bot (k + i) modulo the number of seats.
    """

    game: Game
    options: Mapping[str, Any]
    content: Any
    bots: tuple[Bot, ...]
    seed: int
    #: Phases in which all bots choose at random.
    by_lot: tuple[str, ...] = ()

    @property
    def lots(self) -> int:
        """The same phases as bits."""
        return sum(1 << self.game.rules.PHASES.index(phase) for phase in self.by_lot)

    @property
    def seats(self) -> int:
        """How many seats play: one for each bot."""
        return len(self.bots)

    @property
    def box(self) -> Box:
        """What the matches are played with."""
        return self.game.box(self.options, self.content)

    @property
    def thinkers(self) -> list[Bot]:
        """The bots as their levels are at this table."""
        box = self.box
        return [bot.at_table(box, self.seats) for bot in self.bots]

    @property
    def without_judgement(self) -> list[str]:
        """The bots that would judge positions, but nothing was learned for these rules, options and content."""
        missed = misses(self.box, self.seats)
        return [name for name, bot in zip(self.called, self.bots, strict=True) if bot.judges and missed]

    @property
    def called(self) -> list[str]:
        """What the bots are called, equal ones numbered."""
        return names([bot.text for bot in self.bots])

    def __reduce__(self) -> Any:
        """For its way to a worker: the game goes by name."""
        return _plan, (self.game.name, dict(self.options), self.content, self.bots, self.seed, self.by_lot)


def _plan(game: str, *rest: Any) -> MatchPlan:
    return MatchPlan(find_game(game), *rest)


def line_up(game: Game, bots: Sequence[str], seats: int | None) -> tuple[Bot, ...]:
    """The bots for the seats of a match: one for all seats, or as many as there are seats."""
    parsed = [parse(text) for text in bots]
    if len(parsed) > 1:
        count = game.check_seats(seats or len(parsed))
        if count != len(parsed):
            raise BadBot(f"Give one bot for all seats or {count}, one for each, not {len(parsed)}.")
        return tuple(parsed)
    return tuple(parsed) * game.check_seats(seats)


def read_phases(given: Sequence[str] | None, game: Game) -> tuple[str, ...]:
    """Phases by name, each once, in the order of the game."""
    for phase in given or ():
        if phase not in game.rules.PHASES:
            raise BadOption(f"{game.title} has no phase {phase}; it has {', '.join(game.rules.PHASES)}.")
    return tuple(phase for phase in game.rules.PHASES if phase in (given or ()))


def names(texts: Sequence[str]) -> list[str]:
    """Equal ones numbered: random, search#1, search#2."""
    return [
        f"{text}#{texts[: place + 1].count(text)}" if texts.count(text) > 1 else text
        for place, text in enumerate(texts)
    ]
