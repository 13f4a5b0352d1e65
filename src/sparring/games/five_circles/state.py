"""Five Circles: the kit and state records, phases and choices.

A card is a number: characters from 0, then three numbers that stand for any Red, Blue or Green resource (resources of
one colour are identical). A place in play is 64 x the seat + the lane, so the place in front is `at ^ SIDE`, the
neighbours are one less and one more, and the seat is `at >> 6`. Rows hold card + 1, or 0 for a gap.

"""

from sparring.engine.options import option_fields
from sparring.engine.rule import ActionSpace, record_dtype, state_dtype

from .options import OPTIONS

SEATS = 2
COLOURS = ("Red", "Blue", "Green")
RED, BLUE, GREEN = range(3)

CHARACTERS = 32  # 16 from each player
RESOURCES = 36  # 18 from each player
RESOURCE = CHARACTERS  # RESOURCE + colour is a resource card
SLOTS = 4  # of five circles at least one buys points, and an ability takes at least one
KNOWN_ABILITIES = 32  # space in the kit; 24 are in use
LANES = 62
SIDE = 64
#: A shared pile with its count, or with own decks the piles of both players one after the other.
PILE = CHARACTERS + RESOURCES + 2
HALF = PILE // 2
HAND = 5
TOP = 3  # cards that Future Vision and Change the Future show

#: The first five are parts of a turn, in order (LANE comes up during combat); a choice opens the others.
PHASES: tuple[str, ...] = ("resources", "main", "brace", "lane", "mend", "extra", "pick", "answer", "spread")
RESOURCES_PHASE, MAIN, BRACE, LANE, MEND, EXTRA, PICK, ANSWER, SPREAD = range(9)
#: Phases in which it is public whether there is only one choice.
OPEN: tuple[int, ...] = (PICK,)

ENDINGS: tuple[str, ...] = ("no life left", "the deck ran dry", "turn limit")
NO_LIFE, RAN_DRY, TURN_LIMIT = range(3)

BEATS: tuple[str, ...] = ("combat", "lane", "destroyed", "life lost", "turn", "reshuffled")
COMBAT, LANE_OVER, DESTROYED, LIFE_LOST, TURN, RESHUFFLED = range(6)

ACTIONS = ActionSpace(
    resource=3, bring=CHARACTERS, use=CHARACTERS * SLOTS, target=CHARACTERS, player=1, place=CHARACTERS + RESOURCES,
    take=1, keep=1, attack=1, hold=1, done=1, none=1,
)  # fmt: skip
PLAY_RESOURCE, PLAY_CHARACTER, USE, TARGET, PLAYER, PLACE, TAKE, KEEP, ATTACK, HOLD_BACK, DONE, NONE = ACTIONS.starts

KIT = record_dtype([
    *option_fields(OPTIONS),
    ("characters", "i2"),
    ("resources", "i2", (SEATS, 3)),  # resources of each player's half, by colour
    # For each character:
    ("card_owner", "i2", CHARACTERS),
    ("card_design", "i2", CHARACTERS),
    ("card_attack", "i2", CHARACTERS),
    ("card_health", "i2", CHARACTERS),
    ("card_cost", "i2", (CHARACTERS, 3)),
    ("card_ability", "i2", (CHARACTERS, SLOTS)),  # ability numbers, ascending; -1 for none
    ("card_phases", "i2", CHARACTERS),  # all phases in which its abilities can be used, as bits
    # Sums of what its automatic abilities give:
    ("card_pierce", "i2", CHARACTERS),
    ("card_armour", "i2", CHARACTERS),
    ("card_boost", "i2", CHARACTERS),
    ("card_guard", "i2", CHARACTERS),
    ("card_fast", "i2", CHARACTERS),
    ("card_reflect", "i2", CHARACTERS),
    ("card_extra", "i2", CHARACTERS),
    # For each ability:
    ("ability_phases", "i2", KNOWN_ABILITIES),  # the phases in which it can be used, as bits
    ("ability_colour", "i2", KNOWN_ABILITIES),
    ("ability_price", "i2", KNOWN_ABILITIES),
    ("ability_wants", "i2", KNOWN_ABILITIES),  # what it needs or picks
    ("ability_again", "i2", KNOWN_ABILITIES),  # usable as often as paid for
    ("ability_attack", "i2", KNOWN_ABILITIES),  # changes how the card attacks (R58)
])  # fmt: skip

STATE = state_dtype(
    SEATS,
    [
        ("deck", "i2", PILE),
        ("discard", "i2", PILE),
        ("hand", "i2", (SEATS, CHARACTERS + 1)),  # its characters
        ("held", "i2", (SEATS, 3)),  # its resources, by colour
        ("cards", "i2", SEATS),  # number of all its cards
        ("known", "i2", (SEATS, 3)),  # its resources that the other seat has seen, by colour
        ("known_top", "i2", SEATS),  # number of cards on top of its draw deck that a seat knows
        ("ready", "i2", (SEATS, 3)),
        ("spent", "i2", (SEATS, 3)),
        ("life", "i2", SEATS),
        ("row", "i2", SEATS * SIDE),
        ("last", "i2", SEATS),  # the highest lane a seat occupies
        # For each character:
        ("at", "i2", CHARACTERS),  # its place in play, or 0
        ("damage", "i2", CHARACTERS),
        ("status", "i2", CHARACTERS),  # bits, see below
        ("target", "i2", CHARACTERS),  # the card chosen with Target, plus 1
        # The turn:
        ("active", "i2"),  # whose turn it is
        ("window", "i2"),  # the part of the turn, as its phase
        ("laid", "i2"),  # resources played this turn
        ("dry", "i2"),  # consecutive dry turns
        ("serene", "i2"),  # seats that take no damage this turn, as bits
        # The ability being used:
        ("using", "i2"),  # its card, plus 1
        ("ability", "i2"),
        ("first", "i2"),  # Reorder: the first picked card, plus 1
        ("picks", "i2", TOP + 1),  # Change the Future: the places picked so far
        # Combat and damage (see combat.py):
        ("lane", "i2"),
        ("stage", "i2"),
        ("order", "i2"),
        ("hitter", "i2"),  # these three are cards, plus 1
        ("struck", "i2"),
        ("striker", "i2"),
        ("strike", "i2"),
        ("reflected", "i2"),
        ("mirror", "i2"),
        ("hit", "i2"),  # the card at which a packet is aimed, plus 1
        ("packet", "i2"),
        ("kept", "i2"),  # points of the last packet that landed on its target
    ],
)

# Bits of `status`. The lowest SLOTS bits are the abilities used this turn.
ASLEEP = 16
ARRIVED = 32  # came into play this turn
AVOIDING = 64
LONG = 128  # uses Long Range
BOOST = 256  # number of active Attack Boosts 2: two bits, from bit 8 on
SEEN = 1024  # in a hand, and known to the other seat
FALLING = 2048  # about to be destroyed
