"""MACE: phases, actions, endings, beats, and the layout of the kit and state records."""

from sparring.engine.hexes import HEXES, SET_SIZE
from sparring.engine.options import option_fields
from sparring.engine.rule import ActionSpace, record_dtype, state_dtype

from .kit import CARDS, JOKERS, OPTIONS, RANKS, SEATS

HAND = 5
#: One Charge row can hold all Clubs and Jokers.
CHARGES = RANKS + JOKERS
#: An attack has at most three cards on the table: a revealed Charge, the Club of the Blast, the defence card.
TABLE = 3

PHASES: tuple[str, ...] = (
    "momentum", "turn", "blast_card", "target", "defence", "dodge_move", "pay", "drop_charge", "move", "forfeit",
)  # fmt: skip
MOMENTUM, TURN, BLAST_CARD, TARGET, DEFENCE, DODGE_MOVE, PAY, DROP_CHARGE, MOVE, FORFEIT = range(10)
#: Phases whose legal choices are public, so that a forced choice can be made automatically without a leak.
OPEN: tuple[int, ...] = (TARGET, DODGE_MOVE, PAY, DROP_CHARGE, MOVE, FORFEIT)
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
NO_SEAT = -1

#: Bits of all cards: before the first reshuffle any card may be in the deck.
ANY_CARD = (1 << CARDS) - 1

KIT = record_dtype([
    *option_fields(OPTIONS),
    ("cards", "i2"),  # without Jokers
    ("value", "i2", CARDS),
    ("start", "i2", (SEATS - 1, SEATS)),
    ("board", "i4", SET_SIZE),  # a set of hexes
])  # fmt: skip

STATE = state_dtype(
    SEATS,
    [
        ("reshuffled", "i8"),  # cards in the deck at the last reshuffle, as bits
        ("rounds", "i4"),
        ("quiet", "i4"),  # consecutive finished Rounds without Damage
        ("deck", "i2", CARDS + 1),
        ("discard", "i2", CARDS + 1),
        ("hand", "i2", (SEATS, HAND + 1)),
        ("charges", "i2", (SEATS, CHARGES + 1)),  # oldest first
        ("laid", "i4", (SEATS, CHARGES + 1)),  # the Round in which each of them was played
        ("momentum", "i2", SEATS),  # a card, or NO_CARD
        ("at", "i2", SEATS),  # hexes
        ("down", "i2", SEATS),
        ("out", "i2", SEATS),  # 0 while in; 1 for the first Fighter out, and so on
        ("order", "i2", SEATS + 1),  # turn order of this Round, a pile of seats
        # Current place in the order, from 1; forfeits continue the count for a second pass through the order.
        ("place", "i2"),
        ("hurt", "i2"),  # whether a Fighter was dealt Damage in this Round
        ("active", "i2"),
        ("acted", "i2"),
        ("boosted", "i2"),
        ("steps", "i2"),  # how far MOVE or DODGE_MOVE may go
        # The attack: range, CV, target, Damage left after the defence, Damage paid, cards on the table.
        ("blasting", "i2"),
        ("range", "i2"),
        ("attack", "i2"),
        ("target", "i2"),
        ("damage", "i2"),
        ("paid", "i2"),
        ("table", "i2", TABLE + 1),
        # What all have seen of the attack: the actions of attack and defence, the CV of the defence, and for each seat
        # the action that revealed or lost a Charge; 0 for none.
        ("attack_by", "i2"),
        ("defence_by", "i2"),
        ("defence", "i2"),
        ("opened", "i2", SEATS),
        ("opened_laid", "i4", SEATS),  # the Round in which that Charge was played
        # The last Knockback, only for display: seat, hexes of attacker and target before it, length, Turn.
        ("knocked", "i2"),
        ("knock_source", "i2"),
        ("knock_start", "i2"),
        ("knock_length", "i2"),
        ("knock_turn", "i4"),
        # Public inference about hidden cards: how many cards of each Charge row, and how many more in hand and later
        # Charges, were held before the last reshuffle and so are not in `reshuffled`.
        ("old_charges", "i2", SEATS),
        ("old_cards", "i2", SEATS),
    ],
)
