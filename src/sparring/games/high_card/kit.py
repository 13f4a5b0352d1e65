"""High Card: the options, and the cards as they are read from a content file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.form import Many, Record, Whole, read
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


FORM = Record("content file", {
    "values": Many(
        Whole(1, HIGHEST), "card", "pack", CARDS, CARDS, title="The cards", help="What each card of the pack is worth.",
    ),
})  # fmt: skip


def read_content(data: Mapping[str, Any], where: str) -> Pack:
    """Check the cards: `values = [1, 2, ...]`, twenty of them."""
    return Pack(tuple(read(FORM, data, where)["values"]))


def pack(content: Pack, kit: Any) -> None:
    """Write the values into the kit record."""
    kit.value[:] = content.values
