"""Five Circles: the items that the lab measures (characters, abilities, colours); how close a seat is to winning."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule
from sparring.engine.types import Numbers

from .abilities import ABILITIES
from .options import SLOTS, Params
from .state import PLAY_CHARACTER, COLOURS, PLAY_RESOURCE, SIDE, TARGET, USE, State

#: Item order: abilities, colours, designs.
COLOUR = len(ABILITIES)
CHARACTER = COLOUR + len(COLOURS)


def names(box: Box) -> tuple[Item, ...]:
    """Return abilities, resource colours, and character designs."""
    return (
        *(Item("ability", ability.name) for ability in ABILITIES),
        *(Item("resource", colour) for colour in COLOURS),
        *(Item("character", str(card.name)) for card in box.content.cards),
    )


@rule
def mark_character(kit: Params, card: int, marks: Numbers) -> None:
    """Mark a character and its abilities."""
    marks[CHARACTER + kit.card_design[card]] += 1
    for slot in range(SLOTS):
        if kit.card_ability[card, slot] < 0:
            break
        marks[kit.card_ability[card, slot]] += 1


@rule
def held(kit: Params, s: State, seat: int, marks: Numbers) -> None:
    """Mark the characters in hand and in play with their abilities, and the resources in hand."""
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        mark_character(kit, hand[i], marks)
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at]:
            mark_character(kit, s.row[at] - 1, marks)
    for colour in range(len(COLOURS)):
        marks[COLOUR + colour] += s.held[seat, colour]


@rule
def played(kit: Params, s: State, action: int, marks: Numbers) -> None:
    """Mark a resource, a character with its automatic abilities, or a used ability."""
    if action < PLAY_CHARACTER:
        marks[COLOUR + action - PLAY_RESOURCE] += 1
    elif action < USE:
        card = action - PLAY_CHARACTER
        marks[CHARACTER + kit.card_design[card]] += 1
        for slot in range(SLOTS):
            ability = kit.card_ability[card, slot]
            if ability >= 0 and kit.ability_phases[ability] == 0:
                marks[ability] += 1
    elif action < TARGET:
        card = (action - USE) // SLOTS
        marks[kit.card_ability[card, action - USE - card * SLOTS]] += 1


@rule
def ahead(kit: Params, s: State, seat: int) -> float:
    """Return a seat's life as a share of the life at the start (section 11)."""
    return min(1.0, max(0.0, s.life[seat] / kit.life))
