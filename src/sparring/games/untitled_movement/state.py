"""Untitled Movement Game: phases, actions, endings, beats; the state of a match, and what seats know of it."""

import numpy as np

from sparring.engine.cards import count_cards, empty, put_copies, shuffle
from sparring.engine.chance import reseed
from sparring.engine.hiding import default_redact
from sparring.engine.rule import ActionSpace, no_private_observation, public_action, rule, zeros
from sparring.engine.squares import SQUARES, WORDS
from sparring.engine.state import (
    EVERYONE, MAX_TURN, NO_ONE, UNNAMED, Header, array, flag, integer, option_value, per_seat, pile, scalar,
    seat_number, table,
)  # fmt: skip
from sparring.engine.types import Generator

from .params import KINDS, MOST, NAVIGATION, Params

SEATS = 4
HAND = 3
TOKENS = 4
#: Rolls for the first turn are kept for the log, at most this many.
MOST_ROLLS = 40

PHASES: tuple[str, ...] = ("start", "turn", "three", "place", "card", "token", "space", "discard")
START, TURN, THREE, PLACE, CARD, TOKEN, SPACE, DISCARD = range(8)
#: Phases with moves left.
MOVING: tuple[int, ...] = (THREE, CARD, TOKEN, SPACE)

ENDINGS: tuple[str, ...] = ("all tokens home", "stalled")
HOME, STALLED = range(2)

BEATS: tuple[str, ...] = ("thrown", "moved", "discarded", "reshuffled")
THROWN, MOVED, DISCARDED, RESHUFFLED = range(4)

ACTIONS = ActionSpace(
    roll=1, discard_hand=1, place=1, move=1, kind=len(KINDS), token=TOKENS, to=SQUARES, no_move=1, done=1,
)  # fmt: skip
ROLL, DISCARD_HAND, PLACE_NEW, MOVE, KIND, PICK, TO, NO_MOVE, DONE = ACTIONS.starts

#: What can be in the way of placing a token, and of landing on a space (the sentences are in `phases.py`).
NOTHING, ALL_ON_BOARD, NO_FREE_START, OCCUPIED, NEIGHBOURS_START = range(5)

BY_BOARD = option_value(Params.two_player_seats, "board")
DRAW = option_value(Params.stall_result, "draw")
D6 = option_value(Params.die, "d6")


@rule
def faces_of(params: Params) -> int:
    """Return the number of faces of the die (R7)."""
    return 6 if params.die == D6 else 3


@rule
def face_value(face: int) -> int:
    """Return the value of a die face: 3 less for one above 3 (R8)."""
    return face - 3 if face > 3 else face


class State(Header, seats=SEATS):
    """The state of a match."""

    turn = integer(0, MAX_TURN, default=lambda _params, s: int(s.phase != START))
    idle = integer(0, lambda params, s: params.stall_rounds - 1 + s.over, dtype="i4")  # whole rounds without progress
    stirred = flag()  # whether a token was placed or came home this round
    side = per_seat(scalar())  # of the board: bottom, left, top, right
    first = seat_number()  # the seat that took the first turn; each round starts with it
    token = per_seat(array(TOKENS))  # a space, or OFF
    taken = array(WORDS, "i8")  # all spaces with a token, as a set
    shut = table(2, WORDS, "i8")  # starts where S and N, and where W and E, can't land
    hand = per_seat(pile(HAND, of=NAVIGATION, seen_by=EVERYONE, ordered=True, key="hands", default=lambda *_: HAND))
    deck = pile(MOST, of=NAVIGATION, seen_by=NO_ONE, fills=True, from_top=True, key="draw_pile")
    discard = pile(MOST, of=NAVIGATION, seen_by=EVERYONE, fills=True, key="discard_pile")
    throws = pile(MOST_ROLLS, of=UNNAMED, seen_by=EVERYONE, custom=True)  # rolls for the first turn: 8 * seat + face
    face = integer(0, lambda params, _s: faces_of(params))  # of the die this turn; 0 before the roll
    # Moves left; in a position, by default those of the die.
    moves = integer(
        0,
        lambda _params, s: face_value(s.face) or 3,
        default=lambda _params, s: face_value(s.face) if s.phase in MOVING else 0,
    )
    card = scalar()  # the kind picked, in TOKEN and SPACE
    picked = scalar()  # the token picked, in SPACE


# Hidden information (section 7): the order of the draw pile and future rolls

KIND_COUNT = len(KINDS)

#: All seats see the same: everything but the draw pile and the random generator (R29, R30).
redact = default_redact(State)
private_observation = no_private_observation
observe_action = public_action


@rule
def determinize(params: Params, s: State, seat: int, g: Generator) -> None:
    """Shuffle all cards not in hands or discards into the draw pile."""
    reseed(s.rng, g)
    seen = zeros(KIND_COUNT, np.int64)
    count_cards(seen, s.discard)
    for each in range(s.seats):
        count_cards(seen, s.hand[each])
    empty(s.deck)
    for kind in range(KIND_COUNT):
        put_copies(s.deck, kind, params.count[kind] - seen[kind])
    shuffle(g, s.deck)
