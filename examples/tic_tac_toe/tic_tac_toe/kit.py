"""Tic-tac-toe: no options and no content."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.options import Option

OPTIONS: tuple[Option, ...] = ()


def read_content(data: Mapping[str, Any], where: str) -> None:
    """Return nothing: the game has no content."""


def pack(content: None, kit: Any) -> None:
    """Write nothing: the rules need no content."""
