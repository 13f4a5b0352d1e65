"""Tic-tac-toe: no options and no content."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.options import Option
from sparring.engine.state import Parameters, scalar

OPTIONS: tuple[Option, ...] = ()


class Params(Parameters):
    """What rules know besides the state: nothing, and a record needs a field."""

    none = scalar()


def read_content(data: Mapping[str, Any], where: str) -> None:
    """Return nothing: the game has no content."""


def pack(content: None, params: Params) -> None:
    """Write nothing: the rules need no content."""
