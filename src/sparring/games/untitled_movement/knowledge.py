"""Untitled Movement Game: hidden information (section 7): the order of the draw pile and future rolls."""

import numpy as np

from sparring.engine.cards import count_cards, empty, put_copies, shuffle
from sparring.engine.chance import reseed
from sparring.engine.hiding import default_redact
from sparring.engine.rule import rule, zeros
from sparring.engine.types import Generator

from .kit import KINDS, Params
from .state import State

KIND_COUNT = len(KINDS)


#: All seats see the same: everything but the draw pile and the random generator (R29, R30).
redact = default_redact(State)


@rule
def observe_action(kit: Params, s: State, action: int, seat: int) -> int:
    """Return the choice: all choices are public."""
    return action


@rule
def determinize(kit: Params, s: State, seat: int, g: Generator) -> None:
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
