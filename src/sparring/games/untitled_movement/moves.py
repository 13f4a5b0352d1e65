"""Untitled Movement Game: where tokens may stand, where a card takes them (section 4), and what may be chosen."""

from sparring.engine.rule import rule
from sparring.engine.squares import OFF, STRIDES, is_in, turned

from .kit import HEADINGS
from .maps import STARTS
from .state import (
    CARD, DISCARD, DISCARD_HAND, DONE, HAND, KIND, MOVE, NO_MOVE, PICK, PLACE_IT, ROLL, SPACE, START, THREE, TO, TOKEN,
    TOKENS, TURN,
)  # fmt: skip


@rule
def way(s, seat, kind):
    """The direction of a card for the seat that plays it (R24)."""
    return turned(HEADINGS[kind], s.side[seat])


@rule
def goal_side(s, seat):
    """The side whose starts are this seat's goals: the opposite one."""
    return s.side[seat] ^ 2


@rule
def on_goal(kit, s, seat, square):
    """Whether a space is one of the seat's goals; a token there is frozen (R21)."""
    return kit.start_side[square] == goal_side(s, seat)


@rule
def may_stand(s, seat, square):
    """Whether a token of the seat may stop there: no token is on it, and it is no side start in play (R16, R20)."""
    return not is_in(s.taken, square) and not is_in(s.shut[s.side[seat] & 1], square)


@rule
def landings(kit, s, seat, token, kind):
    """Where a card can take a token, as bits: bit i for i steps, which cost i moves (R9, R16 to R21)."""
    square = s.token[seat, token]
    if square == OFF or on_goal(kit, s, seat, square):
        return 0
    direction = way(s, seat, kind)
    steps = min(s.moves, kit.run[direction, square])
    found = 0
    for step in range(1, steps + 1):
        square += STRIDES[direction]
        if may_stand(s, seat, square):
            found |= 1 << step
    return found


@rule
def is_usable(kit, s, seat, kind):
    """Whether a card has a landing for some token."""
    for token in range(TOKENS):
        if landings(kit, s, seat, token, kind):
            return True
    return False


@rule
def is_first_card(s):
    """Whether the player has not used a card yet in this turn: the hand is whole."""
    return s.hand[s.player, 0] == HAND


@rule
def token_off(s, seat):
    """A token that is not on the board; OFF if all are."""
    for token in range(TOKENS):
        if s.token[seat, token] == OFF:
            return token
    return OFF


@rule
def has_free_start(kit, s, seat):
    """Whether one of the seat's own starts is free of every token (R13, R34)."""
    for i in range(STARTS):
        if not is_in(s.taken, kit.start[s.side[seat], i]):
            return True
    return False


@rule
def standing_at(kit, s, seat, side):
    """How many tokens of a seat stand on the starts of a side."""
    count = 0
    for token in range(TOKENS):
        square = s.token[seat, token]
        if square != OFF and kit.start_side[square] == side:
            count += 1
    return count


# What may be chosen


@rule
def legal(kit, s, out):
    """What `s.player` may choose, by the phase table of section 5."""
    n = 0
    if s.phase == CARD:
        n = cards_to_use(kit, s, out)
    elif s.phase == TOKEN:
        for token in range(TOKENS):
            if landings(kit, s, s.player, token, s.card):
                out[n] = PICK + token
                n += 1
    elif s.phase == SPACE:
        n = spaces_to_reach(kit, s, out)
    elif s.phase == TURN:
        out[0] = ROLL
        out[1] = DISCARD_HAND
        n = 2
    elif s.phase == DISCARD:
        n = kinds_in_hand(s, out)
    elif s.phase == THREE:
        out[0] = PLACE_IT
        out[1] = MOVE
        n = 2
    else:
        n = free_starts(kit, s, out)
    return n


@rule
def cards_to_use(kit, s, out):
    """CARD: each kind that can move a token; `no_move` before the first card, `done` after it."""
    hand = s.hand[s.player]
    n = 0
    for i in range(1, hand[0] + 1):
        if hand[i] != hand[i - 1] or i == 1:
            if is_usable(kit, s, s.player, hand[i]):
                out[n] = KIND + hand[i]
                n += 1
    out[n] = NO_MOVE if is_first_card(s) else DONE
    return n + 1


@rule
def kinds_in_hand(s, out):
    """Each kind in the hand once."""
    hand = s.hand[s.player]
    n = 0
    for i in range(1, hand[0] + 1):
        if hand[i] != hand[i - 1] or i == 1:
            out[n] = KIND + hand[i]
            n += 1
    return n


@rule
def spaces_to_reach(kit, s, out):
    """SPACE: each landing of the picked token with the picked card, the lowest number first."""
    found = landings(kit, s, s.player, s.picked, s.card)
    stride = STRIDES[way(s, s.player, s.card)]
    here = s.token[s.player, s.picked]
    n = 0
    for i in range(1, 4):
        step = i if stride > 0 else 4 - i
        if (found >> step) & 1:
            out[n] = TO + here + step * stride
            n += 1
    return n


@rule
def free_starts(kit, s, out):
    """START: the starts of the opposite side, PLACE: one's own; those free of every token (R5, R13, R34)."""
    side = goal_side(s, s.player) if s.phase == START else s.side[s.player]
    n = 0
    for i in range(STARTS):
        if not is_in(s.taken, kit.start[side, i]):
            out[n] = TO + kit.start[side, i]
            n += 1
    return n
