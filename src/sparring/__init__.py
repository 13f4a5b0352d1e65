"""Sparring: play tabletop games against people and bots, and test their rules in a lab."""

from typing import TYPE_CHECKING

from sparring.engine.errors import (
    AmbiguousChoice,
    BadBot,
    BadContent,
    BadOption,
    BadPosition,
    BadRecord,
    ChoiceError,
    IllegalChoice,
    InvalidChoice,
    SparringError,
    UnknownGame,
)  # fmt: skip
from sparring.engine.game import Game, GameSetup
from sparring.engine.hints import Hint
from sparring.engine.match import Match
from sparring.engine.views import Choice, View

from .bots import advise

if TYPE_CHECKING:
    from sparring.engine.game import games
else:
    from sparring import games  # a callable package: games() returns the installed games

__all__ = [
    "AmbiguousChoice",
    "BadBot",
    "BadContent",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "Choice",
    "ChoiceError",
    "Game",
    "GameSetup",
    "Hint",
    "IllegalChoice",
    "InvalidChoice",
    "Match",
    "SparringError",
    "UnknownGame",
    "View",
    "games",
]  # fmt: skip

Match.adviser = advise
