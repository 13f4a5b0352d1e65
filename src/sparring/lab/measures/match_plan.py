"""Specify a series of matches: game, options, content, bots and seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sparring.bots import Bot, parse
from sparring.bots.value_models import lacks_own_model
from sparring.engine.errors import BadBot, BadOption
from sparring.engine.game import Game, GameSetup
from sparring.engine.game import game as find_game


@dataclass(frozen=True)
class MatchPlan:
    """A series of matches, small enough to send to every worker. Matches are numbered from 0.

    Match number i is dealt from seed + i, and its seat k (from 0) is played by bot (k + i) modulo the number of seats.
    """

    game: Game
    options: Mapping[str, Any]
    content: Any
    bots: tuple[Bot, ...]
    seed: int
    #: Phases in which every bot chooses at random.
    by_lot: tuple[str, ...] = ()

    @property
    def random_phase_mask(self) -> int:
        """The random phases as a bit mask."""
        return sum(1 << self.game.rules.PHASES.index(phase) for phase in self.by_lot)

    @property
    def seats(self) -> int:
        """The number of seats, one per bot."""
        return len(self.bots)

    @property
    def setup(self) -> GameSetup:
        """The game with these options and this content."""
        return self.game.setup(self.options, self.content)

    @property
    def bots_at_level(self) -> list[Bot]:
        """The bots, with the search budgets that this game defines for their levels."""
        setup = self.setup
        return [bot.at_table(setup, self.seats) for bot in self.bots]

    @property
    def bots_without_value_model(self) -> list[str]:
        """The names of bots that use a value model but have none for these rules, options and content."""
        missed = lacks_own_model(self.setup, self.seats)
        return [name for name, bot in zip(self.bot_names, self.bots, strict=True) if bot.evaluates and missed]

    @property
    def bot_names(self) -> list[str]:
        """The names of the bots; equal bots are numbered."""
        return numbered_names([bot.text for bot in self.bots])

    def __reduce__(self) -> Any:
        """Pickle the game by name, so that a worker loads its own copy."""
        return _plan, (self.game.name, dict(self.options), self.content, self.bots, self.seed, self.by_lot)


def _plan(game: str, *rest: Any) -> MatchPlan:
    return MatchPlan(find_game(game), *rest)


def line_up(game: Game, bots: Sequence[str], seats: int | None) -> tuple[Bot, ...]:
    """Return one bot per seat, from one bot for all seats or one for each.

    Raises BadBot if neither fits the number of seats.
    """
    parsed = [parse(text) for text in bots]
    if len(parsed) > 1:
        count = game.check_seats(seats or len(parsed))
        if count != len(parsed):
            raise BadBot(f"Give one bot for all seats or {count} bots, one per seat, not {len(parsed)}.")
        return tuple(parsed)
    return tuple(parsed) * game.check_seats(seats)


def read_phases(phases: Sequence[str] | None, game: Game) -> tuple[str, ...]:
    """Return the named phases without duplicates, in the order of the game; raise BadOption for an unknown one."""
    for phase in phases or ():
        if phase not in game.rules.PHASES:
            raise BadOption(f'{game.title} has no phase "{phase}"; its phases are {", ".join(game.rules.PHASES)}.')
    return tuple(phase for phase in game.rules.PHASES if phase in (phases or ()))


def numbered_names(texts: Sequence[str]) -> list[str]:
    """Number equal names: random, search#1, search#2."""
    return [
        f"{text}#{texts[: place + 1].count(text)}" if texts.count(text) > 1 else text
        for place, text in enumerate(texts)
    ]
