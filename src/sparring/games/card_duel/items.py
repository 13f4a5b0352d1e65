"""Card Duel: the items that the lab measures (the cards), and how close a seat is to winning."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule
from sparring.engine.types import Numbers

from .kit import Params
from .state import POINTS, SLOT, State


def names(box: Box) -> tuple[Item, ...]:
    """Return the cards in the order of the set."""
    return tuple(Item("card", card.name) for card in box.content.cards)


@rule
def held(kit: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the cards in hand and in play, and the one being played."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        marks[hand[i]] += 1
    for slot in range(kit.slots):
        if s.row[seat, slot]:
            marks[s.row[seat, slot] - 1] += 1
    if s.card and s.player == seat:
        marks[s.card - 1] += 1


@rule
def played(kit: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark the card that is played from the hand."""
    if action < SLOT:
        marks[action] += 1


@rule
def ahead(kit: Params, s: State, seat: int) -> float:
    """Return a seat's life as a share of the life at the start, or its points as a share of those needed (R1, R2)."""
    if kit.win == POINTS:
        return min(1.0, s.points[seat] / kit.points)
    return s.life[seat] / kit.life
