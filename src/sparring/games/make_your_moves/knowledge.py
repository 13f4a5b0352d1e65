"""Make Your Moves: who knows what (section 8), what the table can tell of a hand, and how the rest is imagined."""

import numpy as np

from sparring.engine.cards import UNKNOWN, empty, hide, insert, put, remove, shuffle, take_top
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
        hide(s.point_cards[other])
        if other != seat:
            hide(s.hand[other])
    if s.player != seat:
        empty(s.picked)


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
        if kinds & kind_bit(kit, hand[i]):
            return True
    return False


@rule
def has_coloured(kit, hand):
    """Whether a hand holds a card that is not Wild."""
    for i in range(1, hand[0] + 1):
        if kit.colour[hand[i]] != WILD:
            return True
    return False


# Imagining the rest


@rule
def imagine(kit, s, seat, g):
    """Deal what the seat does not know at random, in agreement with what the table knows of each hand."""
    reseed(s.rng, g)
    for _ in range(ATTEMPTS):
        pool_unseen(kit, s, seat)
        shuffle(g, s.deck)
        if deal_unseen(kit, s, seat, g):
            break
    for other in range(s.seats):
        cards = s.point_cards[other]
        for i in range(1, cards[0] + 1):
            cards[i] = take_top(s.deck)


@rule
def mark(seen, pile):
    """Note the cards of a pile."""
    for i in range(1, pile[0] + 1):
        seen[pile[i]] = True


@rule
def pool_unseen(kit, s, seat):
    """Gather every card that the seat has not seen in the draw pile."""
    seen = np.zeros(CARDS, np.bool_)
    if seat >= 0:
        mark(seen, s.hand[seat])
    mark(seen, s.discard)
    mark(seen, s.attack)
    mark(seen, s.defence)
    mark(seen, s.fours)
    mark(seen, s.help_attack)
    mark(seen, s.help_defence)
    mark(seen, s.helping)
    s.deck[0] = 0
    for card in range(kit.cards):
        if not seen[card]:
            put(s.deck, card)


@rule
def deal_unseen(kit, s, seat, g):
    """Deal the hands of the others, those first of which something is known. Whether all of it agrees."""
    agreed = True
    for other in range(s.seats):
        if other != seat and is_known(s, other):
            if s.phase == FOUR and other == s.player:
                agreed &= deal_fours(kit, s, s.hand[other], g)
            else:
                agreed &= deal_known(kit, s, other)
    for other in range(s.seats):
        if other != seat and not is_known(s, other):
            fill_from_pool(s, s.hand[other], s.hand[other, 0], 0)
    return agreed


@rule
def is_known(s, seat):
    """Whether the table knows something of a hand."""
    if s.phase == FOUR and seat == s.player:
        return True
    return s.sure_wilds[seat] > 0 or s.sure_coloured[seat] > 0 or s.sure_kinds[seat] > 0


@rule
def fill_from_pool(s, hand, size, dealt):
    """Deal any cards to a hand that holds `dealt` until it holds `size`."""
    hand[0] = dealt
    while hand[0] < size:
        insert(hand, take_top(s.deck))


@rule
def deal_kind(kit, s, hand, size, kinds):
    """Deal one card of these kinds, if the pool has one and the hand has room."""
    if hand[0] == size:
        return False
    for i in range(s.deck[0], 0, -1):
        card = s.deck[i]
        if kinds & kind_bit(kit, card):
            remove(s.deck, card)
            insert(hand, card)
            return True
    return False


@rule
def deal_known(kit, s, seat):
    """Deal a hand of which something is known. Whether it agrees."""
    hand = s.hand[seat]
    size = int(hand[0])
    hand[0] = 0
    agreed = True
    for _ in range(s.sure_wilds[seat]):
        agreed &= deal_kind(kit, s, hand, size, WILD_KINDS)
    if s.sure_kinds[seat] and not has_kind(kit, hand, s.sure_kinds[seat]):
        agreed &= deal_kind(kit, s, hand, size, int(s.sure_kinds[seat]))
    if s.sure_coloured[seat] and not has_coloured(kit, hand):
        agreed &= deal_kind(kit, s, hand, size, COLOURED_KINDS)
    fill_from_pool(s, hand, size, int(hand[0]))
    return agreed


@rule
def deal_fours(kit, s, hand, g):
    """Deal five cards with a choice of fours: of one colour (or Wild that fills in), or three Wilds and two more."""
    for _ in range(ATTEMPTS):
        hand[0] = 0
        kinds = 7 << (3 * below(g, WILD + 1))
        if kit.wild_fours:
            kinds |= WILD_KINDS
            if below(g, 2):
                for _ in range(3):
                    deal_kind(kit, s, hand, HAND, WILD_KINDS)
                kinds |= COLOURED_KINDS
        while deal_kind(kit, s, hand, HAND, kinds):
            pass
        fill_from_pool(s, hand, HAND, int(hand[0]))
        if choice_of_fours(kit, hand) and agrees(kit, s, s.player, hand):
            return True
        for _ in range(HAND):
            put(s.deck, take_top(hand))
        shuffle(g, s.deck)
    fill_from_pool(s, hand, HAND, 0)
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
