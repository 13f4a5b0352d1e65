"""High Card: options, and the content file with the cards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sparring.engine.schema import ListField, RecordField, Integer, read
from sparring.engine.options import ChoiceOption, NumberOption, Option

CARDS = 20
HIGHEST = 99

OPTIONS: tuple[Option, ...] = (
    NumberOption("hand", 3, 1, 5, "Number of cards in each hand", "R1"),
    ChoiceOption("tie", ("nobody", "first"), "Who takes a trick if cards tie for it", "R2"),
    ChoiceOption("call", ("nobody", "leader"), "Who calls whether the highest or the lowest card takes a trick", "R3"),
)


@dataclass(frozen=True)
class Pack:
    """The value of each card. A record stores it in the form of its content file."""

    values: tuple[int, ...]


FORM = RecordField("content file", {
    "values": ListField(
        Integer(1, HIGHEST), "card", "pack", CARDS, CARDS, title="Cards", help="The value of each card.",
    ),
})  # fmt: skip


def read_content(data: Mapping[str, Any], where: str) -> Pack:
    """Check and read a content file with twenty `values`; `where` names it in errors."""
    return Pack(tuple(read(FORM, data, where)["values"]))


def pack(content: Pack, kit: Any) -> None:
    """Write the values into the kit record."""
    kit.value[:] = content.values
