"""World of Fighters: feature vectors for learning agents and value models, from what a seat can see."""

from sparring.engine.cards import count_of
from sparring.engine.features import one_hot
from sparring.engine.layouts import layout
from sparring.engine.rule import rule
from sparring.engine.types import CardPile, Floats
from sparring.engine.squares import OFF, column_of, on_edge, row_of

from .kit import SEATS, Params
from .moves import first_mover, has_super, range_now
from .state import BLOCK, CARDS, HAND, HEALTH, NOTHING, NO_FIGHTER, PHASES, PUNCH, ROWS, State

KINDS = 4
PER_SEAT = 31
FEATURES = len(PHASES) + 2 * KINDS + SEATS * PER_SEAT + 4
LAYOUT = layout(
    ("phase", len(PHASES), 0, 1, "the phase, one-hot"),
    ("hand", KINDS, 0, 1, "own hand: cards by kind / hand size"),
    ("discard", KINDS, 0, 1, "the discard pile: cards by kind / all cards"),
    ("fighters", (SEATS, PER_SEAT), 0, 1,
     ("each seat, own seat first: stats, kind of the super, its range, long range, column, row, on the "
      "edge, health, super ready, super used, movement picked, card picked, called, performed, moves first;"
      " resting card, movement and card as far as the seat knows them, one-hot")),
    ("range", 1, 0, 1, "the range between the fighters / rows"),
    ("deck", 1, 0, 1, "cards in the draw pile / all cards"),
    ("round", 1, 0, 1, "rounds / limit"),
    ("to_act", 1, 0, 1, "whether this seat must act"),
)  # fmt: skip


@rule
def encode_kinds(pile: CardPile, scale: int, out: Floats, n: int) -> int:
    """Write how many cards of each kind are in a pile, divided by `scale`; return the next free place in `out`."""
    for kind in range(PUNCH, BLOCK + 1):
        out[n + kind - 1] = count_of(pile, kind) / scale
    return n + KINDS


@rule
def features(kit: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: phase, own hand, discards, both seats (own first), range, draw pile, round."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = encode_kinds(s.hand[seat], HAND, out, n)
    n = encode_kinds(s.discard, CARDS, out, n)
    for place in range(SEATS):
        n = encode_fighter(kit, s, 1 - seat if place else seat, out, n)
    out[n] = range_now(s) / ROWS if s.square[0] != OFF and s.square[1] != OFF else 0.0
    out[n + 1] = s.deck[0] / CARDS
    out[n + 2] = s.turn / kit.round_limit
    out[n + 3] = 1.0 if s.player == seat else 0.0


@rule
def encode_fighter(kit: Params, s: State, seat: int, out: Floats, n: int) -> int:
    """Write a seat's fighter, square, health, super and commitments; return the next free place in `out`."""
    picked = s.fighter[seat] != NO_FIGHTER
    fighter = s.fighter[seat] if picked else 0
    for kind in range(PUNCH, BLOCK + 1):
        out[n + kind - 1] = kit.stat[fighter, kind] / 9 if picked else 0.0
    n = one_hot(out, n + KINDS, KINDS, kit.super_kind[fighter] - 1 if picked else NO_FIGHTER)
    out[n] = kit.super_range[fighter] / 3 if picked else 0.0
    out[n + 1] = 1.0 if picked and kit.long[fighter] else 0.0
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
