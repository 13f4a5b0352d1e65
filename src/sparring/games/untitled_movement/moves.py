"""Untitled Movement Game: where tokens can land (section 4 of the rulings), and the legal choices (section 5)."""

import numpy as np

from sparring.engine.rule import offer, rule, zeros
from sparring.engine.squares import OFF, WORDS, is_in
from sparring.engine.types import Numbers

from .maps import STARTS
from .params import DIRECTION, FARTHEST, STRIDE, Params
from .state import (
    CARD, DISCARD, DISCARD_HAND, DONE, HAND, KIND, MOVE, NEIGHBOURS_START, NO_MOVE, NOTHING, OCCUPIED, PICK, PLACE_NEW,
    ROLL, SPACE, START, THREE, TO, TOKEN, TOKENS, TURN, State,
)  # fmt: skip


#: The words of a set of squares with room for FARTHEST steps beyond the last one.
ROOM = WORDS + 1


@rule
def direction_of(s: State, seat: int, kind: int) -> int:
    """Return the direction of a card for the seat that plays it (R24)."""
    return int(DIRECTION[s.side[seat], kind])


@rule
def stride_of(s: State, seat: int, kind: int) -> int:
    """Return the step of a card in square numbers for the seat that plays it."""
    return int(STRIDE[s.side[seat], kind])


@rule
def goal_side(s: State, seat: int) -> int:
    """Return the side whose starts are this seat's goals: the opposite one."""
    return s.side[seat] ^ 2


@rule
def on_goal(params: Params, s: State, seat: int, square: int) -> bool:
    """Return whether a space is one of the seat's goals, where a token can't move any more (R21)."""
    return params.start_side[square] == goal_side(s, seat)


@rule
def land_obstacle(s: State, seat: int, square: int) -> int:
    """Return what keeps the seat's tokens from landing on a space: a token, or a neighbour's start (R16, R20)."""
    if is_in(s.taken, square):
        return OCCUPIED
    return NEIGHBOURS_START if is_in(s.shut[s.side[seat] & 1], square) else NOTHING


@rule
def mark_blocked(s: State, seat: int, blocked: Numbers) -> None:
    """Write the set of spaces where the seat's tokens can't land (see `land_obstacle`) to the empty set `blocked`."""
    for i in range(WORDS):
        blocked[i] = s.taken[i] | s.shut[s.side[seat] & 1, i]


@rule
def landings(params: Params, s: State, seat: int, token: int, kind: int) -> int:
    """Return where a card can take a token as bits: bit i for i steps, which cost i moves (R9, R16 to R21)."""
    blocked = zeros(ROOM, np.int64)
    mark_blocked(s, seat, blocked)
    return landings_among(params, s, seat, token, kind, blocked)


@rule
def steps_ahead(params: Params, s: State, seat: int, square: int, kind: int) -> int:
    """Return how far a card can go from a space: a token on a goal stays (R19, R21)."""
    steps = min(s.moves, params.run[direction_of(s, seat, kind), square])
    return steps * int(not on_goal(params, s, seat, square))


@rule
def landings_among(params: Params, s: State, seat: int, token: int, kind: int, blocked: Numbers) -> int:
    """Return the landings of a token, as `landings` does, with the set of blocked spaces.

    A token off the board has none: OFF is the index of a corner in the params, and corners are closed.
    """
    square = s.token[seat, token]
    stride = stride_of(s, seat, kind)
    landing_bits = (2 << steps_ahead(params, s, seat, square, kind)) - 2
    for step in range(1, FARTHEST + 1):
        landing_bits &= ~(is_in(blocked, square + step * stride) << step)
    return landing_bits


@rule
def is_playable(params: Params, s: State, seat: int, kind: int) -> bool:
    """Return whether a card can move any token of the seat."""
    blocked = zeros(ROOM, np.int64)
    mark_blocked(s, seat, blocked)
    return is_playable_among(params, s, seat, kind, blocked)


@rule
def is_playable_among(params: Params, s: State, seat: int, kind: int, blocked: Numbers) -> bool:
    """Return whether a card can move any token of the seat, with the set of blocked spaces."""
    landing_bits = 0
    for token in range(TOKENS):
        landing_bits |= landings_among(params, s, seat, token, kind, blocked)
    return landing_bits != 0


@rule
def hand_is_full(s: State) -> bool:
    """Return whether the player has not played a card yet this turn."""
    return s.hand[s.player, 0] == HAND


@rule
def token_off_board(s: State, seat: int) -> int:
    """Return a token that is not on the board yet; OFF if all are."""
    for token in range(TOKENS):
        if s.token[seat, token] == OFF:
            return token
    return OFF


@rule
def has_free_start(params: Params, s: State, seat: int) -> bool:
    """Return whether one of the seat's own starts has no token on it (R13, R34)."""
    for i in range(STARTS):
        if not is_in(s.taken, params.start[s.side[seat], i]):
            return True
    return False


@rule
def count_on_starts(params: Params, s: State, seat: int, side: int) -> int:
    """Return how many tokens of a seat are on the starts of a side."""
    count = 0
    for token in range(TOKENS):
        square = s.token[seat, token]
        if square != OFF and params.start_side[square] == side:
            count += 1
    return count


# Legal choices


@rule
def legal(params: Params, s: State, out: Numbers) -> int:
    """Write the legal choices of `s.player` to `out` and return how many there are (section 5)."""
    n = 0
    if s.phase == CARD:
        n = legal_cards(params, s, out)
    elif s.phase == TOKEN:
        for token in range(TOKENS):
            n = offer(out, n, PICK + token, landings(params, s, s.player, token, s.card) != 0)
    elif s.phase == SPACE:
        n = legal_spaces(params, s, out)
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
        n = legal_starts(params, s, out)
    return n


@rule
def legal_cards(params: Params, s: State, out: Numbers) -> int:
    """Write the choices of CARD: each kind that can move a token; `no_move` before the first card, `done` after it."""
    hand = s.hand[s.player]
    blocked = zeros(ROOM, np.int64)
    mark_blocked(s, s.player, blocked)
    n = 0
    for i in range(1, hand[0] + 1):
        is_first = hand[i] != hand[i - 1] or i == 1
        n = offer(out, n, KIND + hand[i], is_playable_among(params, s, s.player, hand[i], blocked) and is_first)
    out[n] = NO_MOVE if hand_is_full(s) else DONE
    return n + 1


@rule
def legal_discards(s: State, out: Numbers) -> int:
    """Write the choices of DISCARD: each kind in the hand once."""
    hand = s.hand[s.player]
    n = 0
    for i in range(1, hand[0] + 1):
        n = offer(out, n, KIND + hand[i], hand[i] != hand[i - 1] or i == 1)
    return n


@rule
def legal_spaces(params: Params, s: State, out: Numbers) -> int:
    """Write the choices of SPACE: each landing of the picked token with the picked card, lowest number first."""
    landing_bits = landings(params, s, s.player, s.picked, s.card)
    stride = stride_of(s, s.player, s.card)
    here = s.token[s.player, s.picked]
    n = 0
    for i in range(1, 4):
        step = i if stride > 0 else 4 - i
        n = offer(out, n, TO + here + step * stride, (landing_bits >> step) & 1)
    return n


@rule
def legal_starts(params: Params, s: State, out: Numbers) -> int:
    """Write the free starts: in START on the opposite side, in PLACE on the seat's own side (R5, R13, R34)."""
    side = goal_side(s, s.player) if s.phase == START else s.side[s.player]
    n = 0
    for i in range(STARTS):
        n = offer(out, n, TO + params.start[side, i], not is_in(s.taken, params.start[side, i]))
    return n
