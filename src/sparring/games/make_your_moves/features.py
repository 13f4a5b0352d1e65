"""Make Your Moves: feature vectors for learning agents and value models, from what a seat can see."""

from sparring.engine.features import one_hot
from sparring.engine.layouts import layout
from sparring.engine.rule import seat_after, rule
from sparring.engine.types import CardPile, Floats

from .kit import CARDS, Params
from .state import DISCARD, HAND, NEEDED, PHASES, SEAT, SEATS, TARGET, State

KINDS = 15
PER_SEAT = 7
FEATURES = len(PHASES) + 5 * KINDS + SEATS * PER_SEAT + 6
LAYOUT = layout(
    ("phase", len(PHASES), 0, 1, "the phase, one-hot"),
    ("hand", (5, 3), 0, 1, "own hand: 0.2 per card, by colour and power"),
    ("attack", (5, 3), 0, 1, "the attack, likewise"),
    ("defence", (5, 3), 0, 1, "the defence, likewise"),
    ("picked", (5, 3), 0, 1, "the cards picked in this phase, as far as the seat sees them, likewise"),
    ("discard", (5, 3), 0, 1, "the discard pile: 0.04 per card, by colour and power"),
    ("seats", (SEATS, PER_SEAT), 0, 1,
     ("each seat, own seat first: points, cards in hand, still in; whether it has control, attacks, "
      "defends, must act")),
    ("deck", 1, 0, 1, "cards in the draw pile / 80"),
    ("ceiling", 1, 0, 1, "the highest power that still fits / 3"),
    ("units", 1, 0, 1, "cards of the attack to answer / 3"),
    ("helpers", 2, 0, 1, "seats that help the attacker and the defender / 6"),
    ("turn", 1, 0, 1, "turns / turn limit"),
)  # fmt: skip


@rule
def encode_kinds(kit: Params, pile: CardPile, out: Floats, n: int) -> int:
    """Write 0.2 per card of each kind in a pile; return the next free place in `out`."""
    for kind in range(KINDS):
        out[n + kind] = 0.0
    for i in range(1, pile[0] + 1):
        if pile[i] >= 0:
            out[n + kit.colour[pile[i]] * 3 + kit.power[pile[i]] - 1] += 0.2
    return n + KINDS


@rule
def features(kit: Params, s: State, seat: int, out: Floats) -> None:
    """Write FEATURES floats to `out`: the phase, piles by kind, each seat (own seat first), counts."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = encode_kinds(kit, s.hand[seat], out, n)
    n = encode_kinds(kit, s.attack, out, n)
    n = encode_kinds(kit, s.defence, out, n)
    n = encode_kinds(kit, s.picked, out, n)
    n = encode_kinds(kit, s.discard, out, n)
    for kind in range(KINDS):
        out[n - KINDS + kind] *= 0.2  # the discard pile can hold up to 25 of a kind
    for place in range(SEATS):
        other = seat_after(s, seat, place) if place < s.seats else 0
        here = place < s.seats
        out[n] = s.points[other] / NEEDED if here else 0.0
        out[n + 1] = s.hand[other, 0] / HAND if here else 0.0
        out[n + 2] = 1.0 if here and not s.out[other] else 0.0
        out[n + 3] = 1.0 if here and s.control == other else 0.0
        out[n + 4] = 1.0 if here and s.attacker == other else 0.0
        out[n + 5] = 1.0 if here and s.defender == other and TARGET < s.phase < DISCARD else 0.0
        out[n + 6] = 1.0 if here and s.player == other else 0.0
        n += PER_SEAT
    out[n] = s.deck[0] / CARDS
    out[n + 1] = s.ceiling / 3
    out[n + 2] = s.units / 3
    out[n + 3] = s.help_attack[0] / SEATS
    out[n + 4] = s.help_defence[0] / SEATS
    out[n + 5] = s.turn / kit.turn_limit


@rule
def relative_action(kit: Params, s: State, seat: int, action: int) -> int:
    """Return an action in the seat's frame: other seats are counted from it, as in its features."""
    if SEAT <= action < SEAT + s.seats:
        return SEAT + (action - SEAT - seat + s.seats) % s.seats
    return action


@rule
def absolute_action(kit: Params, s: State, seat: int, action: int) -> int:
    """Return the action of the table for an action in the seat's frame (`relative_action`)."""
    if SEAT <= action < SEAT + s.seats:
        return SEAT + (action - SEAT + seat) % s.seats
    return action
