"""High Card: options, and the content file with the cards."""

from dataclasses import dataclass

from sparring.engine.schema import Integer, ListField, RecordField
from sparring.engine.state import Components, Parameters, array, choice_option, number_option

CARDS = 20
HIGHEST = 99


class Params(Parameters):
    """What rules know besides the state: the options, and the value of each card."""

    hand = number_option(3, 1, 5, "Number of cards in each hand", "R1")
    tie = choice_option(("nobody", "first"), "Who takes a trick if cards tie for it", "R2")
    call = choice_option(("nobody", "leader"), "Who calls whether the highest or the lowest card takes a trick", "R3")
    value = array(CARDS)


#: The cards, as positions number them.
PACK = Components(lambda _setup: {card: (str(card),) for card in range(CARDS)}, numbered=True)


@dataclass(frozen=True)
class Content:
    """The value of each card, as a content file gives it."""

    values: tuple[int, ...]


FORM = RecordField("content file", {
    "values": ListField(
        Integer(1, HIGHEST), "card", "pack", CARDS, CARDS, title="Cards", help="The value of each card.",
    ),
})  # fmt: skip


def pack(content: Content, params: Params) -> None:
    """Write the values into the parameters."""
    params.value[:] = content.values
