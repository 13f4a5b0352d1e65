"""Untitled Movement Game: all lies open but the order of the deck and the dice to come (section 7)."""

from sparring.engine.cards import count_of, empty, hide, put, shuffle
from sparring.engine.chance import forget, reseed
from sparring.engine.rule import rule

from .kit import KINDS


@rule
def redact(kit, s, seat):
    """Forget the generator and the deck's order; everybody sees the same (R29, R30)."""
    forget(s.rng)
    hide(s.deck)


@rule
def glimpse(kit, s, action, seat):
    """Every choice is open."""
    return action


@rule
def imagine(kit, s, seat, g):
    """What lies nowhere else is in the deck, in random order."""
    reseed(s.rng, g)
    empty(s.deck)
    for kind in range(len(KINDS)):
        for _ in range(kit.count[kind] - seen(s, kind)):
            put(s.deck, kind)
    shuffle(g, s.deck)


@rule
def seen(s, kind):
    """How many cards of a kind are in hands and among the discards."""
    count = count_of(s.discard, kind)
    for seat in range(s.seats):
        count += count_of(s.hand[seat], kind)
    return count
