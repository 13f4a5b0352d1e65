"""Untitled Movement Game: all lies open but the order of the deck and the dice to come (section 7)."""

from sparring.engine.cards import empty, hide, put, shuffle
from sparring.engine.chance import bits
from sparring.engine.rule import rule

from .kit import KINDS


@rule
def redact(kit, s, seat):
    """Forget the generator and the deck's order; everybody sees the same (R29, R30)."""
    for i in range(4):
        s.rng[i] = 0
    hide(s.deck)


@rule
def glimpse(kit, s, action, seat):
    """Every choice is open."""
    return action


@rule
def imagine(kit, s, seat, g):
    """What lies nowhere else is in the deck, in random order."""
    for i in range(4):
        s.rng[i] = bits(g)
    empty(s.deck)
    for kind in range(len(KINDS)):
        for _ in range(kit.count[kind] - seen(s, kind)):
            put(s.deck, kind)
    shuffle(g, s.deck)


@rule
def seen(s, kind):
    """How many cards of a kind are in hands and among the discards."""
    count = 0
    for i in range(1, s.discard[0] + 1):
        if s.discard[i] == kind:
            count += 1
    for seat in range(s.seats):
        for i in range(1, s.hand[seat, 0] + 1):
            if s.hand[seat, i] == kind:
                count += 1
    return count
