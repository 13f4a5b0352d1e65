"""MACE: phases, choices, and what the kit and the state of a Combat hold."""

from sparring.engine.hexes import HEXES, ROWS
from sparring.engine.options import option_fields
from sparring.engine.rule import Actions, record_dtype, state_dtype

from .kit import CARDS, JOKERS, OPTIONS, RANKS, SEATS

HAND = 5
#: All Clubs and Jokers can lie in one Charge row.
CHARGES = RANKS + JOKERS
#: At most three cards of an attack lie on the table: a revealed Charge, the Club of the Blast, the defence card.
TABLE = 3

PHASES: tuple[str, ...] = (
    "momentum", "turn", "blast_card", "target", "defence", "dodge_move", "pay", "drop_charge", "move", "forfeit",
)  # fmt: skip
MOMENTUM, TURN, BLAST_CARD, TARGET, DEFENCE, DODGE_MOVE, PAY, DROP_CHARGE, MOVE, FORFEIT = range(10)
#: The phases in which everybody can see whether there is one choice only.
OPEN: tuple[int, ...] = (TARGET, DODGE_MOVE, PAY, DROP_CHARGE, MOVE, FORFEIT)
#: Nobody is to choose; the next Turn, forfeit or Round is due. No choice ends in this phase.
BETWEEN = 10

ENDINGS: tuple[str, ...] = ("last one in", "most cards", "stalled")
LAST_ONE_IN, MOST_CARDS, STALLED = range(3)

BEATS: tuple[str, ...] = (
    "round", "compared", "paid", "charge lost", "knocked back", "down", "out", "up again", "round over", "reshuffled",
)  # fmt: skip
NEW_ROUND, COMPARED, PAID, CHARGE_LOST, KNOCKED_BACK, WENT_DOWN, KNOCKED_OUT, UP_AGAIN, ROUND_OVER, RESHUFFLED = range(
    10
)

#: Every word that goes with a card is a block of its own, so that a choice means the same in every phase.
ACTIONS = Actions(
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

#: Before the first reshuffle any card may lie in the deck: a bit for each.
ANY_CARD = (1 << CARDS) - 1

KIT = record_dtype([
    *option_fields(OPTIONS),
    ("cards", "i2"),  # without Jokers
    ("value", "i2", CARDS),
    ("start", "i2", (SEATS - 1, SEATS)),
    ("board", "i4", ROWS + 2),  # a set of hexes
])  # fmt: skip

STATE = state_dtype(
    SEATS,
    [
        ("reshuffled", "i8"),  # the cards that the deck was last made of, as bits
        ("rounds", "i4"),
        ("quiet", "i4"),  # finished Rounds in a row without Damage
        ("deck", "i2", CARDS + 1),
        ("discard", "i2", CARDS + 1),
        ("hand", "i2", (SEATS, HAND + 1)),
        ("charges", "i2", (SEATS, CHARGES + 1)),  # oldest first
        ("laid", "i4", (SEATS, CHARGES + 1)),  # in which Round each of them was laid
        ("momentum", "i2", SEATS),  # a card, or NO_CARD
        ("at", "i2", SEATS),  # hexes
        ("down", "i2", SEATS),
        ("out", "i2", SEATS),  # 0 for those still in; 1 for the first who fell, and so on
        ("order", "i2", SEATS + 1),  # of this Round, a pile of seats
        (
            "place",
            "i2",
        ),  # where in the order the Round is, from 1; for the forfeits it counts on, once more through the order
        ("hurt", "i2"),  # whether somebody was dealt Damage in this Round
        ("active", "i2"),
        ("acted", "i2"),
        ("boosted", "i2"),
        ("steps", "i2"),  # how far MOVE or DODGE_MOVE may go
        # The attack: its card values, whom it is aimed at, what is left of it, what is paid, which cards lie there.
        ("blasting", "i2"),
        ("range", "i2"),
        ("attack", "i2"),
        ("target", "i2"),
        ("damage", "i2"),
        ("paid", "i2"),
        ("table", "i2", TABLE + 1),
        # What everybody has seen of the attack: the choices that gave it its value and that answered it, the value of
        # the answer, and for each seat the choice that turned up or gave up a Charge; 0 for none.
        ("attack_by", "i2"),
        ("defence_by", "i2"),
        ("defence", "i2"),
        ("opened", "i2", SEATS),
        ("opened_laid", "i4", SEATS),  # in which Round that Charge was laid
        # The last Knock back, for those who watch: who, hexes of attacker and target before it, how far, which Turn.
        ("knocked", "i2"),
        ("knock_source", "i2"),
        ("knock_start", "i2"),
        ("knock_length", "i2"),
        ("knock_turn", "i4"),
        # What the table knows of hidden cards: how many of each Charge row, and how many more among hand and later
        # Charges, were there before the last reshuffle and so are none of `reshuffled`.
        ("old_charges", "i2", SEATS),
        ("old_cards", "i2", SEATS),
    ],
)
