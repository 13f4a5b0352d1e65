"""MACE: phases, actions, endings, beats, and the state of a match."""

from sparring.engine.hexes import HEXES
from sparring.engine.rule import ActionSpace, rule
from sparring.engine.state import (
    EVERYONE, MAX_TURN, NO_ONE, OWNER, UNKNOWN_SEAT, Components, Header, dtype_of, flag, integer, per_seat, pile,
    scalar, seat_number, slot,
)  # fmt: skip

from .kit import CARDS, JOKERS, LARGEST_VALUE, PACK, RANKS, SEATS, Params

HAND = 5
#: One Charge row can hold all Clubs and Jokers.
CHARGES = RANKS + JOKERS
#: An attack has at most three cards on the table: a revealed Charge, the Club of the Blast, the defence card.
TABLE = 3

PHASES: tuple[str, ...] = (
    "momentum", "turn", "blast_card", "target", "defence", "dodge_move", "pay", "drop_charge", "move", "forfeit",
)  # fmt: skip
MOMENTUM, TURN, BLAST_CARD, TARGET, DEFENCE, DODGE_MOVE, PAY, DROP_CHARGE, MOVE, FORFEIT = range(10)
#: No seat must choose: the next Turn, forfeit or Round is due. The step function never returns in this phase.
BETWEEN = 10

ENDINGS: tuple[str, ...] = ("last one in", "most cards", "stalled")
LAST_ONE_IN, MOST_CARDS, STALLED = range(3)

BEATS: tuple[str, ...] = (
    "round", "compared", "paid", "charge lost", "knocked back", "down", "out", "up again", "round over", "reshuffled",
)  # fmt: skip
NEW_ROUND, COMPARED, PAID, CHARGE_LOST, KNOCKED_BACK, WENT_DOWN, KNOCKED_OUT, UP_AGAIN, ROUND_OVER, RESHUFFLED = range(
    10
)

#: Each way to use a card has its own block, so that an action number means the same in every phase.
ACTIONS = ActionSpace(
    momentum=CARDS, strike=CARDS, charge=CARDS, blast=CARDS, club=CARDS, boost=CARDS, block=CARDS, dodge=CARDS,
    pay=CARDS, drop=CARDS, target=SEATS, to=HEXES, stay=1, end=1, take=1, forfeit=1,
)  # fmt: skip
(
    COMMIT, STRIKE, CHARGE, BLAST, CLUB, BOOST, BLOCK, DODGE, PAYING, DROP, AIM, TO, STAY, END, TAKE, GIVE_UP,
) = ACTIONS.starts  # fmt: skip

AFTER_ATTACK = 1  # of the option `discard_timing`
REVEAL_ONLY = 1  # of the option `blast_cost`
STOPS = 1  # of the option `knockback_reach`
OFF = 1  # of the option `forfeits`
DRAW = 1  # of the option `stall_result`

NO_CARD = -2
NO_SEAT = UNKNOWN_SEAT

#: Bits of all cards: before the first reshuffle any card may be in the deck.
ANY_CARD = (1 << CARDS) - 1

KIT = dtype_of(Params)

#: Piles of seats, and of Rounds.
NUMBERS = Components(lambda _box: {})


@rule
def momentum_revealed(s: "State") -> bool:
    """Return whether the Momentum cards have been revealed (R6)."""
    return s.phase != MOMENTUM


class State(Header, seats=SEATS):
    """The state of a match."""

    turn = integer(0, MAX_TURN, default=lambda _kit, s: int(s.phase != MOMENTUM))
    player = seat_number(default=NO_SEAT)  # it follows from the phase
    reshuffled = scalar("i8")  # cards in the deck at the last reshuffle, as bits
    rounds = integer(0, MAX_TURN, default=lambda _kit, s: int(s.phase != MOMENTUM), dtype="i4", key="round")
    quiet = integer(0, MAX_TURN, dtype="i4")  # consecutive finished Rounds without Damage
    deck = pile(CARDS, of=PACK, seen_by=NO_ONE, fills=True, from_top=True, key="draw_pile")
    discard = pile(CARDS, of=PACK, seen_by=EVERYONE, fills=True, key="discard_pile")
    hand = per_seat(pile(HAND, of=PACK, seen_by=OWNER, ordered=True, key="hands"))
    charges = per_seat(pile(CHARGES, of=PACK, seen_by=OWNER))  # oldest first
    # The Round in which each of them was played.
    laid = per_seat(pile(CHARGES, of=NUMBERS, seen_by=EVERYONE, dtype="i4", custom=True))
    momentum = per_seat(slot(of=PACK, none=NO_CARD, seen_by=momentum_revealed))
    at = per_seat(scalar())  # hexes
    down = per_seat(flag(listed=True))
    out = per_seat(scalar())  # 0 while in; 1 for the first Fighter out, and so on
    order = pile(SEATS, of=NUMBERS, seen_by=EVERYONE, custom=True)  # turn order of this Round: seats
    # Current place in the order, from 1; forfeits continue the count for a second pass through the order.
    place = scalar()
    hurt = flag()  # whether a Fighter was dealt Damage in this Round
    active = seat_number(default=NO_SEAT)
    acted = flag()
    boosted = flag()
    steps = integer(0, LARGEST_VALUE)  # how far MOVE or DODGE_MOVE may go
    # The attack: range, CV, target, Damage left after the defence, Damage paid, cards on the table.
    blasting = flag()
    range = integer(0, LARGEST_VALUE)
    attack = integer(0, LARGEST_VALUE)
    target = seat_number(default=NO_SEAT)
    damage = integer(0, LARGEST_VALUE)
    paid = integer(0, 2 * LARGEST_VALUE)
    table = pile(TABLE, of=PACK, seen_by=EVERYONE)
    # What all have seen of the attack: the actions of attack and defence, the CV of the defence, and for each seat
    # the action that revealed or lost a Charge; 0 for none.
    attack_by = scalar()
    defence_by = scalar()
    defence = scalar()
    opened = per_seat(scalar())
    opened_laid = per_seat(scalar("i4"))  # the Round in which that Charge was played
    # The last Knockback, only for display: seat, hexes of attacker and target before it, length, Turn.
    knocked = scalar()
    knock_source = scalar()
    knock_start = scalar()
    knock_length = scalar()
    knock_turn = scalar("i4")
    # Public inference about hidden cards: how many cards of each Charge row, and how many more in hand and later
    # Charges, were held before the last reshuffle and so are not in `reshuffled`.
    old_charges = per_seat(scalar())
    old_cards = per_seat(scalar())


STATE = dtype_of(State)
