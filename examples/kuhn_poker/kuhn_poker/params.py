"""Kuhn poker: no options, and three fixed cards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.state import Components, Parameters, scalar

RANKS = ("Jack", "Queen", "King")
#: The cards, as positions number them.
PACK = Components(lambda _setup: {card: (str(card),) for card in range(len(RANKS))}, numbered=True)


class Params(Parameters):
    """What rules know besides the state: nothing, and a record needs a field."""

    cards = scalar()


@dataclass(frozen=True)
class Pack:
    """One card of each rank."""

    ranks: tuple[str, ...] = RANKS


def read_content(data: Mapping[str, Any], where: str) -> Pack:
    """Check the ranks, which are fixed."""
    if data.get("ranks") != list(RANKS):
        raise BadContent(f"{where}: ranks must be {', '.join(RANKS)}, in this order.")
    return Pack()
