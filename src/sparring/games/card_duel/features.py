"""Card Duel: feature vectors for learning agents and value models, from what a seat can see."""

from sparring.engine.features import one_hot
from sparring.engine.layouts import layout
from sparring.engine.rule import rule
from sparring.engine.types import Floats

from .board import attack_of, health_of
from .kit import CARDS, COPIES, DESIGNS, HAND_LIMIT, MOST_ENERGY, SEATS, SLOTS, Params
from .state import MOST_ENERGY_NOW, MOST_SHIELDS, MOST_STAT, MOVES, PHASES, POINTS, READY, State

PLAYER = 5
CHARACTER_PARTS = 8
FEATURES = len(PHASES) + 3 + SEATS * PLAYER + SEATS * SLOTS * CHARACTER_PARTS + SLOTS + 3 * DESIGNS
LAYOUT = layout(
    ("phase", len(PHASES), 0, 1, "the phase, one-hot"),
    ("match", 3, 0, 1, "rounds / the limit; moves this turn / 20; whether hits score points"),
    ("players", (SEATS, PLAYER), 0, 1, "each player, own seat first: life, points, energy, hand and deck"),
    ("rows", (SEATS, SLOTS, CHARACTER_PARTS), 0, 1,
     "each slot, own seat first: occupied, attack, health, shields, ready, guard, cost, whether it has effects"),
    ("attacker", SLOTS, 0, 1, "the slot of the attacker that chooses its target, one-hot"),
    ("card", DESIGNS, 0, 1, "the card being played, one-hot"),
    ("hand", DESIGNS, 0, 1, "own hand: copies of each card / 6"),
    ("known", DESIGNS, 0, 1, "cards that everyone knows in the other hand: copies / 6"),
)  # fmt: skip


@rule
def features(kit: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    out[n] = s.turn / (2 * kit.rounds)
    out[n + 1] = s.moves / MOVES
    out[n + 2] = 1.0 if kit.win == POINTS else 0.0
    n += 3
    for place in range(SEATS):
        other = seat if place == 0 else 1 - seat
        out[n] = s.life[other] / kit.life
        out[n + 1] = min(1.0, s.points[other] / kit.points)
        out[n + 2] = s.energy[other] / MOST_ENERGY_NOW
        out[n + 3] = s.hand[other, 0] / HAND_LIMIT
        out[n + 4] = s.deck[other, 0] / CARDS
        n += PLAYER
    for place in range(SEATS):
        for slot in range(SLOTS):
            encode_character(kit, s, seat if place == 0 else 1 - seat, slot, out, n)
            n += CHARACTER_PARTS
    n = one_hot(out, n, SLOTS, s.attacker - 1)
    n = one_hot(out, n, DESIGNS, s.card - 1)
    for card in range(DESIGNS):
        out[n + card] = 0.0
        out[n + DESIGNS + card] = s.known[1 - seat, card] / COPIES
    for i in range(1, s.hand[seat, 0] + 1):
        if s.hand[seat, i] >= 0:
            out[n + int(s.hand[seat, i])] += 1.0 / COPIES


@rule
def encode_character(kit: Params, s: State, seat: int, slot: int, out: Floats, n: int) -> None:
    """Write the character in a slot, or zeros."""
    for part in range(CHARACTER_PARTS):
        out[n + part] = 0.0
    if s.row[seat, slot]:
        card = s.row[seat, slot] - 1
        out[n] = 1.0
        out[n + 1] = attack_of(kit, s, seat, slot) / MOST_STAT
        out[n + 2] = min(1.0, max(0.0, health_of(kit, s, seat, slot) / 30))
        out[n + 3] = s.shield[seat, slot] / MOST_SHIELDS
        out[n + 4] = 1.0 if s.tired[seat, slot] == READY else 0.0
        out[n + 5] = 1.0 if kit.guard[card] else 0.0
        out[n + 6] = kit.cost[card] / MOST_ENERGY
        out[n + 7] = 1.0 if kit.effects[card] else 0.0
