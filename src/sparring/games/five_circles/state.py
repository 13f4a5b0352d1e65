"""Five Circles: phases and choices, and the state of a match.

A card is a number: characters from 0, then three numbers that stand for any Red, Blue or Green resource (resources of
one colour are identical). A place in play is 64 x the seat + the lane, so the place in front is `at ^ SIDE`, the
neighbours are one less and one more, and the seat is `at >> 6`. Rows hold card + 1, or 0 for a gap.

"""

from typing import Protocol, cast

from sparring.engine.rule import ActionSpace
from sparring.engine.state import (
    CHOOSER, OWNER, UNKNOWN_SEAT, Components, Header, array, dtype_of, integer, per_seat, pile, scalar, seat_number,
)  # fmt: skip
from sparring.engine.types import CardPile

from .options import CHARACTERS, MOST_DRY, MOST_LIFE, MOST_TURNS, SEATS, SLOTS, Params

COLOURS = ("Red", "Blue", "Green")
RED, BLUE, GREEN = range(3)

RESOURCES = 36  # 18 from each player
RESOURCE = CHARACTERS  # RESOURCE + colour is a resource card
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

ENDINGS: tuple[str, ...] = ("no life left", "the deck ran dry", "turn limit")
NO_LIFE, RAN_DRY, TURN_LIMIT = range(3)

BEATS: tuple[str, ...] = ("combat", "lane", "destroyed", "life lost", "turn", "reshuffled")
COMBAT, LANE_OVER, DESTROYED, LIFE_LOST, TURN, RESHUFFLED = range(6)

ACTIONS = ActionSpace(
    resource=3, bring=CHARACTERS, use=CHARACTERS * SLOTS, target=CHARACTERS, player=1, place=CHARACTERS + RESOURCES,
    take=1, keep=1, attack=1, hold=1, done=1, none=1,
)  # fmt: skip
PLAY_RESOURCE, PLAY_CHARACTER, USE, TARGET, PLAYER, PLACE, TAKE, KEEP, ATTACK, HOLD_BACK, DONE, NONE = ACTIONS.starts

KIT = dtype_of(Params)

#: `position.py` reads, writes and names the cards.
CARDS = Components(lambda _box: {})


class Halves(Protocol):
    """A shared pile, or the piles of both players one after the other: what starts at 0 or at HALF is a pile."""

    def __getitem__(self, half: slice, /) -> CardPile: ...


class State(Header, seats=SEATS):
    """The state of a match. A view has a hand without the cards that its seat has not seen (see `knowledge`)."""

    turn = integer(1, MOST_TURNS)
    player = seat_number(default=UNKNOWN_SEAT)  # it follows from the phase
    deck = cast(Halves, array(PILE))
    discard = cast(Halves, array(PILE))
    hand = per_seat(pile(CHARACTERS, of=CARDS, seen_by=OWNER, custom=True))  # its characters
    held = per_seat(array(3))  # its resources, by colour
    cards = per_seat(scalar())  # number of all its cards
    known = per_seat(array(3))  # its resources that the other seat has seen, by colour
    known_top = per_seat(integer(0, TOP))  # number of cards on top of its draw deck that a seat knows
    ready = per_seat(array(3))
    spent = per_seat(array(3))
    life = per_seat(integer(0, MOST_LIFE, default="life"))
    row = array(SEATS * SIDE)
    last = per_seat(scalar())  # the highest lane a seat occupies
    # For each character:
    at = array(CHARACTERS)  # its place in play, or 0
    damage = array(CHARACTERS)
    status = array(CHARACTERS)  # bits, see below
    target = array(CHARACTERS)  # the card chosen with Target, plus 1
    # The turn:
    active = seat_number()  # whose turn it is
    window = scalar()  # the part of the turn, as its phase
    laid = integer(0, 2)  # resources played this turn
    dry = integer(0, MOST_DRY)  # consecutive dry turns
    serene = scalar()  # seats that take no damage this turn, as bits
    # The ability being used:
    using = scalar()  # its card, plus 1
    ability = scalar()
    first = scalar()  # Reorder: the first picked card, plus 1
    picks = pile(TOP, of=CARDS, seen_by=CHOOSER, custom=True)  # Change the Future: the places picked so far
    # Combat and damage (see combat.py):
    lane = scalar()
    stage = scalar()
    order = scalar()
    hitter = scalar()  # these three are cards, plus 1
    struck = scalar()
    striker = scalar()
    strike = scalar()
    reflected = scalar()
    mirror = scalar()
    hit = scalar()  # the card at which a packet is aimed, plus 1
    packet = scalar()
    kept = scalar()  # points of the last packet that landed on its target


STATE = dtype_of(State)

# Bits of `status`. The lowest SLOTS bits are the abilities used this turn.
ASLEEP = 16
ARRIVED = 32  # came into play this turn
AVOIDING = 64
LONG = 128  # uses Long Range
BOOST = 256  # number of active Attack Boosts 2: two bits, from bit 8 on
SEEN = 1024  # in a hand, and known to the other seat
FALLING = 2048  # about to be destroyed
