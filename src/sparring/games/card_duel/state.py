"""Card Duel: phases, actions, endings, beats, and the layout of the kit and state records."""

from sparring.engine.options import option_fields
from sparring.engine.rule import ActionSpace, record_dtype, state_dtype

from .kit import CARDS, DESIGNS, EFFECTS, HAND_LIMIT, OPTIONS, SLOTS

SEATS = 2
#: The most cards played and attacks made in one turn (R11).
MOVES = 20
#: The most effects that follow from one choice (R12).
CHAIN = 24
#: Limits of numbers at the table, so that they fit everywhere.
MOST_STAT = 99
MOST_SHIELDS = 9
MOST_ENERGY_NOW = 20

PHASES: tuple[str, ...] = ("main", "place", "aim", "target")
MAIN, PLACE, AIM, TARGET = range(4)
#: Phases whose legal choices are public, so that a forced choice can be made automatically without a leak.
OPEN: tuple[int, ...] = (PLACE, AIM, TARGET)

ENDINGS: tuple[str, ...] = ("life", "points", "rounds")
BY_LIFE, BY_POINTS, BY_ROUNDS = range(3)

BEATS: tuple[str, ...] = ("played", "struck", "effect")
CARD_PLAYED, STRUCK, EFFECT = range(3)

ACTIONS = ActionSpace(card=DESIGNS, slot=SLOTS, enemy=SLOTS, opponent=1, done=1)
CARD, SLOT, ENEMY, OPPONENT, DONE = ACTIONS.starts

POINTS = 1  # of the option `win`
FIXED = 1  # of the option `growth`
LANES = 1  # of the option `combat`
SEAT1 = 1  # of the option `first`

#: Whether a character can attack: `READY`, it has attacked (`USED`), or it came this turn (`ARRIVED`).
READY, USED, ARRIVED = range(3)

KIT = record_dtype([
    *option_fields(OPTIONS), ("cards", "i2"), ("kind", "i2", DESIGNS), ("cost", "i2", DESIGNS),
    ("card_attack", "i2", DESIGNS), ("card_health", "i2", DESIGNS), ("fast", "i2", DESIGNS), ("guard", "i2", DESIGNS),
    ("copies", "i2", (SEATS, DESIGNS)), ("effects", "i2", DESIGNS), ("effect", "i2", (DESIGNS, EFFECTS, 4)),
    ("aims", "i2", DESIGNS),
])  # fmt: skip

STATE = state_dtype(SEATS, [
    ("life", "i2", SEATS), ("points", "i2", SEATS), ("energy", "i2", SEATS),
    ("first", "i2"),  # the seat that goes first
    ("moves", "i2"),  # cards played and attacks made this turn
    # Cards are numbers of designs; copies are equal. One byte per card in piles: states are copied often.
    ("deck", "i1", (SEATS, CARDS + 1)), ("discard", "i1", (SEATS, CARDS + 1)), ("hand", "i1", (SEATS, HAND_LIMIT + 1)),
    ("known", "i1", (SEATS, DESIGNS)),  # copies of each card that are in a hand as everyone knows
    # Characters in play, by seat and slot: the card plus 1, its owner, and how it has changed.
    ("row", "i2", (SEATS, SLOTS)), ("owner", "i2", (SEATS, SLOTS)), ("damage", "i2", (SEATS, SLOTS)),
    ("more_attack", "i2", (SEATS, SLOTS)), ("more_health", "i2", (SEATS, SLOTS)), ("shield", "i2", (SEATS, SLOTS)),
    ("tired", "i2", (SEATS, SLOTS)),
    ("card", "i2"),  # the card being played, plus 1
    ("spot", "i2"),  # the slot that it has taken, plus 1
    ("attacker", "i2"),  # the slot of the attacker that is choosing its target, plus 1
    # Effects that wait: the card, its seat, when (one of WHEN), its slot plus 1, the chosen enemy's slot plus 1.
    ("waiting", "i1", (CHAIN, 5)), ("queued", "i2"), ("done", "i2"),
    # The cause of what a beat shows: the card plus 1, its seat, and when.
    ("cause", "i2"), ("cause_seat", "i2"), ("cause_when", "i2"),
])  # fmt: skip
