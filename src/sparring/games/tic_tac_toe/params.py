"""Tic-tac-toe: options. It has no content file."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.state import Parameters, choice_option


class Params(Parameters):
    """What rules know besides the state: the options."""

    row = choice_option(("wins", "loses"), "What three in a row do for the player who makes them", "R2")


def read_content(data: Mapping[str, Any], where: str) -> None:
    """Return nothing: the game has no content."""


def pack(content: None, params: Params) -> None:
    """Write nothing: the rules need no content."""
