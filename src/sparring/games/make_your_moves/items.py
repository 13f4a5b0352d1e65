"""Make Your Moves: what its designer asks about: each card, its kind, colour and power; and who has most points."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule

from .kit import CARDS, COLOURS
from .moves import choice_of_fours, spare_card
from .state import COUNTER, DISCARD, DODGE, ELIMINATION, NEEDED

POWERS = 3


def names(box: Box) -> tuple[Item, ...]:
    """The cards of the deck; kinds as `Red2`; colours; powers."""
    powers = range(1, POWERS + 1)
    return (
        *(Item("card", card.name) for card in box.content.cards),
        *(Item("kind", f"{colour}{power}") for colour in COLOURS for power in powers),
        *(Item("colour", colour) for colour in COLOURS),
        *(Item("power", str(power)) for power in powers),
    )


@rule
def mark_card(kit, card, marks):
    """A card, its kind, its colour and its power."""
    kinds = kit.cards
    colours = kinds + len(COLOURS) * POWERS
    marks[card] += 1
    marks[kinds + kit.colour[card] * POWERS + kit.power[card] - 1] += 1
    marks[colours + kit.colour[card]] += 1
    marks[colours + len(COLOURS) + kit.power[card] - 1] += 1


@rule
def held(kit, s, seat, marks):
    """The cards in hand."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        mark_card(kit, hand[i], marks)


@rule
def played(kit, s, action, marks):
    """A card that is laid or picked for a four, but not one that is discarded; the only four of a hand as a whole."""
    if s.phase == DISCARD:
        return
    hand = s.hand[s.player]
    if action < CARDS:
        mark_card(kit, action, marks)
    elif (action == COUNTER or action == DODGE) and not choice_of_fours(kit, hand):
        spare = spare_card(kit, hand)
        for i in range(1, hand[0] + 1):
            if hand[i] != spare:
                mark_card(kit, hand[i], marks)


@rule
def ahead(kit, s, seat):
    """Its points; in an elimination match those that are left to it (R25, R26, R30)."""
    points = s.points[seat] / NEEDED
    return 1.0 - points if kit.match == ELIMINATION else points
