"""Untitled Movement Game: phases, actions, endings, beats, and the layout of the kit and state records."""

from sparring.engine.options import option_fields
from sparring.engine.rule import ActionSpace, record_dtype, state_dtype
from sparring.engine.squares import DIRECTIONS, SQUARES, WORDS

from .kit import KINDS, MOST, OPTIONS
from .maps import STARTS

SEATS = 4
SIDES = 4
HAND = 3
TOKENS = 4
#: Rolls for the first turn are kept for the log, at most this many.
MOST_ROLLS = 40

PHASES: tuple[str, ...] = ("start", "turn", "three", "place", "card", "token", "space", "discard")
START, TURN, THREE, PLACE, CARD, TOKEN, SPACE, DISCARD = range(8)
#: Phases whose legal choices are public, so that a forced choice can be made automatically without a leak.
OPEN: tuple[int, ...] = (START, PLACE, CARD, TOKEN, SPACE, DISCARD)

ENDINGS: tuple[str, ...] = ("all tokens home", "stalled")
HOME, STALLED = range(2)

BEATS: tuple[str, ...] = ("thrown", "moved", "discarded", "reshuffled")
THROWN, MOVED, DISCARDED, RESHUFFLED = range(4)

ACTIONS = ActionSpace(
    roll=1, discard_hand=1, place=1, move=1, kind=len(KINDS), token=TOKENS, to=SQUARES, no_move=1, done=1,
)  # fmt: skip
ROLL, DISCARD_HAND, PLACE_NEW, MOVE, KIND, PICK, TO, NO_MOVE, DONE = ACTIONS.starts

BY_BOARD = 0  # of the option `two_player_seats`
DRAW = 1  # of the option `stall_result`
D6 = 1  # of the option `die`

KIT = record_dtype(
    [
        *option_fields(OPTIONS),
        ("rows", "i2"),
        ("columns", "i2"),
        ("pair", "i2"),  # the sides of two players: 0 bottom and top, 1 left and right
        ("count", "i2", len(KINDS)),  # cards in the deck, by kind
        ("open", "i2", SQUARES),
        ("run", "i2", (DIRECTIONS, SQUARES)),  # open spaces ahead by direction, at most FARTHEST
        ("start", "i2", (SIDES, STARTS)),
        ("far", "i2", (SIDES, SQUARES)),  # steps to the nearest goal of the seat on that side
        ("start_side", "i2", SQUARES),  # the side a start belongs to, or NO_SIDE
    ]
)

STATE = state_dtype(
    SEATS,
    [
        ("idle", "i4"),  # consecutive finished rounds in which no token was placed or came home
        ("stirred", "i2"),  # whether a token was placed or came home this round
        ("side", "i2", SEATS),  # of the board: bottom, left, top, right
        ("first", "i2"),  # the seat that took the first turn; each round starts with it
        ("token", "i2", (SEATS, TOKENS)),  # a space, or OFF
        ("taken", "i8", WORDS),  # all spaces with a token, as a set
        ("shut", "i8", (2, WORDS)),  # starts where S and N, and where W and E, can't land
        ("hand", "i2", (SEATS, HAND + 1)),
        ("deck", "i2", MOST + 1),
        ("discard", "i2", MOST + 1),
        ("throws", "i2", MOST_ROLLS + 1),  # rolls for the first turn, as 8 * seat + face
        ("face", "i2"),  # of the die this turn; 0 before the roll
        ("moves", "i2"),  # moves left
        ("card", "i2"),  # the kind picked, in TOKEN and SPACE
        ("picked", "i2"),  # the token picked, in SPACE
    ],
)
