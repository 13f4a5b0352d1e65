"""Options and cards of Hush."""

from collections.abc import Mapping
from typing import Any

import msgspec

from sparring.engine.errors import BadContent
from sparring.engine.options import ChoiceOption, NumberOption, Option

CARDS = 9
OPTIONS: tuple[Option, ...] = (
    ChoiceOption("wins", ("high", "low"), "Which total wins"),
    NumberOption("hand", 3, 1, 3, "How many cards everybody gets"),
)


class Cards(msgspec.Struct, frozen=True):
    """The values of the cards."""

    values: tuple[int, ...]


def read_content(data: Mapping[str, Any], where: str) -> Cards:
    """Return the nine card values."""
    values = data.get("values")
    if not isinstance(values, list | tuple) or len(values) != CARDS:
        raise BadContent(f"{where}: values must be {CARDS} whole numbers.")
    return Cards(tuple(values))


def pack(content: Any, kit: Any) -> None:
    """The values of the cards."""
    kit.value[:] = content.values
