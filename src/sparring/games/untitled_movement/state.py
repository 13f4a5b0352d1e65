"""Untitled Movement Game: phases, choices, and what the kit and the state of a match hold."""

from sparring.engine.options import option_fields
from sparring.engine.rule import Actions, record_dtype, state_dtype
from sparring.engine.squares import DIRECTIONS, SQUARES, WORDS

from .kit import KINDS, MOST, OPTIONS
from .maps import STARTS

SEATS = 4
SIDES = 4
HAND = 3
TOKENS = 4
#: The throws for the first turn are kept for the log, so many at most.
THROWS = 40

PHASES: tuple[str, ...] = ("start", "turn", "three", "place", "card", "token", "space", "discard")
START, TURN, THREE, PLACE, CARD, TOKEN, SPACE, DISCARD = range(8)
#: The phases in which everybody can see whether there is one choice only.
OPEN: tuple[int, ...] = (START, PLACE, CARD, TOKEN, SPACE, DISCARD)

ENDINGS: tuple[str, ...] = ("all tokens home", "stalled")
HOME, STALLED = range(2)

BEATS: tuple[str, ...] = ("thrown", "moved", "discarded", "reshuffled")
THROWN, MOVED, DISCARDED, RESHUFFLED = range(4)

ACTIONS = Actions(
    roll=1, discard_hand=1, place=1, move=1, kind=len(KINDS), token=TOKENS, to=SQUARES, no_move=1, done=1,
)  # fmt: skip
ROLL, DISCARD_HAND, PLACE_IT, MOVE, KIND, PICK, TO, NO_MOVE, DONE = ACTIONS.starts

BY_BOARD = 0  # of the option `two_player_seats`
DRAW = 1  # of the option `stall_result`
D6 = 1  # of the option `die`

KIT = record_dtype(
    [
        *option_fields(OPTIONS),
        ("rows", "i2"),
        ("columns", "i2"),
        ("pair", "i2"),  # the sides of two players: 0 bottom and top, 1 left and right
        ("count", "i2", len(KINDS)),  # of the deck
        ("open", "i2", SQUARES),
        ("run", "i2", (DIRECTIONS, SQUARES)),  # how many steps, up to three, lie open
        ("start", "i2", (SIDES, STARTS)),
        ("far", "i2", (SIDES, SQUARES)),  # how many steps it is to a goal of that side's seat
        ("start_side", "i2", SQUARES),  # whose start a space is, or NO_SIDE
    ]
)

STATE = state_dtype(
    SEATS,
    [
        ("idle", "i4"),  # finished rounds in a row without placing or arriving
        ("stirred", "i2"),  # whether somebody placed or arrived in this round
        ("side", "i2", SEATS),  # bottom, left, top, right
        ("first", "i2"),  # the seat that began: with it each round begins
        ("token", "i2", (SEATS, TOKENS)),  # where they stand, or OFF
        ("taken", "i8", WORDS),  # the spaces where a token stands
        ("shut", "i8", (2, WORDS)),  # for the pair S and N, and for W and E: side starts, where they may not stand
        ("hand", "i2", (SEATS, HAND + 1)),
        ("deck", "i2", MOST + 1),
        ("discard", "i2", MOST + 1),
        ("throws", "i2", THROWS + 1),  # for the first turn, until it begins: eight times the seat plus the face
        ("face", "i2"),  # what the die shows in this turn
        ("moves", "i2"),  # how many are left
        ("card", "i2"),  # the kind picked, in TOKEN and SPACE
        ("picked", "i2"),  # the token picked, in SPACE
    ],
)
