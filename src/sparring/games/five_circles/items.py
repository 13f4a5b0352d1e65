"""Five Circles: what its designer asks about: characters, abilities, colours of resources; and who has more life."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule

from .abilities import ABILITIES
from .state import BRING, COLOURS, PLAY, SIDE, SLOTS, TARGET, USE

#: The abilities come first, then the colours, then the designs.
COLOUR = len(ABILITIES)
CHARACTER = COLOUR + len(COLOURS)


def names(box: Box) -> tuple[Item, ...]:
    """Abilities, colours of resources, and the designs of characters."""
    return (
        *(Item("ability", ability.name) for ability in ABILITIES),
        *(Item("resource", colour) for colour in COLOURS),
        *(Item("character", str(card.name)) for card in box.content.cards),
    )


@rule
def mark_character(kit, card, marks):
    """A character and all that it can do."""
    marks[CHARACTER + kit.card_design[card]] += 1
    for slot in range(SLOTS):
        if kit.card_ability[card, slot] < 0:
            break
        marks[kit.card_ability[card, slot]] += 1


@rule
def held(kit, s, seat, marks):
    """The characters in hand and in play with their abilities; the colours in hand."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        mark_character(kit, hand[i], marks)
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at]:
            mark_character(kit, s.row[at] - 1, marks)
    for colour in range(len(COLOURS)):
        marks[COLOUR + colour] += s.held[seat, colour]


@rule
def played(kit, s, action, marks):
    """A resource; a character with those abilities that work by themselves; an ability that is used."""
    if action < BRING:
        marks[COLOUR + action - PLAY] += 1
    elif action < USE:
        card = action - BRING
        marks[CHARACTER + kit.card_design[card]] += 1
        for slot in range(SLOTS):
            ability = kit.card_ability[card, slot]
            if ability >= 0 and kit.ability_phases[ability] == 0:
                marks[ability] += 1
    elif action < TARGET:
        card = (action - USE) // SLOTS
        marks[kit.card_ability[card, action - USE - card * SLOTS]] += 1


@rule
def ahead(kit, s, seat):
    """Its life (section 11)."""
    return min(1.0, max(0.0, s.life[seat] / kit.life))
