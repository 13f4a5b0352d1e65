"""Frames: actions as numbers of the table, or as a seat sees them in its features.

Features count seats from the seat itself, and some games turn the board to it. In the *seat* frame, actions that name
seats or squares do the same, so that one policy can play every seat.
"""

from collections.abc import Callable
from typing import Any

from .game import Game
from .rule import rule


@rule
def same_action(kit, s, seat, action):  # type: ignore[no-untyped-def]
    """Return the action itself: for games whose actions name neither seats nor turned squares."""
    return action


def is_turned(game: Game) -> bool:
    """Return whether actions differ between the frames."""
    return hasattr(game.rules, "relative_action")


def relative_rule(game: Game) -> Callable[..., Any]:
    """Return the rule that turns an action of the table into one of a seat's frame."""
    return getattr(game.rules, "relative_action", same_action)


def absolute_rule(game: Game) -> Callable[..., Any]:
    """Return the rule that turns an action of a seat's frame into one of the table."""
    return getattr(game.rules, "absolute_action", same_action)
