"""World of Fighters: what its designer asks about: kinds of Action card, fighters, supers; and who is healthier."""

from sparring.engine.game import Box, Item
from sparring.engine.rule import rule

from .kit import KINDS
from .state import ACTION_CARD, CLAIM, COUNTER, HEALTH, NO_FIGHTER, SKIP, TO_CALL, TO_CLAIM, TO_COUNTER, TO_LAY

#: The kinds come first, then fighters, then their supers.
FIGHTER = len(KINDS)


def names(box: Box) -> tuple[Item, ...]:
    """Kinds, fighters, and the super of each."""
    fighters = box.content.fighters
    return (
        *(Item("action", kind) for kind in KINDS),
        *(Item("fighter", fighter.name) for fighter in fighters),
        *(Item("super", f"{fighter.super} of {fighter.name}") for fighter in fighters),
    )


@rule
def held(kit, s, seat, out):
    """The fighter, its super until it is performed, and the kinds in hand."""
    fighter = s.fighter[seat]
    if fighter == NO_FIGHTER:
        return 0
    out[0] = FIGHTER + fighter
    n = 1
    if not s.super_used[seat]:
        out[n] = FIGHTER + kit.fighters + fighter
        n += 1
    hand = s.hand[seat]
    for i in range(1, hand[0] + 1):
        out[n] = hand[i] - 1
        n += 1
    return n


@rule
def played(kit, s, action, out):
    """An Action card is laid by a fighter, perhaps as its super; a super is claimed; a card is countered with."""
    fighter = s.fighter[s.player]
    if s.phase == ACTION_CARD:
        out[0] = FIGHTER + fighter
        out[1] = action - (TO_CALL if action >= TO_CALL else TO_LAY)
        out[2] = FIGHTER + kit.fighters + fighter
        return 3 if action >= TO_CALL else 2
    if s.phase == CLAIM and action == TO_CLAIM:
        out[0] = FIGHTER + kit.fighters + fighter
        return 1
    if s.phase == COUNTER and action != SKIP:
        out[0] = action - TO_COUNTER
        return 1
    return 0


@rule
def ahead(kit, s, seat):
    """Its health (R33)."""
    return s.health[seat] / HEALTH
