"""World of Fighters: phases, actions, endings, beats, and the layout of the kit and state records."""

from sparring.engine.options import option_fields
from sparring.engine.rule import ActionSpace, record_dtype, state_dtype
from sparring.engine.squares import SIDE

from .kit import DECK, FIGHTERS, OPTIONS

SEATS = 2
HAND = 3
CARDS = sum(DECK)
HEALTH = 20
SUPER_HEALTH = 7  # a super needs this much health or less
SUPER_SCORE = 6
ROWS = 7  # on the largest board

NOTHING = 0  # no card
PUNCH, KICK, GRAPPLE, BLOCK = 1, 2, 3, 4
NO_FIGHTER = -1

PHASES: tuple[str, ...] = ("pick", "move_card", "action_card", "move", "claim", "counter")
PICK, MOVE_CARD, ACTION_CARD, MOVE, CLAIM, COUNTER = range(6)
#: Phases whose legal choices are public, so that a forced choice can be made automatically without a leak.
OPEN: tuple[int, ...] = (MOVE,)

ENDINGS: tuple[str, ...] = ("knock-out", "ring-out", "forced off", "round limit")
KNOCK_OUT, RING_OUT, FORCED_OFF, ROUND_LIMIT = range(4)

# Each beat shows the table right after the event that it names. The first blow is always the first mover's attack.
BEATS: tuple[str, ...] = (
    "moved", "shown", "thrown out", "first blow", "second blow", "two blocks", "counter", "reshuffled",
)  # fmt: skip
MOVED, SHOWN, THROWN_OUT, FIRST_BLOW, SECOND_BLOW, TWO_BLOCKS, COUNTERED, RESHUFFLED = range(8)

ACTIONS = ActionSpace(
    fighter=FIGHTERS, movement=3, card=4, call=4, square=ROWS * SIDE, claim=1, no=1, counter=3, skip=1
)
TO_PICK, TO_MOVE, TO_PLAY, TO_CALL, TO_SQUARE, TO_CLAIM, NOT_CLAIM, TO_COUNTER, SKIP = ACTIONS.starts

UPTO = 1  # of the option `movement`
BOTH = 1  # of the option `punch_ends`
TOGETHER = 1  # of the option `settle`
REVEAL, HEARD = 1, 2  # of the option `super_call`
PLUS = 1  # of the option `super_score`
RINGOUT = 1  # of the option `super_vs_block`

KIT = record_dtype(
    [
        *option_fields(OPTIONS),
        ("columns", "i2"),
        ("rows", "i2"),
        ("red", "i2", SEATS),  # where each seat's token starts
        ("fighters", "i2"),
        ("long", "i2", FIGHTERS),  # whether the reach is long
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
        ("hand", "i2", (SEATS, HAND + 1)),  # includes a committed Action card until it is revealed
        ("fighter", "i2", SEATS),
        ("square", "i2", SEATS),
        ("health", "i2", SEATS),
        ("super_used", "i2", SEATS),
        ("resting", "i2", SEATS),  # the Movement card used in the last round
        # Committed this round: Movement card, Action card, whether it calls the super.
        ("movement", "i2", SEATS),
        ("action", "i2", SEATS),
        ("called", "i2", SEATS),
        ("performed", "i2", SEATS),
        ("shown", "i2"),  # whether the Action cards are face up
        ("counter", "i2"),  # the card of a Counter
        ("lost", "i2", SEATS),  # health lost since the Action cards were last revealed
        # The cards of the last round, which the table keeps showing.
        ("last_action", "i2", SEATS),
        ("last_performed", "i2", SEATS),
        ("last_counter", "i2"),
        # How many cards of each kind the opponent knows are in a hand, from counting at the last reshuffle.
        ("sure", "i2", (SEATS, BLOCK + 1)),
    ],
)
