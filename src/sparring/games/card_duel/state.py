"""Card Duel: phases, actions, endings, beats, and the state of a match."""

from sparring.engine.rule import ActionSpace
from sparring.engine.state import (
    EVERYONE, NO_ONE, OWNER, Header, array, dtype_of, integer, per_seat, pile, scalar, seat_number, table,
)  # fmt: skip

from .kit import CARDS, DECK_CARDS, DESIGNS, HAND_LIMIT, SEATS, SLOTS, Params

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

KIT = dtype_of(Params)


class State(Header, seats=SEATS):
    """The state of a match."""

    turn = integer(1, lambda kit, _s: 2 * kit.rounds)
    life = per_seat(integer(0, "life", default="life"))
    points = per_seat(integer(0, MOST_STAT))
    energy = per_seat(integer(0, MOST_ENERGY_NOW))
    first = seat_number(default=lambda _kit, s: (s.player + s.turn + 1) % SEATS)  # the seat that goes first
    moves = integer(0, MOVES)  # cards played and attacks made this turn
    # Cards are numbers of designs; copies are equal. One byte per card in piles: states are copied often.
    deck = per_seat(pile(CARDS, of=DECK_CARDS, seen_by=NO_ONE, dtype="i1", fills=True, from_top=True, key="draw_pile"))
    discard = per_seat(pile(CARDS, of=DECK_CARDS, seen_by=EVERYONE, dtype="i1", fills=True, key="discard_pile"))
    hand = per_seat(
        pile(
            HAND_LIMIT,
            of=DECK_CARDS,
            seen_by=OWNER,
            dtype="i1",
            ordered=True,
            counted=True,
            key="hands",
            default=lambda kit, _s, _seat: int(kit.hand),
        )
    )
    known = per_seat(array(DESIGNS, "i1"))  # copies of each card that are in a hand as everyone knows
    # Characters in play, by seat and slot: the card plus 1, its owner, and how it has changed.
    row = per_seat(array(SLOTS))
    owner = per_seat(array(SLOTS))
    damage = per_seat(array(SLOTS))
    more_attack = per_seat(array(SLOTS))
    more_health = per_seat(array(SLOTS))
    shield = per_seat(array(SLOTS))
    tired = per_seat(array(SLOTS))
    card = scalar()  # the card being played, plus 1
    spot = integer(0, "slots")  # the slot that it has taken, plus 1
    attacker = integer(0, "slots")  # the slot of the attacker that is choosing its target, plus 1
    # Effects that wait: the card, its seat, when (one of WHEN), its slot plus 1, the chosen enemy's slot plus 1.
    waiting = table(CHAIN, 5, "i1")
    queued = scalar()
    done = scalar()
    # The cause of what a beat shows: the card plus 1, its seat, and when.
    cause = scalar()
    cause_seat = scalar()
    cause_when = scalar()


STATE = dtype_of(State)
