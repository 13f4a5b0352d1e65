"""Sparring: play tabletop games against people and bots, and test their rules in a lab."""

from typing import TYPE_CHECKING

from .bots import advise
from .engine.errors import (
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
from .engine.game import Box, Game
from .engine.hints import Hint
from .engine.match import Match
from .engine.views import Choice, View

if TYPE_CHECKING:
    from .engine.game import games
else:
    from . import games  # a callable package: games() returns the installed games

__all__ = [
    "AmbiguousChoice",
    "BadBot",
    "BadContent",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "Box",
    "Choice",
    "ChoiceError",
    "Game",
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
