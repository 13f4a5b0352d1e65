"""Five Circles: feature vectors for learning agents, from what a seat can see."""

from sparring.engine.features import one_hot
from sparring.engine.layouts import layout
from sparring.engine.rule import rule
from sparring.engine.types import Floats

from .options import CHARACTERS, SEATS, SLOTS, Params
from .state import ASLEEP, AVOIDING, BOOST, LANES, LONG, PHASES, PILE, State
from .table import attack_of, deck_of, health_of

PER_CARD = 12
PER_SEAT = 13
FEATURES = len(PHASES) + CHARACTERS * PER_CARD + SEATS * PER_SEAT + 3 + 8
LAYOUT = layout(
    ("phase", len(PHASES), 0, 1, "the phase, one-hot"),
    ("characters", (CHARACTERS, PER_CARD), -1, 1,
     ("each character: in own hand, side (own 1, other -1), lane, attack, health, damage, asleep, avoiding,"
      " long range, boosts, abilities used, hit or in use")),
    ("seats", (SEATS, PER_SEAT), 0, 1,
     ("each seat, own seat first: life / 50, cards in hand, draw pile, known top cards; ready, spent and "
      "known resources by colour")),
    ("held", 3, 0, 1, "resources in own hand, by colour / 8"),
    ("active", 1, -1, 1, "whether it is this seat's turn, or the other's (-1)"),
    ("to_act", 1, -1, 1, "whether this seat must act, or the other one (-1)"),
    ("turn", 1, 0, 1, "turns / 400"),
    ("dry", 1, 0, 1, "turns without damage / 20"),
    ("laid", 1, 0, 1, "resources laid this turn / 2"),
    ("packet", 1, 0, 1, "damage being dealt / 10"),
    ("lane", 1, -1, 1, "the lane of the attack / lanes"),
    ("serene", 1, 0, 1, "whether serenity is in effect"),
)  # fmt: skip


@rule
def features(kit: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: the phase, each character, each seat (own first), resources in hand, the turn."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    for card in range(CHARACTERS):
        observe_card(kit, s, seat, out, n, card)
        n += PER_CARD
    for i in range(1, s.hand[seat, 0] + 1):
        out[len(PHASES) + s.hand[seat, i] * PER_CARD] = 1.0
    for place in range(SEATS):
        observe_seat(kit, s, seat if place == 0 else 1 - seat, out, n)
        n += PER_SEAT
    for colour in range(3):
        out[n + colour] = min(1.0, s.held[seat, colour] / 8)
    n += 3
    out[n] = 1.0 if s.active == seat else -1.0
    out[n + 1] = 1.0 if s.player == seat else -1.0
    out[n + 2] = s.turn / 400
    out[n + 3] = s.dry / 20
    out[n + 4] = s.laid / 2
    out[n + 5] = min(1.0, s.packet / 10)
    out[n + 6] = s.lane / LANES
    out[n + 7] = 1.0 if s.serene else 0.0


@rule
def observe_card(kit: Params, s: State, seat: int, out: Floats, n: int, card: int) -> None:
    """Write a character's place, values and this-turn effects; its first feature is for the hand."""
    for i in range(PER_CARD):
        out[n + i] = 0.0
    at = s.at[card]
    if at == 0:
        return
    out[n + 1] = 1.0 if at >> 6 == seat else -1.0
    out[n + 2] = (at & 63) / LANES
    out[n + 3] = min(1.0, attack_of(kit, s, card) / 16)
    out[n + 4] = min(1.0, health_of(kit, s, card) / 16)
    out[n + 5] = min(1.0, s.damage[card] / 16)
    out[n + 6] = 1.0 if s.status[card] & ASLEEP else 0.0
    out[n + 7] = 1.0 if s.status[card] & AVOIDING else 0.0
    out[n + 8] = 1.0 if s.status[card] & LONG else 0.0
    out[n + 9] = (s.status[card] // BOOST & 3) / 3
    out[n + 10] = (s.status[card] & (1 << SLOTS) - 1) / (1 << SLOTS)
    out[n + 11] = 1.0 if s.hit == card + 1 else 0.5 if s.using == card + 1 else 0.0


@rule
def observe_seat(kit: Params, s: State, seat: int, out: Floats, n: int) -> None:
    """Write a seat's life, card counts and resources."""
    out[n] = s.life[seat] / 50
    out[n + 1] = min(1.0, s.cards[seat] / 16)
    out[n + 2] = deck_of(kit, s, seat)[0] / PILE
    out[n + 3] = s.known_top[seat] / 3
    for colour in range(3):
        out[n + 4 + colour] = min(1.0, s.ready[seat, colour] / 12)
        out[n + 7 + colour] = min(1.0, s.spent[seat, colour] / 12)
        out[n + 10 + colour] = min(1.0, s.known[seat, colour] / 12)
