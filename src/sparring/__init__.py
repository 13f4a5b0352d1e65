"""Sparring: a table for tabletop games, opponents to play them against, and a lab to test their rules in."""

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
    from . import games  # the folder of the games, which can be called

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
