"""MACE: what a seat knows, as numbers for a learner."""

from sparring.engine.cards import UNKNOWN
from sparring.engine.features import one_hot
from sparring.engine.hexes import LARGEST, Q, R, distance
from sparring.engine.rule import places_on, rule

from .kit import CARDS, JOKER, LARGEST_VALUE, SEATS, SUITS
from .moves import value_of
from .state import CHARGES, HAND, MOMENTUM, PHASES

#: Of so many Charges of a seat, the oldest, is told how long ago they were laid, in Rounds up to the number below.
OLDEST = 4
LONG_AGO = 20

#: Cards that are told one by one: all but Jokers, and how many Jokers.
PACK = JOKER + 1
PER_SEAT = 19 + OLDEST
REST = SEATS * PER_SEAT + 11
FEATURES = len(PHASES) + 3 * PACK + REST

#: Cards told together: of each suit how many and what they are worth, how many Jokers, what all are worth.
TOGETHER = 2 * len(SUITS) + 2
CLUES = len(PHASES) + 2 * TOGETHER + REST


@rule
def tell_cards(pile, out, n):
    """Which cards lie in a pile; of the Jokers a quarter for each."""
    for card in range(PACK):
        out[n + card] = 0.0
    for i in range(1, pile[0] + 1):
        if pile[i] >= JOKER:
            out[n + JOKER] += 0.25
        elif pile[i] >= 0:
            out[n + pile[i]] = 1.0
    return n + PACK


@rule
def tell_fighter(kit, s, seat, other, out, n):
    """Where a Fighter stands, and all that everybody sees of its seat."""
    card = s.momentum[other]
    known = card >= 0
    out[n] = 1.0
    out[n + 1] = 0.0 if s.out[other] else 1.0
    out[n + 2] = s.down[other]
    out[n + 3] = Q[s.at[other]] / LARGEST
    out[n + 4] = R[s.at[other]] / LARGEST
    out[n + 5] = distance(s.at[seat], s.at[other]) / (2 * LARGEST)
    out[n + 6] = s.hand[other, 0] / HAND
    out[n + 7] = s.charges[other, 0] / CHARGES
    out[n + 8] = kit.value[card] / LARGEST_VALUE if known else 0.0
    one_hot(out, n + 9, 4, card & 3 if known else UNKNOWN)
    out[n + 13] = 1.0 if s.player == other else 0.0
    out[n + 14] = 1.0 if s.active == other and s.phase != MOMENTUM else 0.0
    out[n + 15] = 1.0 if s.target == other else 0.0
    # Its place in the order of the Round, and whether that has come.
    out[n + 16] = 0.0
    out[n + 17] = 0.0
    for place in range(1, s.order[0] + 1):
        if s.order[place] == other:
            out[n + 16] = place / SEATS
            out[n + 17] = 1.0 if place <= s.place else 0.0
    out[n + 18] = (s.old_cards[other] + s.old_charges[other]) / (HAND + CHARGES)
    for i in range(OLDEST):
        lies = i < s.laid[other, 0]
        out[n + 19 + i] = min(1.0, (s.rounds - s.laid[other, i + 1] + 1) / LONG_AGO) if lies else 0.0


@rule
def observe(kit, s, seat, out):
    """The phase; own hand, own Charges and the discard pile card by card; each seat, one's own first; the attack."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = tell_cards(s.hand[seat], out, n)
    n = tell_cards(s.charges[seat], out, n)
    tell_rest(kit, s, seat, out, tell_cards(s.discard, out, n))


@rule
def clues(kit, s, seat, out):
    """What a judgement goes by: cards by suit and worth. Card by card it learns what happened in few matches."""
    n = one_hot(out, 0, len(PHASES), s.phase)
    n = tell_together(kit, s.hand[seat], out, n)
    n = tell_together(kit, s.charges[seat], out, n)
    tell_rest(kit, s, seat, out, n)


@rule
def tell_together(kit, pile, out, n):
    """How many cards of each suit lie in a pile and what they are worth, how many Jokers, what all are worth."""
    for i in range(TOGETHER):
        out[n + i] = 0.0
    for i in range(1, pile[0] + 1):
        card = pile[i]
        if card >= JOKER:
            out[n + TOGETHER - 2] += 0.25
        elif card >= 0:
            worth = kit.value[card] / (LARGEST_VALUE * HAND)
            out[n + 2 * (card & 3)] += 1 / HAND
            out[n + 2 * (card & 3) + 1] += worth
            out[n + TOGETHER - 1] += worth
    return n + TOGETHER


@rule
def tell_rest(kit, s, seat, out, n):
    """Each seat, one's own first; the attack."""
    for place in range(SEATS):
        if place < s.seats:
            tell_fighter(kit, s, seat, places_on(s, seat, place), out, n)
        else:
            for i in range(PER_SEAT):
                out[n + i] = 0.0
        n += PER_SEAT
    out[n] = s.acted
    out[n + 1] = s.boosted
    out[n + 2] = s.blasting
    out[n + 3] = s.range / LARGEST_VALUE
    out[n + 4] = s.attack / LARGEST_VALUE
    out[n + 5] = s.damage / LARGEST_VALUE
    out[n + 6] = max(0, s.damage - s.paid) / LARGEST_VALUE
    out[n + 7] = value_of(kit, s, JOKER) / LARGEST_VALUE
    out[n + 8] = s.deck[0] / CARDS
    out[n + 9] = s.quiet / kit.stall_rounds
    out[n + 10] = kit.radius / LARGEST
