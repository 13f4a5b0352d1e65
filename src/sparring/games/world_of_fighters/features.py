"""World of Fighters: what a seat knows, as numbers for a learner."""

from sparring.engine.cards import count_of
from sparring.engine.features import one_hot
from sparring.engine.rule import rule
from sparring.engine.squares import OFF, column_of, on_edge, row_of

from .moves import first_mover, has_super, range_now
from .state import BLOCK, CARDS, HAND, HEALTH, NOTHING, NO_FIGHTER, PHASES, PUNCH, ROWS, SEATS

KINDS = 4
PER_SEAT = 31
FEATURES = len(PHASES) + 2 * KINDS + SEATS * PER_SEAT + 4


@rule
def count_kinds(pile, scale, out, n):
    """How many cards of each kind lie in a pile, as parts of `scale`."""
    for kind in range(PUNCH, BLOCK + 1):
        out[n + kind - 1] = count_of(pile, kind) / scale
    return n + KINDS


@rule
def observe(kit, s, seat, out):
    """The phase, the hand, the discard pile, each seat beginning with one's own, the range, the pile and the round."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = count_kinds(s.hand[seat], HAND, out, n)
    n = count_kinds(s.discard, CARDS, out, n)
    for place in range(SEATS):
        n = observe_seat(kit, s, 1 - seat if place else seat, out, n)
    out[n] = range_now(s) / ROWS if s.square[0] != OFF and s.square[1] != OFF else 0.0
    out[n + 1] = s.deck[0] / CARDS
    out[n + 2] = s.turn / kit.round_limit
    out[n + 3] = 1.0 if s.player == seat else 0.0


@rule
def observe_seat(kit, s, seat, out, n):
    """A fighter with all data, where it stands, and what of its commitments is known."""
    here = s.fighter[seat] != NO_FIGHTER
    fighter = s.fighter[seat] if here else 0
    for kind in range(PUNCH, BLOCK + 1):
        out[n + kind - 1] = kit.stat[fighter, kind] / 9 if here else 0.0
    n = one_hot(out, n + KINDS, KINDS, kit.super_kind[fighter] - 1 if here else NO_FIGHTER)
    out[n] = kit.super_range[fighter] / 3 if here else 0.0
    out[n + 1] = 1.0 if here and kit.long[fighter] else 0.0
    on_board = s.square[seat] != OFF
    out[n + 2] = column_of(s.square[seat]) / (kit.columns - 1) if on_board else 0.0
    out[n + 3] = row_of(s.square[seat]) / (kit.rows - 1) if on_board else 0.0
    out[n + 4] = 1.0 if on_board and on_edge(s.square[seat], kit.columns, kit.rows) else 0.0
    out[n + 5] = s.health[seat] / HEALTH
    out[n + 6] = 1.0 if has_super(s, seat) else 0.0
    out[n + 7] = s.super_used[seat]
    out[n + 8] = 1.0 if s.movement[seat] != NOTHING else 0.0
    out[n + 9] = 1.0 if s.action[seat] != NOTHING else 0.0
    out[n + 10] = s.called[seat]
    out[n + 11] = s.performed[seat]
    out[n + 12] = 1.0 if first_mover(s) == seat else 0.0
    n = one_hot(out, n + 13, 3, s.resting[seat] - 1)
    n = one_hot(out, n, 3, s.movement[seat] - 1)
    return one_hot(out, n, KINDS, s.action[seat] - 1)
