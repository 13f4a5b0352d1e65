"""Make Your Moves: hidden information: redaction, public inference about hands, determinization (section 8).

Face-down cards show the draw pile that they came from (`state.back`).
"""

import numpy as np

from sparring.engine.cards import (
    UNKNOWN, count_cards, holds, insert, put, put_uncounted, remove, shuffle, take_at,
)  # fmt: skip
from sparring.engine.chance import below, reseed
from sparring.engine.hiding import default_redact
from sparring.engine.rule import no_private_observation, rule, zeros
from sparring.engine.types import CardPile, Generator

from .moves import has_several_fours, is_four
from .params import CARDS, WILD, Params
from .state import FOUR, HAND, State, back, turn_face_down

#: A random deal can use up a card that another hand is known to hold; then the deal is repeated, at most this often.
ATTEMPTS = 20

#: The maximum number of piles in `shuffled`.
PILES = CARDS + 1

COLOURED_KINDS = 0x0FFF
WILD_KINDS = 0x7000


redact = default_redact(State)
private_observation = no_private_observation


@rule
def observe_action(params: Params, s: State, action: int, seat: int) -> int:
    """Return the choice, or UNKNOWN for a card that another seat picks for a four."""
    if s.phase == FOUR and s.player != seat:
        return UNKNOWN
    return action


# Public inference about hands


@rule
def note_card_seen(params: Params, s: State, seat: int, card: int) -> None:
    """Record that a card has left the hand: it may be the one that was known to be in it."""
    if params.colour[card] != WILD:
        s.sure_coloured[seat] = 0
    elif s.sure_wilds[seat] > 0:
        s.sure_wilds[seat] -= 1
    if s.sure_kinds[seat] & kind_bit(params, card):
        s.sure_kinds[seat] = 0


@rule
def note_fifth_card(params: Params, s: State, had_choice: bool) -> None:
    """Narrow down the one card left after a four, by whether there were several fours to pick from."""
    kinds = 0
    for kind in range(15):
        if has_another_four(params, s.picked, kind) == had_choice:
            kinds |= 1 << kind
    known = s.sure_kinds[s.player]
    s.sure_kinds[s.player] = kinds & known if known else kinds


@rule
def has_another_four(params: Params, four: CardPile, kind: int) -> bool:
    """Return whether a card of this kind can replace a card of another kind in the four."""
    for i in range(1, 5):
        if kind_bit(params, four[i]) != 1 << kind and is_four(params, four, four[i], kind // 3):
            return True
    return False


@rule
def kind_bit(params: Params, card: int) -> int:
    """Return the kind of a card (colour and power) as a bit."""
    return 1 << (params.colour[card] * 3 + params.power[card] - 1)


@rule
def has_kind(params: Params, hand: CardPile, kinds: int) -> bool:
    """Return whether a hand has a card of one of these kinds."""
    for i in range(1, hand[0] + 1):
        if hand[i] >= 0 and kinds & kind_bit(params, hand[i]):
            return True
    return False


@rule
def has_coloured(params: Params, hand: CardPile) -> bool:
    """Return whether a hand has a card that is not Wild."""
    for i in range(1, hand[0] + 1):
        if hand[i] >= 0 and params.colour[hand[i]] != WILD:
            return True
    return False


@rule
def note_reshuffle(params: Params, s: State) -> None:
    """Record that the discards become the draw pile, and renumber the piles that still have cards."""
    in_discard = zeros(CARDS, np.int16)
    count_cards(in_discard, s.discard)
    number = zeros(PILES, np.int16)
    for card in range(params.cards):
        if not in_discard[card]:
            number[s.shuffled[card]] = 1
    piles = 0
    for old in range(PILES):
        piles += number[old]
        number[old] = piles - 1
    for card in range(params.cards):
        s.shuffled[card] = piles if in_discard[card] else number[s.shuffled[card]]


# Determinization


@rule
def determinize(params: Params, s: State, seat: int, g: Generator) -> None:
    """Randomly deal the cards that the seat has not seen, consistent with public information."""
    reseed(s.rng, g)
    for other in range(s.seats):
        turn_face_down(s, s.point_cards[other])
    for _ in range(ATTEMPTS):
        pool_unseen(params, s, seat)
        shuffle(g, s.deck)
        if deal_unseen(params, s, seat, g):
            break
    for other in range(s.seats):
        deal_face_down(params, s, s.point_cards[other])


@rule
def pool_unseen(params: Params, s: State, seat: int) -> None:
    """Put every card that the seat has not seen into the draw pile."""
    seen = zeros(CARDS, np.int16)
    if seat >= 0:
        count_cards(seen, s.hand[seat])
    count_cards(seen, s.discard)
    count_cards(seen, s.attack)
    count_cards(seen, s.defence)
    count_cards(seen, s.fours)
    count_cards(seen, s.help_attack)
    count_cards(seen, s.help_defence)
    count_cards(seen, s.helping)
    s.deck[0] = 0
    put_uncounted(s.deck, seen, 0, params.cards)


@rule
def deal_unseen(params: Params, s: State, seat: int, g: Generator) -> bool:
    """Deal the other seats' hands, cards with known facts first; return whether the deal is consistent."""
    consistent = True
    for other in range(s.seats):
        if other != seat:
            turn_face_down(s, s.hand[other])  # an earlier attempt may have failed
    if s.phase == FOUR and s.player != seat:
        consistent &= deal_fours(params, s, s.hand[s.player], g)
    for other in range(s.seats):
        if other != seat and not (s.phase == FOUR and other == s.player):
            consistent &= deal_known(params, s, other)
    for other in range(s.seats):
        if other != seat:
            deal_face_down(params, s, s.hand[other])
    return consistent


@rule
def deal_face_down(params: Params, s: State, pile: CardPile) -> None:
    """Deal any cards in place of those still face down."""
    for _ in range(pile[0]):
        if pile[1] < 0:
            deal_kind(params, s, pile, COLOURED_KINDS | WILD_KINDS)


@rule
def deal_kind(params: Params, s: State, pile: CardPile, kinds: int) -> bool:
    """Replace a face-down card by one of these kinds from its draw pile; return whether there was one."""
    for i in range(s.deck[0], 0, -1):
        card = s.deck[i]
        if kinds & kind_bit(params, card) and holds(pile, back(s, card)):
            take_at(s.deck, i)
            remove(pile, back(s, card))
            insert(pile, card)
            return True
    return False


@rule
def deal_known(params: Params, s: State, seat: int) -> bool:
    """Deal the cards known to be in a hand; return whether the deck had enough of them."""
    hand = s.hand[seat]
    consistent = True
    for _ in range(s.sure_wilds[seat]):
        consistent &= deal_kind(params, s, hand, WILD_KINDS)
    if s.sure_kinds[seat] and not has_kind(params, hand, s.sure_kinds[seat]):
        consistent &= deal_kind(params, s, hand, int(s.sure_kinds[seat]))
    if s.sure_coloured[seat] and not has_coloured(params, hand):
        consistent &= deal_kind(params, s, hand, COLOURED_KINDS)
    return consistent


@rule
def deal_fours(params: Params, s: State, hand: CardPile, g: Generator) -> bool:
    """Deal a hand with several fours: cards of one colour (or with Wilds), or three Wilds and two others."""
    for _ in range(ATTEMPTS):
        kinds = 7 << (3 * below(g, WILD + 1))
        if params.wild_fours:
            kinds |= WILD_KINDS
            if below(g, 2):
                for _ in range(3):
                    deal_kind(params, s, hand, WILD_KINDS)
                kinds |= COLOURED_KINDS
        while deal_kind(params, s, hand, kinds):
            pass
        deal_face_down(params, s, hand)
        if has_several_fours(params, hand) and is_consistent(params, s, s.player, hand):
            return True
        for i in range(1, HAND + 1):
            put(s.deck, hand[i])
        turn_face_down(s, hand)
        shuffle(g, s.deck)
    deal_face_down(params, s, hand)
    return False


@rule
def is_consistent(params: Params, s: State, seat: int, hand: CardPile) -> bool:
    """Return whether a hand is consistent with what is known of this seat's."""
    wilds = 0
    for i in range(1, hand[0] + 1):
        if params.colour[hand[i]] == WILD:
            wilds += 1
    if wilds < s.sure_wilds[seat] or (s.sure_coloured[seat] and wilds == hand[0]):
        return False
    return s.sure_kinds[seat] == 0 or has_kind(params, hand, int(s.sure_kinds[seat]))
