"""Crazy Eights: the options, and the fixed pack."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.state import Parameters, choice_option, number_option


class Params(Parameters):
    """What rules know besides the state: the options."""

    draws = number_option(5, 1, 52, "Maximum number of cards drawn before playing or passing", "R3")
    turns = number_option(100, 1, 1000, "Number of played cards after which the match ends", "R6")
    special = choice_option(
        ("no", "yes"),
        "Whether a Queen skips, an Ace reverses the direction, and a Two makes the next player draw two",
        "R5",
    )
    reshuffle = choice_option(("no", "yes"), "Whether played cards become the deck when it is empty", "R4")


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("clubs", "diamonds", "hearts", "spades")


@dataclass(frozen=True)
class Pack:
    """One card of each rank and suit."""

    ranks: tuple[str, ...] = RANKS
    suits: tuple[str, ...] = SUITS


def read_content(data: Mapping[str, Any], where: str) -> Pack:
    """Check the ranks and suits, which are fixed."""
    for key, known in (("ranks", RANKS), ("suits", SUITS)):
        if data.get(key) != list(known):
            raise BadContent(f"{where}: {key} must be {', '.join(known)}, in this order.")
    return Pack()
