"""High Card: the options, and the cards as they are read from a content file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.options import Choice, Number, Option

CARDS = 20
HIGHEST = 99

OPTIONS: tuple[Option, ...] = (
    Number("hand", 3, 1, 5, "How many cards everybody gets", "R1"),
    Choice("tie", ("nobody", "first"), "Who takes a trick of equal cards", "R2"),
    Choice("call", ("nobody", "leader"), "Who says before a trick whether high or low takes it", "R3"),
)


@dataclass(frozen=True)
class Pack:
    """The cards by their values; as plain data it has the form of its file, so that a record can hold it."""

    values: tuple[int, ...]


def read_content(data: Mapping[str, Any], where: str) -> Pack:
    """Check the cards: `values = [1, 2, ...]`, twenty of them."""
    values = data.get("values")
    if not isinstance(values, list) or len(values) != CARDS:
        raise BadContent(f"{where}: values is a list of {CARDS} whole numbers.")
    for number, value in enumerate(values, 1):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= HIGHEST:
            raise BadContent(f"{where}: card {number}: {value} is no whole number from 1 to {HIGHEST}.")
    return Pack(tuple(values))


def pack(content: Pack, kit: Any) -> None:
    """Write the values into the kit record."""
    kit.value[:] = content.values
