"""MACE: who knows what (section 8), what the table can tell of hidden cards, and how the rest is imagined.

When the discard pile becomes the deck, everybody has just seen its cards. So a card that lay in a hand or Charge row
before is none of them, and one drawn since is one of them: that is kept as `reshuffled`, `old_charges`, `old_cards`.
"""

import numpy as np

from sparring.engine.cards import UNKNOWN, hide, insert, put, remove, shuffle
from sparring.engine.chance import forget, reseed
from sparring.engine.rule import rule

from .kit import CLUBS, JOKER, SEATS
from .state import BLAST, BLAST_CARD, CHARGE, MOMENTUM, NO_CARD

#: Which cards may be dealt: those of the reshuffle, those from before, or either.
NEW, OLD, EITHER = 1, 0, 2

#: A random deal can use up what another place needs; then it is dealt again, so many times at most.
ATTEMPTS = 30


# What the table can tell


@rule
def is_new(s, card):
    """Whether the deck was last made with this card: 1 or 0."""
    return (int(s.reshuffled) >> int(card)) & 1


@rule
def note_reshuffle(s):
    """The discard pile is about to become the deck: what is held now is none of it."""
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
def leaves_hand(s, seat, card):
    """A card from the hand is seen."""
    if s.old_cards[seat] > 0 and not is_new(s, card):
        s.old_cards[seat] -= 1


@rule
def leaves_charges(s, seat, card):
    """A Charge is taken out of its row and seen. The place where it lay."""
    charges = s.charges[seat]
    place = 1
    while charges[place] != card:
        place += 1
    remove(charges, card)
    if place <= s.old_charges[seat]:
        s.old_charges[seat] -= 1
    else:
        leaves_hand(s, seat, card)
    return place


# Hidden information (section 8)


@rule
def redact(kit, s, seat):
    """Forget the generator, the deck, the hands and Charges of others, and Momentum that is not turned up yet."""
    forget(s.rng)
    hide(s.deck)
    for other in range(s.seats):
        if other != seat:
            hide(s.hand[other])
            hide(s.charges[other])
            if s.phase == MOMENTUM and s.momentum[other] != NO_CARD:
                s.momentum[other] = UNKNOWN


@rule
def glimpse(kit, s, action, seat):
    """Every choice is open but the Momentum picked at the start and the card laid as a Charge."""
    from_sight = s.phase == MOMENTUM or CHARGE <= action < BLAST
    return UNKNOWN if from_sight and s.player != seat else action


@rule
def imagine(kit, s, seat, g):
    """Deal what the seat does not know at random, in agreement with what the table can tell."""
    reseed(s.rng, g)
    for _ in range(ATTEMPTS):
        pool_unseen(kit, s, seat)
        shuffle(g, s.deck)
        if deal_unseen(s, seat):
            return


@rule
def pool_unseen(kit, s, seat):
    """Gather every card that the seat has not seen in the deck."""
    seen = see(s.discard) | see(s.table)
    for other in range(s.seats):
        if s.momentum[other] >= 0 and (other == seat or s.phase != MOMENTUM):
            seen |= 1 << int(s.momentum[other])
    if seat >= 0:
        seen |= see(s.hand[seat]) | see(s.charges[seat])
    s.deck[0] = 0
    for card in range(JOKER + kit.jokers):
        if (card < kit.cards or card >= JOKER) and not (seen >> card) & 1:
            put(s.deck, card)


@rule
def see(pile):
    """The cards of a pile as bits."""
    cards = 0
    for i in range(1, pile[0] + 1):
        cards |= 1 << int(pile[i])
    return cards


@rule
def deal_unseen(s, seat):
    """Deal Momentum, Charges and hands of the others. Whether all agrees with what the table can tell.

    `left` holds how many old and new cards each of them is still to get.
    """
    left = np.zeros((SEATS, 2), np.int16)
    for other in range(s.seats):
        if other != seat:
            old = s.old_charges[other] + s.old_cards[other]
            left[other, OLD] = old
            left[other, NEW] = s.hand[other, 0] + s.charges[other, 0] - old
            deal_momentum(s, other)
    for other in range(s.seats):
        for i in range(1, s.old_charges[other] + 1):
            if other != seat:
                s.charges[other, i] = take(s, True, OLD, left[other])
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
def deal_momentum(s, seat):
    """A Momentum card that is not turned up yet: any but a Joker."""
    if s.phase == MOMENTUM and s.momentum[seat] != NO_CARD:
        i = s.deck[0]
        while s.deck[i] >= JOKER:
            i -= 1
        s.momentum[seat] = s.deck[i]
        remove(s.deck, s.momentum[seat])


@rule
def deal_charges(s, seat, left):
    """The Charges laid since the last reshuffle; and the card in hand without which no Blast could be under way."""
    charges, hand = s.charges[seat], s.hand[seat]
    for i in range(s.old_charges[seat] + 1, charges[0] + 1):
        charges[i] = take(s, True, EITHER, left)
    if s.phase == BLAST_CARD and s.active == seat:
        hand[hand[0]] = take(s, True, EITHER, left)


@rule
def deal_hand(s, seat, left):
    """The rest of a hand."""
    hand = s.hand[seat]
    held = hand[0]
    first = UNKNOWN
    if s.phase == BLAST_CARD and s.active == seat:
        first = hand[held]
    hand[0] = 0
    if first != UNKNOWN:
        insert(hand, first)
    while hand[0] < held:
        insert(hand, take(s, False, EITHER, left))


@rule
def take(s, club, age, left):
    """Take the first card that fits out of the deck: a Club or Joker if `club`, and of an age still to be dealt.

    If there is none of that age, one of another age must do; there are always enough Clubs and Jokers.
    """
    found = 0
    for i in range(s.deck[0], 0, -1):
        card = s.deck[i]
        if not club or card >= JOKER or card & 3 == CLUBS:
            new = is_new(s, card)
            if left[new] > 0 and (age == EITHER or age == new):
                found = i
                break
            if found == 0:
                found = i
    card = s.deck[found]
    remove(s.deck, card)
    left[is_new(s, card)] -= 1
    return card
