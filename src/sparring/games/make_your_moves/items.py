"""Make Your Moves: the items that the lab measures (cards, kinds, colours, powers); how close a seat is to winning."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule
from sparring.engine.types import Numbers

from .kit import CARDS, COLOURS, Params
from .moves import has_several_fours, spare_card
from .state import COUNTER, DISCARD, DODGE, ELIMINATION, NEEDED, State

POWERS = 3


def names(box: Box) -> tuple[Item, ...]:
    """Return the cards of the deck, kinds such as `Red2`, colours and powers."""
    powers = range(1, POWERS + 1)
    return (
        *(Item("card", card.name) for card in box.content.cards),
        *(Item("kind", f"{colour}{power}") for colour in COLOURS for power in powers),
        *(Item("colour", colour) for colour in COLOURS),
        *(Item("power", str(power)) for power in powers),
    )


@rule
def mark_card(kit: Params, card: int, marks: Numbers) -> None:
    """Mark a card, its kind, its colour and its power."""
    kinds = kit.cards
    colours = kinds + len(COLOURS) * POWERS
    marks[card] += 1
    marks[kinds + kit.colour[card] * POWERS + kit.power[card] - 1] += 1
    marks[colours + kit.colour[card]] += 1
    marks[colours + len(COLOURS) + kit.power[card] - 1] += 1


@rule
def held(kit: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the cards in hand."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        mark_card(kit, hand[i], marks)


@rule
def played(kit: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark a card played or picked for a four, or a four played without a choice; discards don't count."""
    if s.phase == DISCARD:
        return
    hand = s.hand[s.player]
    if action < CARDS:
        mark_card(kit, action, marks)
    elif (action == COUNTER or action == DODGE) and not has_several_fours(kit, hand):
        spare = spare_card(kit, hand)
        for i in range(1, hand[0] + 1):
            if hand[i] != spare:
                mark_card(kit, hand[i], marks)


@rule
def ahead(kit: Params, s: State, seat: int) -> float:
    """Return the share of the needed points; in an elimination match, the share left before the seat is out (R25)."""
    points = s.points[seat] / NEEDED
    return 1.0 - points if kit.match == ELIMINATION else points
