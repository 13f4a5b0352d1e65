"""Sparring: a table for tabletop games, opponents to play them against, and a lab to test their rules in."""

from . import games
from .engine.errors import (
    Ambiguous, BadBot, BadContent, BadOption, BadPosition, BadRecord, ChoiceError, IllegalChoice, NotUnderstood,
    SparringError, UnknownGame,
)  # fmt: skip
from .engine.game import Box, Game
from .engine.match import Choice, Match, View

__all__ = [
    "Ambiguous", "BadBot", "BadContent", "BadOption", "BadPosition", "BadRecord", "Box", "Choice", "ChoiceError",
    "Game", "IllegalChoice", "Match", "NotUnderstood", "SparringError", "UnknownGame", "View", "games",
]  # fmt: skip
