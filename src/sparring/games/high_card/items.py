"""High Card: what its designer asks about: the cards, and who has most tricks."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule

from .rules import HIGH


def names(box: Box) -> tuple[Item, ...]:
    """Each card by its value; equal ones with the number of the card too."""
    values = box.content.values
    return tuple(
        Item("card", f"{value}" if values.count(value) == 1 else f"{value}, number {card + 1}")
        for card, value in enumerate(values)
    )


@rule
def held(kit, s, seat, marks):
    """The cards in hand."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        marks[hand[i]] += 1


@rule
def played(kit, s, action, marks):
    """The card that is laid; a call plays none."""
    if action < HIGH:
        marks[action] += 1


@rule
def ahead(kit, s, seat):
    """How many of all tricks it has taken."""
    return s.tricks[seat] / kit.hand
