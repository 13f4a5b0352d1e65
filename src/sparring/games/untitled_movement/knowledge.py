"""Untitled Movement Game: hidden information (section 7): the order of the draw pile and future rolls."""

from sparring.engine.cards import count_of, empty, hide, put, shuffle
from sparring.engine.chance import forget, reseed
from sparring.engine.rule import rule

from .kit import KINDS


@rule
def redact(kit, s, seat):
    """Hide the random generator and the draw pile; all seats see the same (R29, R30)."""
    forget(s.rng)
    hide(s.deck)


@rule
def observe_action(kit, s, action, seat):
    """Return the choice: all choices are public."""
    return action


@rule
def determinize(kit, s, seat, g):
    """Shuffle all cards not in hands or discards into the draw pile."""
    reseed(s.rng, g)
    empty(s.deck)
    for kind in range(len(KINDS)):
        for _ in range(kit.count[kind] - count_seen(s, kind)):
            put(s.deck, kind)
    shuffle(g, s.deck)


@rule
def count_seen(s, kind):
    """Return how many cards of a kind are in hands or discarded."""
    count = count_of(s.discard, kind)
    for seat in range(s.seats):
        count += count_of(s.hand[seat], kind)
    return count
