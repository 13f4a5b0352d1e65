"""A puzzle as data, and the view that it shows.

A puzzle holds a position that was sampled from what the seat knew (a determinization). So neither its file nor its page
contains what was hidden in the match, and the view is still the same byte for byte.
"""

from typing import Any, Literal

import msgspec

from sparring.engine.errors import SparringError
from sparring.engine.game import Game
from sparring.engine.match import Match
from sparring.engine.views import View

Difficulty = Literal["easy", "medium", "hard"]


class BadPuzzle(SparringError):
    """The puzzle is malformed, or is from another version of its game."""


class AnswerValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action with its estimated return from 0 to 1 (the win probability, or the share of the payoff range)."""

    action: int
    words: str
    value: float
    #: What the search expects after this action: sentences of the game's log for the seat.
    line: tuple[str, ...] = ()


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position with its best action, and how sure the searches are (`checks` defines the measures)."""

    #: The first digits of the view's key.
    id: str
    game: str
    #: The version of the game's rules.
    version: int
    #: The number of the self-play match that it comes from.
    match: int
    seat: int
    best: AnswerValue
    #: The best of the other actions, and the one that shallow searches prefer. They may be the same.
    second: AnswerValue
    tempting: AnswerValue
    #: The mean difference in return between the best and the second action, and its 95% confidence interval.
    margin: float
    low: float
    high: float
    #: How many of the shallow searches find the best action, from 0 to 1.
    found: float
    #: As `Match.position` returns it.
    position: dict[str, Any]

    @property
    def difficulty(self) -> Difficulty:
        """How hard the puzzle is, by the share of shallow searches that find the best action."""
        return "hard" if self.found <= 0.1 else "medium" if self.found <= 0.3 else "easy"

    def start(self, game: Game) -> Match:
        """Return a match at the position, sampled from what the seat knows.

        :raises BadPuzzle: The puzzle is from another version of the game, or its best action is illegal.
        """
        if self.version != game.version:
            raise BadPuzzle(
                f"Puzzle {self.id} is for version {self.version} of {game.title}; version {game.version} is installed."
            )
        match = Match.from_position(self.position, game=game)
        if match.seat != self.seat or self.best.action not in match.legal():
            raise BadPuzzle(f"Puzzle {self.id} of {game.title}: its best action is illegal.")
        return match

    def view(self, game: Game) -> View:
        """Return what the seat knows. Raises BadPuzzle as `start` does."""
        return self.start(game).view(self.seat)
