"""World of Fighters: what a match consists of: numbers, choices, and the records of kit and state."""

from sparring.engine.options import option_fields
from sparring.engine.rule import Actions, record_dtype, state_dtype
from sparring.engine.squares import SIDE

from .kit import DECK, FIGHTERS, OPTIONS

SEATS = 2
HAND = 3
CARDS = sum(DECK)
HEALTH = 20
SUPER_HEALTH = 7  # with so much health or less a super may be called
SUPER_SCORE = 6
ROWS = 7  # of the largest board

NOTHING = 0  # where a card could be
PUNCH, KICK, GRAPPLE, BLOCK = 1, 2, 3, 4
NO_FIGHTER = -1

PHASES: tuple[str, ...] = ("pick", "move_card", "action_card", "move", "claim", "counter")
PICK, MOVE_CARD, ACTION_CARD, MOVE, CLAIM, COUNTER = range(6)
#: The phases in which everybody can see whether there is one choice only.
OPEN: tuple[int, ...] = (MOVE,)

ENDINGS: tuple[str, ...] = ("knock-out", "ring-out", "forced off", "round limit")
KNOCK_OUT, RING_OUT, FORCED_OFF, ROUND_LIMIT = range(4)

# The first blow is the first mover's, the second one the other's; each beat comes after what it is called by.
BEATS: tuple[str, ...] = (
    "moved", "shown", "thrown out", "first blow", "second blow", "two blocks", "counter", "reshuffled",
)  # fmt: skip
MOVED, SHOWN, THROWN_OUT, FIRST_BLOW, SECOND_BLOW, TWO_BLOCKS, COUNTERED, RESHUFFLED = range(8)

ACTIONS = Actions(fighter=FIGHTERS, movement=3, card=4, call=4, square=ROWS * SIDE, claim=1, no=1, counter=3, skip=1)
TO_PICK, TO_MOVE, TO_LAY, TO_CALL, TO_SQUARE, TO_CLAIM, NOT_CLAIM, TO_COUNTER, SKIP = ACTIONS.starts

UPTO = 1  # of the option `movement`
BOTH = 1  # of the option `punch_ends`
TOGETHER = 1  # of the option `settle`
REVEAL = 1  # of the option `super_call`
PLUS = 1  # of the option `super_score`
RINGOUT = 1  # of the option `super_vs_block`

KIT = record_dtype(
    [
        *option_fields(OPTIONS),
        ("columns", "i2"),
        ("rows", "i2"),
        ("red", "i2", SEATS),  # where each seat's token starts
        ("fighters", "i2"),
        ("long", "i2", FIGHTERS),  # whether the fighter's reach is long
        ("stat", "i2", (FIGHTERS, 5)),  # by kind
        ("super_kind", "i2", FIGHTERS),
        ("super_range", "i2", FIGHTERS),
    ]
)

STATE = state_dtype(
    SEATS,
    [
        ("deck", "i2", CARDS + 1),
        ("discard", "i2", CARDS + 1),
        ("hand", "i2", (SEATS, HAND + 1)),  # holds a committed Action card too, until it is shown
        ("fighter", "i2", SEATS),
        ("square", "i2", SEATS),
        ("health", "i2", SEATS),
        ("super_used", "i2", SEATS),
        ("resting", "i2", SEATS),  # the Movement card used in the round before
        # Committed this round: Movement card, Action card, whether the super is called with it.
        ("movement", "i2", SEATS),
        ("action", "i2", SEATS),
        ("called", "i2", SEATS),
        ("performed", "i2", SEATS),
        ("shown", "i2"),  # whether the Action cards lie face up
        ("counter", "i2"),  # the card a Counter is made with
        ("lost", "i2", SEATS),  # health lost since the last SHOW
        # How the round before was played: what everybody saw, and the table goes on showing.
        ("last_action", "i2", SEATS),
        ("last_performed", "i2", SEATS),
        ("last_counter", "i2"),
        # So many cards of each kind the other player is sure of in a hand, from counting at the last reshuffle.
        ("sure", "i2", (SEATS, BLOCK + 1)),
    ],
)
