"""Tic-tac-toe: no options and no content."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.options import Option

OPTIONS: tuple[Option, ...] = ()


def read_content(data: Mapping[str, Any], where: str) -> None:
    """There is none."""


def pack(content: None, kit: Any) -> None:
    """There is nothing to write."""
