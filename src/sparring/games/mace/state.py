"""MACE: phases, actions, endings, beats, the state of a match, and which of it a seat knows."""

import numpy as np

from sparring.engine.cards import UNKNOWN, count_cards, insert, put_uncounted, shuffle, take_at
from sparring.engine.chance import reseed
from sparring.engine.hexes import HEXES
from sparring.engine.hiding import default_redact
from sparring.engine.rule import ActionSpace, no_private_observation, rule, zeros
from sparring.engine.state import (
    EVERYONE, MAX_TURN, NO_ONE, OWNER, UNKNOWN_SEAT, UNNAMED, Header, flag, integer, option_value, per_seat, pile,
    scalar, seat_number, slot,
)  # fmt: skip
from sparring.engine.types import Generator, Numbers

from .params import CARDS, CLUBS, JOKER, JOKERS, LARGEST_VALUE, PACK, RANKS, SEATS, Params

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

AFTER_ATTACK = option_value(Params.discard_timing, "after_attack")
REVEAL_ONLY = option_value(Params.blast_cost, "reveal_only")
STOPS = option_value(Params.knockback_reach, "stops")
OFF = option_value(Params.forfeits, "off")
DRAW = option_value(Params.stall_result, "draw")

NO_CARD = -2
NO_SEAT = UNKNOWN_SEAT

#: Bits of all cards: before the first reshuffle any card may be in the deck.
ANY_CARD = (1 << CARDS) - 1


@rule
def momentum_revealed(s: "State") -> bool:
    """Return whether the Momentum cards have been revealed (R6)."""
    return s.phase != MOMENTUM


class State(Header, seats=SEATS):
    """The state of a match."""

    turn = integer(0, MAX_TURN, default=lambda _params, s: int(s.phase != MOMENTUM))
    player = seat_number(default=NO_SEAT)  # it follows from the phase
    reshuffled = scalar("i8")  # cards in the deck at the last reshuffle, as bits
    rounds = integer(0, MAX_TURN, default=lambda _params, s: int(s.phase != MOMENTUM), dtype="i4", key="round")
    quiet = integer(0, MAX_TURN, dtype="i4")  # consecutive finished Rounds without Damage
    deck = pile(CARDS, of=PACK, seen_by=NO_ONE, fills=True, from_top=True, key="draw_pile")
    discard = pile(CARDS, of=PACK, seen_by=EVERYONE, fills=True, key="discard_pile")
    hand = per_seat(pile(HAND, of=PACK, seen_by=OWNER, ordered=True, key="hands"))
    charges = per_seat(pile(CHARGES, of=PACK, seen_by=OWNER))  # oldest first
    # The Round in which each of them was played.
    laid = per_seat(pile(CHARGES, of=UNNAMED, seen_by=EVERYONE, dtype="i4", custom=True))
    momentum = per_seat(slot(of=PACK, none=NO_CARD, seen_by=momentum_revealed))
    at = per_seat(scalar())  # hexes
    down = per_seat(flag(listed=True))
    out = per_seat(scalar())  # 0 while in; 1 for the first Fighter out, and so on
    order = pile(SEATS, of=UNNAMED, seen_by=EVERYONE, custom=True)  # turn order of this Round: seats
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


# Public inference: when the discard pile becomes the deck, every player has seen its cards. A card that is already in a
# hand or Charge row is not among them ("old"); a card drawn since then is "new". `reshuffled`, `old_charges` and
# `old_cards` record this.

#: Which cards may be dealt: those of the last reshuffle, those held before it, or either.
NEW, OLD, EITHER = 1, 0, 2

#: A random deal can use up cards that another place needs; then it is repeated, at most this often.
ATTEMPTS = 30


@rule
def is_new(s: State, card: int) -> int:
    """Return 1 if the last reshuffle put this card into the deck, else 0."""
    return (int(s.reshuffled) >> int(card)) & 1


@rule
def note_reshuffle(s: State) -> None:
    """Record a reshuffle of the discard pile: cards held now are not among those in the new deck."""
    if s.discard[0] == 0:
        return
    cards = 0
    for i in range(1, s.discard[0] + 1):
        cards |= 1 << int(s.discard[i])
    s.reshuffled = cards
    for seat in range(s.seats):
        s.old_cards[seat] = s.hand[seat, 0]
        s.old_charges[seat] = s.charges[seat, 0]


@rule
def note_card_seen(s: State, seat: int, card: int) -> None:
    """Record that a card from the hand (or a Charge played since the reshuffle) has been seen."""
    if s.old_cards[seat] > 0 and not is_new(s, card):
        s.old_cards[seat] -= 1


@rule
def take_charge(s: State, seat: int, card: int) -> int:
    """Take a Charge out of its row face up and return the place it had."""
    charges = s.charges[seat]
    place = 1
    while charges[place] != card:
        place += 1
    take_at(charges, place)
    if place <= s.old_charges[seat]:
        s.old_charges[seat] -= 1
    else:
        note_card_seen(s, seat, card)
    return place


# Hidden information

#: Each seat sees all but the generator, the deck, other seats' hands and Charges, and Momentum not yet revealed.
redact = default_redact(State)
private_observation = no_private_observation


@rule
def observe_action(params: Params, s: State, action: int, seat: int) -> int:
    """Return the choice, or UNKNOWN for another seat's first Momentum or Charge, which are played face down."""
    face_down = s.phase == MOMENTUM or CHARGE <= action < BLAST
    return UNKNOWN if face_down and s.player != seat else action


@rule
def determinize(params: Params, s: State, seat: int, g: Generator) -> None:
    """Randomly deal the cards that the seat has not seen, consistent with public information."""
    reseed(s.rng, g)
    for _ in range(ATTEMPTS):
        pool_unseen(params, s, seat)
        shuffle(g, s.deck)
        if deal_unseen(s, seat):
            return


@rule
def pool_unseen(params: Params, s: State, seat: int) -> None:
    """Put every card that the seat has not seen into the deck."""
    seen = zeros(CARDS, np.int16)
    count_cards(seen, s.discard)
    count_cards(seen, s.table)
    for other in range(s.seats):
        if s.momentum[other] >= 0 and (other == seat or s.phase != MOMENTUM):
            seen[s.momentum[other]] = 1
    if seat >= 0:
        count_cards(seen, s.hand[seat])
        count_cards(seen, s.charges[seat])
    s.deck[0] = 0
    put_uncounted(s.deck, seen, 0, params.cards)
    put_uncounted(s.deck, seen, JOKER, JOKER + params.jokers)


@rule
def deal_unseen(s: State, seat: int) -> bool:
    """Deal the other seats' Momentum, Charges and hands; return whether the deal is consistent with public information.

    `left` is how many old and new cards each seat still has to get.
    """
    left = zeros((SEATS, 2), np.int16)
    for other in range(s.seats):
        if other != seat:
            old = s.old_charges[other] + s.old_cards[other]
            left[other, OLD] = old
            left[other, NEW] = s.hand[other, 0] + s.charges[other, 0] - old
            deal_momentum(s, other)
    for other in range(s.seats):
        for i in range(1, s.old_charges[other] + 1):
            if other != seat:
                s.charges[other, i] = draw_matching(s, True, OLD, left[other])
    for other in range(s.seats):
        if other != seat:
            deal_charges(s, other, left[other])
    for other in range(s.seats):
        if other != seat:
            deal_hand(s, other, left[other])
    for other in range(s.seats):
        if left[other, OLD] != 0 or left[other, NEW] != 0:
            return False
    return True


@rule
def deal_momentum(s: State, seat: int) -> None:
    """Deal a Momentum card that is not revealed yet: any but a Joker."""
    if s.phase == MOMENTUM and s.momentum[seat] != NO_CARD:
        i = s.deck[0]
        while s.deck[i] >= JOKER:
            i -= 1
        s.momentum[seat] = take_at(s.deck, i)


@rule
def deal_charges(s: State, seat: int, left: Numbers) -> None:
    """Deal the Charges played since the last reshuffle, and the Club in hand that a Blast under way requires."""
    charges, hand = s.charges[seat], s.hand[seat]
    for i in range(s.old_charges[seat] + 1, charges[0] + 1):
        charges[i] = draw_matching(s, True, EITHER, left)
    if s.phase == BLAST_CARD and s.active == seat:
        hand[hand[0]] = draw_matching(s, True, EITHER, left)


@rule
def deal_hand(s: State, seat: int, left: Numbers) -> None:
    """Deal the rest of a hand."""
    hand = s.hand[seat]
    held = hand[0]
    first = UNKNOWN
    if s.phase == BLAST_CARD and s.active == seat:
        first = hand[held]
    hand[0] = 0
    if first != UNKNOWN:
        insert(hand, first)
    while hand[0] < held:
        insert(hand, draw_matching(s, False, EITHER, left))


@rule
def draw_matching(s: State, club: bool, age: int, left: Numbers) -> int:
    """Take the first matching card from the deck: a Club or Joker if `club`, of an age still to be dealt.

    If there is no card of that age, take one of the other; there are always enough Clubs and Jokers.
    """
    position = 0
    for i in range(s.deck[0], 0, -1):
        card = s.deck[i]
        if not club or card >= JOKER or card & 3 == CLUBS:
            new = is_new(s, card)
            if left[new] > 0 and (age == EITHER or age == new):
                position = i
                break
            if position == 0:
                position = i
    card = take_at(s.deck, position)
    left[is_new(s, card)] -= 1
    return card
