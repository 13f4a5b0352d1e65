"""Make Your Moves: who knows what (section 8), what the table can tell of a hand, and how the rest is imagined.

When the discards become the draw pile, everybody has just seen them. So a card face down tells one thing: from which
draw pile it came. That is its back: UNKNOWN for the oldest pile, and one less for each reshuffle since.
"""

import numpy as np

from sparring.engine.cards import UNKNOWN, empty, hide, holds, insert, put, remove, shuffle, tally
from sparring.engine.chance import below, forget, reseed
from sparring.engine.rule import rule

from .kit import CARDS, WILD
from .moves import choice_of_fours, is_four
from .state import FOUR, HAND

# A random deal can use up a card that another hand is known to hold; then it is dealt again, so many times at most.
ATTEMPTS = 20

COLOURED_KINDS = 0x0FFF
WILD_KINDS = 0x7000


@rule
def redact(kit, s, seat):
    """Forget the generator, draw pile, point cards, other hands and what another player is picking for a four."""
    forget(s.rng)
    hide(s.deck)
    for other in range(s.seats):
        turn_down(s, s.point_cards[other])
        if other != seat:
            turn_down(s, s.hand[other])
    if s.player != seat:
        empty(s.picked)


@rule
def turn_down(s, pile):
    """Turn cards face down, in the order of their backs."""
    cards = pile[0]
    pile[0] = 0
    for i in range(1, cards + 1):
        card = pile[i]
        insert(pile, card if card < 0 else back(s, card))


@rule
def back(s, card):
    """What the back of a card tells."""
    return UNKNOWN - int(s.shuffled[card])


@rule
def glimpse(kit, s, action, seat):
    """Every choice is open but the cards being picked for a four."""
    if s.phase == FOUR and s.player != seat:
        return UNKNOWN
    return action


# What the table knows of a hand


@rule
def no_longer_sure(kit, s, seat, card):
    """A card left the hand: it may be the very one that was known to be there."""
    if kit.colour[card] != WILD:
        s.sure_coloured[seat] = 0
    elif s.sure_wilds[seat] > 0:
        s.sure_wilds[seat] -= 1
    if s.sure_kinds[seat] & kind_bit(kit, card):
        s.sure_kinds[seat] = 0


@rule
def sure_of_fifth(kit, s, asked):
    """Whether FOUR was asked tells of which kinds the one card left can be."""
    kinds = 0
    for kind in range(15):
        if other_four(kit, s.picked, kind) == asked:
            kinds |= 1 << kind
    known = s.sure_kinds[s.player]
    s.sure_kinds[s.player] = kinds & known if known else kinds


@rule
def other_four(kit, four, kind):
    """Whether a card of this kind could take the place of a different one of the four."""
    for i in range(1, 5):
        if kind_bit(kit, four[i]) != 1 << kind and is_four(kit, four, four[i], kind // 3):
            return True
    return False


@rule
def kind_bit(kit, card):
    """The kind of a card (colour and power) as a bit."""
    return 1 << (kit.colour[card] * 3 + kit.power[card] - 1)


@rule
def has_kind(kit, hand, kinds):
    """Whether a hand holds a card of these kinds."""
    for i in range(1, hand[0] + 1):
        if hand[i] >= 0 and kinds & kind_bit(kit, hand[i]):
            return True
    return False


@rule
def has_coloured(kit, hand):
    """Whether a hand holds a card that is not Wild."""
    for i in range(1, hand[0] + 1):
        if hand[i] >= 0 and kit.colour[hand[i]] != WILD:
            return True
    return False


@rule
def note_reshuffle(kit, s):
    """The discards become the draw pile. Piles of which nothing is left are not counted."""
    lying = np.zeros(CARDS, np.int16)
    tally(lying, s.discard)
    number = np.zeros(CARDS + 1, np.int16)
    for card in range(kit.cards):
        if not lying[card]:
            number[s.shuffled[card]] = 1
    piles = 0
    for old in range(CARDS + 1):
        piles += number[old]
        number[old] = piles - 1
    for card in range(kit.cards):
        s.shuffled[card] = piles if lying[card] else number[s.shuffled[card]]


# Imagining the rest


@rule
def imagine(kit, s, seat, g):
    """Deal what the seat does not know at random, in agreement with what the table knows of each hand."""
    reseed(s.rng, g)
    for other in range(s.seats):
        turn_down(s, s.point_cards[other])
    for _ in range(ATTEMPTS):
        pool_unseen(kit, s, seat)
        shuffle(g, s.deck)
        if deal_unseen(kit, s, seat, g):
            break
    for other in range(s.seats):
        turn_up(kit, s, s.point_cards[other])


@rule
def pool_unseen(kit, s, seat):
    """Gather every card that the seat has not seen in the draw pile."""
    seen = np.zeros(CARDS, np.int16)
    if seat >= 0:
        tally(seen, s.hand[seat])
    tally(seen, s.discard)
    tally(seen, s.attack)
    tally(seen, s.defence)
    tally(seen, s.fours)
    tally(seen, s.help_attack)
    tally(seen, s.help_defence)
    tally(seen, s.helping)
    s.deck[0] = 0
    for card in range(kit.cards):
        if not seen[card]:
            put(s.deck, card)


@rule
def deal_unseen(kit, s, seat, g):
    """Deal the hands of the others, first the cards of which something is known. Whether all of it agrees."""
    agreed = True
    for other in range(s.seats):
        if other != seat:
            turn_down(s, s.hand[other])  # a deal before may have failed
    if s.phase == FOUR and s.player != seat:
        agreed &= deal_fours(kit, s, s.hand[s.player], g)
    for other in range(s.seats):
        if other != seat and not (s.phase == FOUR and other == s.player):
            agreed &= deal_known(kit, s, other)
    for other in range(s.seats):
        if other != seat:
            turn_up(kit, s, s.hand[other])
    return agreed


@rule
def turn_up(kit, s, pile):
    """Deal any cards for those that are still face down."""
    for _ in range(pile[0]):
        if pile[1] < 0:
            deal_kind(kit, s, pile, COLOURED_KINDS | WILD_KINDS)


@rule
def deal_kind(kit, s, pile, kinds):
    """Deal one card of these kinds for one face down that it may be. Whether the pool has such a card."""
    for i in range(s.deck[0], 0, -1):
        card = s.deck[i]
        if kinds & kind_bit(kit, card) and holds(pile, back(s, card)):
            remove(s.deck, card)
            remove(pile, back(s, card))
            insert(pile, card)
            return True
    return False


@rule
def deal_known(kit, s, seat):
    """Deal the cards that are known to be in a hand. Whether there are such."""
    hand = s.hand[seat]
    agreed = True
    for _ in range(s.sure_wilds[seat]):
        agreed &= deal_kind(kit, s, hand, WILD_KINDS)
    if s.sure_kinds[seat] and not has_kind(kit, hand, s.sure_kinds[seat]):
        agreed &= deal_kind(kit, s, hand, int(s.sure_kinds[seat]))
    if s.sure_coloured[seat] and not has_coloured(kit, hand):
        agreed &= deal_kind(kit, s, hand, COLOURED_KINDS)
    return agreed


@rule
def deal_fours(kit, s, hand, g):
    """Deal five cards with a choice of fours: of one colour (or Wild that fills in), or three Wilds and two more."""
    for _ in range(ATTEMPTS):
        kinds = 7 << (3 * below(g, WILD + 1))
        if kit.wild_fours:
            kinds |= WILD_KINDS
            if below(g, 2):
                for _ in range(3):
                    deal_kind(kit, s, hand, WILD_KINDS)
                kinds |= COLOURED_KINDS
        while deal_kind(kit, s, hand, kinds):
            pass
        turn_up(kit, s, hand)
        if choice_of_fours(kit, hand) and agrees(kit, s, s.player, hand):
            return True
        for i in range(1, HAND + 1):
            put(s.deck, hand[i])
        turn_down(s, hand)
        shuffle(g, s.deck)
    turn_up(kit, s, hand)
    return False


@rule
def agrees(kit, s, seat, hand):
    """Whether a hand fits what is known of this seat's."""
    wilds = 0
    for i in range(1, hand[0] + 1):
        if kit.colour[hand[i]] == WILD:
            wilds += 1
    if wilds < s.sure_wilds[seat] or (s.sure_coloured[seat] and wilds == hand[0]):
        return False
    return s.sure_kinds[seat] == 0 or has_kind(kit, hand, int(s.sure_kinds[seat]))
