"""Untitled Movement Game: where tokens can land (section 4 of the rulings), and the legal choices (section 5)."""

from sparring.engine.rule import offer, rule
from sparring.engine.squares import OFF, turned

from .kit import FARTHEST, HEADINGS, NO_SIDE
from .maps import STARTS
from .state import (
    CARD, DISCARD, DISCARD_HAND, DONE, HAND, KIND, MOVE, NO_MOVE, PICK, PLACE_NEW, ROLL, SEATS, SPACE, START, THREE, TO,
    TOKEN, TOKENS, TURN,
)  # fmt: skip


@rule
def direction_of(s, seat, kind):
    """Return the direction of a card for the seat that plays it (R24)."""
    return turned(HEADINGS[kind], s.side[seat])


@rule
def stride_of(kit, s, seat, kind):
    """Return the step in square numbers of a card for the seat that plays it."""
    return int(kit.stride[s.side[seat], kind])


@rule
def goal_side(s, seat):
    """Return the side whose starts are this seat's goals: the opposite one."""
    return s.side[seat] ^ 2


@rule
def on_goal(kit, s, seat, square):
    """Return whether a space is one of the seat's goals, where a token can't move any more (R21)."""
    return kit.start_side[square] == goal_side(s, seat)


@rule
def is_start_beside(kit, s, seat, square):
    """Return whether a space is a start of a neighbour, where the seat's tokens can't land (R20)."""
    side = kit.start_side[square]
    return s.seats == SEATS and side != NO_SIDE and (side ^ s.side[seat]) & 1


@rule
def landings(kit, s, seat, token, kind):
    """Return where a card can take a token as bits: bit i for i steps, which cost i moves (R9, R16 to R21).

    A token that is off the board has no landings: OFF is the index of a corner in the kit, and corners are closed.
    """
    square = s.token[seat, token]
    stride = stride_of(kit, s, seat, kind)
    landing_bits = kit.lane[int(s.seats == SEATS), s.side[seat], kind, square] & ((2 << s.moves) - 1)
    for step in range(1, FARTHEST + 1):
        landing_bits &= ~(int(s.taken[square + step * stride]) << step)
    return landing_bits


@rule
def is_playable(kit, s, seat, kind):
    """Return whether a card can move any token of the seat."""
    landing_bits = 0
    for token in range(TOKENS):
        landing_bits |= landings(kit, s, seat, token, kind)
    return landing_bits != 0


@rule
def hand_is_full(s):
    """Return whether the player has not played a card yet this turn."""
    return s.hand[s.player, 0] == HAND


@rule
def token_off_board(s, seat):
    """Return a token that is not on the board yet; OFF if all are."""
    for token in range(TOKENS):
        if s.token[seat, token] == OFF:
            return token
    return OFF


@rule
def has_free_start(kit, s, seat):
    """Return whether one of the seat's own starts has no token on it (R13, R34)."""
    for i in range(STARTS):
        if not s.taken[kit.start[s.side[seat], i]]:
            return True
    return False


@rule
def count_on_starts(kit, s, seat, side):
    """Return how many tokens of a seat are on the starts of a side."""
    count = 0
    for token in range(TOKENS):
        square = s.token[seat, token]
        if square != OFF and kit.start_side[square] == side:
            count += 1
    return count


# Legal choices


@rule
def legal(kit, s, out):
    """Write the legal choices of `s.player` to `out` and return how many there are (section 5)."""
    n = 0
    if s.phase == CARD:
        n = legal_cards(kit, s, out)
    elif s.phase == TOKEN:
        for token in range(TOKENS):
            n = offer(out, n, PICK + token, landings(kit, s, s.player, token, s.card) != 0)
    elif s.phase == SPACE:
        n = legal_spaces(kit, s, out)
    elif s.phase == TURN:
        out[0] = ROLL
        out[1] = DISCARD_HAND
        n = 2
    elif s.phase == DISCARD:
        n = legal_discards(s, out)
    elif s.phase == THREE:
        out[0] = PLACE_NEW
        out[1] = MOVE
        n = 2
    else:
        n = legal_starts(kit, s, out)
    return n


@rule
def legal_cards(kit, s, out):
    """Write the choices of CARD: each kind that can move a token; `no_move` before the first card, `done` after it."""
    hand = s.hand[s.player]
    n = 0
    for i in range(1, hand[0] + 1):
        is_first = hand[i] != hand[i - 1] or i == 1
        n = offer(out, n, KIND + hand[i], is_playable(kit, s, s.player, hand[i]) and is_first)
    out[n] = NO_MOVE if hand_is_full(s) else DONE
    return n + 1


@rule
def legal_discards(s, out):
    """Write the choices of DISCARD: each kind in the hand once."""
    hand = s.hand[s.player]
    n = 0
    for i in range(1, hand[0] + 1):
        n = offer(out, n, KIND + hand[i], hand[i] != hand[i - 1] or i == 1)
    return n


@rule
def legal_spaces(kit, s, out):
    """Write the choices of SPACE: each landing of the picked token with the picked card, lowest number first."""
    landing_bits = landings(kit, s, s.player, s.picked, s.card)
    stride = stride_of(kit, s, s.player, s.card)
    here = s.token[s.player, s.picked]
    n = 0
    for i in range(1, 4):
        step = i if stride > 0 else 4 - i
        n = offer(out, n, TO + here + step * stride, (landing_bits >> step) & 1)
    return n


@rule
def legal_starts(kit, s, out):
    """Write the free starts: in START on the opposite side, in PLACE on the seat's own side (R5, R13, R34)."""
    side = goal_side(s, s.player) if s.phase == START else s.side[s.player]
    n = 0
    for i in range(STARTS):
        n = offer(out, n, TO + kit.start[side, i], not s.taken[kit.start[side, i]])
    return n
