"""Kuhn poker: no options, and three cards that nobody changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.options import Option

OPTIONS: tuple[Option, ...] = ()
RANKS = ("Jack", "Queen", "King")


@dataclass(frozen=True)
class Pack:
    """One card of each rank."""

    ranks: tuple[str, ...] = RANKS


def read_content(data: Mapping[str, Any], where: str) -> Pack:
    """The file says nothing but the ranks, and those are fixed."""
    if data.get("ranks") != list(RANKS):
        raise BadContent(f"{where}: ranks are {', '.join(RANKS)}, the lowest first.")
    return Pack()


def pack(content: Pack, kit: Any) -> None:
    """There is nothing to write: the rules know the cards."""
