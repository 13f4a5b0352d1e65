"""Untitled Movement Game: hidden information (section 7): the order of the draw pile and future rolls."""

import numpy as np

from sparring.engine.cards import count_cards, empty, hide, put_copies, shuffle
from sparring.engine.chance import forget, reseed
from sparring.engine.rule import rule, zeros

from .kit import KINDS

KIND_COUNT = len(KINDS)


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
    seen = zeros(KIND_COUNT, np.int64)
    count_cards(seen, s.discard)
    for each in range(s.seats):
        count_cards(seen, s.hand[each])
    empty(s.deck)
    for kind in range(KIND_COUNT):
        put_copies(s.deck, kind, kit.count[kind] - seen[kind])
    shuffle(g, s.deck)
