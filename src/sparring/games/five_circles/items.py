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
def tell_character(kit, card, out, n):
    """A character and all that it can do, by their numbers; the place after."""
    out[n] = CHARACTER + kit.card_design[card]
    n += 1
    for slot in range(SLOTS):
        if kit.card_ability[card, slot] >= 0:
            out[n] = kit.card_ability[card, slot]
            n += 1
    return n


@rule
def held(kit, s, seat, out):
    """The characters in hand and in play with their abilities; the colours in hand."""
    n = 0
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        n = tell_character(kit, hand[i], out, n)
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at]:
            n = tell_character(kit, s.row[at] - 1, out, n)
    for colour in range(len(COLOURS)):
        if s.held[seat, colour] > 0:
            out[n] = COLOUR + colour
            n += 1
    return n


@rule
def played(kit, s, action, out):
    """A resource; a character with those abilities that work by themselves; an ability that is used."""
    if action < BRING:
        out[0] = COLOUR + action - PLAY
        return 1
    if action < USE:
        return tell_coming(kit, action - BRING, out)
    if action < TARGET:
        card = (action - USE) // SLOTS
        out[0] = kit.card_ability[card, action - USE - card * SLOTS]
        return 1
    return 0


@rule
def tell_coming(kit, card, out):
    """A character that comes, and what works by itself from then on; how many."""
    out[0] = CHARACTER + kit.card_design[card]
    n = 1
    before = -1
    for slot in range(SLOTS):
        ability = kit.card_ability[card, slot]
        if ability > before and kit.ability_phases[ability] == 0:
            out[n] = ability
            n += 1
        before = ability
    return n


@rule
def ahead(kit, s, seat):
    """Its life (section 11)."""
    return min(1.0, max(0.0, s.life[seat] / kit.life))
