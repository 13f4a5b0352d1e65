"""Make Your Moves: phases, actions, endings, beats, and the layout of the kit and state records."""

from sparring.engine.options import option_fields
from sparring.engine.rule import ActionSpace, record_dtype, state_dtype

from .kit import CARDS, OPTIONS

SEATS = 6
HAND = 5
NEEDED = 3  # points that win, or eliminate

PHASES: tuple[str, ...] = ("target", "attack", "respond", "four", "dodge_to", "assist_card", "assist_side", "discard")
TARGET, ATTACK, RESPOND, FOUR, DODGE_TO, ASSIST_CARD, ASSIST_SIDE, DISCARD = range(8)
#: Phases whose legal choices are public, so that a forced choice can be made automatically without a leak.
OPEN: tuple[int, ...] = (TARGET, DODGE_TO, ASSIST_SIDE)

ENDINGS: tuple[str, ...] = ("points", "last one in", "turn limit")
BY_POINTS, LAST_ONE_IN, TURN_LIMIT = range(3)

BEATS: tuple[str, ...] = ("compared", "scored", "countered", "reshuffled", "no attack")
COMPARED, SCORED, COUNTERED, RESHUFFLED, NO_ATTACK = range(5)

ACTIONS = ActionSpace(card=CARDS, seat=SEATS, skip=1, done=1, counter=1, dodge=1, attacker=1, defender=1)
CARD, SEAT, SKIP, DONE, COUNTER, DODGE, ATTACKER, DEFENDER = ACTIONS.starts

ELIMINATION = 1  # of the option `match`
ONE = 1  # of the option `defence_wilds`
SEAT1 = 1  # of the option `first_control`
MATCH = 1  # of the option `assist_fit`
MARKER = 1  # of the option `point_cards`

KIT = record_dtype([*option_fields(OPTIONS), ("cards", "i2"), ("colour", "i2", CARDS), ("power", "i2", CARDS)])

STATE = state_dtype(
    SEATS,
    [
        # One byte per card in the two long piles: states are copied often, and CARDS is below 128.
        ("deck", "i1", CARDS + 1),
        ("discard", "i1", CARDS + 1),
        ("hand", "i2", (SEATS, HAND + 1)),
        ("points", "i2", SEATS),
        ("point_cards", "i2", (SEATS, NEEDED + 1)),
        ("out", "i2", SEATS),
        ("control", "i2"),
        ("attacker", "i2"),
        ("defender", "i2"),
        ("asked", "i2"),  # the seat asked in ASSIST or DISCARD, in places clockwise from the Attacker
        ("attack", "i2", HAND + 1),
        ("defence", "i2", HAND + 1),
        ("fours", "i2", 4 * (SEATS - 1) + 1),
        ("help_attack", "i2", SEATS),
        ("help_defence", "i2", SEATS),
        ("helping", "i2", 2),  # the card a helper has played but not yet given to a side
        ("picked", "i2", HAND),  # FOUR: the cards picked so far, still in the hand
        ("dodging", "i2"),
        # The attack: its colours and those with a card of power 2 or 3, as bits; the number of colours.
        ("attack_colours", "i2"),
        ("strong_colours", "i2"),
        ("ceiling", "i2"),
        # The defence: units played, colours with a single as bits, the number of Wilds.
        ("units", "i2"),
        ("single_colours", "i2"),
        ("wilds", "i2"),
        # Public inference about each hand (section 8): it has at least this many Wilds; it has a coloured card; it has
        # a card of one of these kinds (as bits; 0: nothing known).
        ("sure_wilds", "i2", SEATS),
        ("sure_coloured", "i2", SEATS),
        ("sure_kinds", "i2", SEATS),
        # The draw pile a card was last in: 0 for the oldest that still has cards, one more for each reshuffle since.
        ("shuffled", "u1", CARDS),
    ],
)
