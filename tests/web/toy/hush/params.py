"""Options and cards of Hush."""

from collections.abc import Mapping
from typing import Any

import msgspec

from sparring.engine.errors import BadContent
from sparring.engine.state import Components, Parameters, array, choice_option, number_option

CARDS = 9


class Params(Parameters):
    """The options, and the values of the cards."""

    wins = choice_option(("high", "low"), "Which total wins")
    hand = number_option(3, 1, 3, "How many cards everybody gets")
    value = array(CARDS)


PACK = Components(lambda _setup: {card: (str(card),) for card in range(CARDS)}, numbered=True)


class Cards(msgspec.Struct, frozen=True):
    """The values of the cards."""

    values: tuple[int, ...]


def read_content(data: Mapping[str, Any], where: str) -> Cards:
    """Return the nine card values."""
    values = data.get("values")
    if not isinstance(values, list | tuple) or len(values) != CARDS:
        raise BadContent(f"{where}: values must be {CARDS} whole numbers.")
    return Cards(tuple(values))


def pack(content: Cards, params: Params) -> None:
    """The values of the cards."""
    params.value[:] = content.values
