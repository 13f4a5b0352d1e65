"""MACE: operations on single cards and Fighters."""

import numpy as np

from sparring.engine.beats import beat
from sparring.engine.cards import UNKNOWN, draw, empty, insert, put, remove
from sparring.engine.hexes import NOWHERE, SET_SIZE, Array, beyond, distance, mark, mark_around, spread
from sparring.engine.rule import end_moment, rule, zeros

from .kit import JOKER, Params
from .knowledge import take_charge, note_card_seen, note_reshuffle
from .state import AFTER_ATTACK, BLAST, NO_CARD, RESHUFFLED, STOPS, State

#: More than the distance between any two hexes.
FAR = 99


# Cards


@rule
def has_suit(card: int, suit: int) -> bool:
    """Return whether a card has a suit; a Joker has every suit (R26)."""
    return card >= JOKER or card & 3 == suit


@rule
def value_of(kit: Params, s: State, card: int) -> int:
    """Return a card's CV if played now; a Joker copies the topmost non-Joker discard, or is 0 (R10, R11)."""
    if card < JOKER:
        return int(kit.value[card])
    for i in range(s.discard[0], 0, -1):
        if s.discard[i] < JOKER:
            return int(kit.value[s.discard[i]])
    return 0


@rule
def draw_card(s: State, seat: int) -> bool:
    """Draw one card, reshuffling the discard pile only if the deck is empty; return whether it was reshuffled (R9)."""
    reshuffled = s.deck[0] == 0 and s.discard[0] > 0
    if reshuffled:
        note_reshuffle(s)
    card = draw(s.rng, s.deck, s.discard)
    if card != UNKNOWN:
        insert(s.hand[seat], card)
    return reshuffled


@rule
def take_from_hand(s: State, seat: int, card: int) -> None:
    """Remove a card from the hand face up."""
    remove(s.hand[seat], card)
    note_card_seen(s, seat, card)
    end_moment(s)


@rule
def play(kit: Params, s: State, seat: int, card: int) -> int:
    """Play a card in an attack: fix its CV, draw one card, then put the card down; return the CV (R8, R12)."""
    value = value_of(kit, s, card)
    take_from_hand(s, seat, card)
    reshuffled = draw_card(s, seat)
    put_attack_card(kit, s, card)
    if reshuffled:
        beat(s, RESHUFFLED)
    return value


@rule
def put_attack_card(kit: Params, s: State, card: int) -> None:
    """Put an attack's card on the discard pile, or on the table until the attack is over (R8)."""
    if kit.discard_timing == AFTER_ATTACK:
        put(s.table, card)
    else:
        put(s.discard, card)


@rule
def reveal(kit: Params, s: State, seat: int, card: int) -> int:
    """Reveal a Charge without drawing and return its CV (R23)."""
    value = value_of(kit, s, card)
    remove_charge(s, seat, BLAST, card)
    put_attack_card(kit, s, card)
    return value


@rule
def remove_charge(s: State, seat: int, block: int, card: int) -> None:
    """Take a revealed or lost Charge out of its row (`block` is BLAST or DROP) and note which one it was."""
    place = take_charge(s, seat, card)
    s.opened[seat] = block + card
    s.opened_laid[seat] = s.laid[seat, place]
    remove(s.laid[seat], s.laid[seat, place])
    end_moment(s)


# Fighters


@rule
def distance_to_nearest(s: State, seat: int) -> int:
    """Return the distance to the nearest opponent."""
    steps = FAR
    for other in range(s.seats):
        if other != seat and not s.out[other]:
            steps = min(steps, distance(s.at[seat], s.at[other]))
    return steps


@rule
def count_in(s: State) -> int:
    """Return how many Fighters are still in."""
    count = 0
    for seat in range(s.seats):
        if not s.out[seat]:
            count += 1
    return count


@rule
def mark_reachable(kit: Params, s: State, seat: int, steps: int, free: bool, reached: Array) -> None:
    """Write the set of hexes a Fighter can move to into the empty set `reached`; `free` ignores Reach (R17, R18)."""
    sets = zeros((2, SET_SIZE), np.int32)
    taken, stops = sets[0], sets[1]
    for other in range(s.seats):
        if other != seat and not s.out[other]:
            mark(taken, s.at[other])
            if not free:
                mark_around(stops, s.at[other])
    spread(s.at[seat], steps, kit.board, taken, stops, reached)


def reachable(kit: Params, s: State, seat: int, steps: int, free: bool) -> Array:
    """Return the set of hexes a Fighter can move to, as `mark_reachable` writes it."""
    reached: Array = np.zeros(SET_SIZE, np.int32)
    mark_reachable(kit, s, seat, steps, free, reached)
    return reached


@rule
def push(kit: Params, s: State, source: int, seat: int, steps: int) -> None:
    """Push a Fighter straight away from `source` until the edge or a Fighter stops it (R33 to R35)."""
    start = s.at[seat]
    for _ in range(steps):
        target = beyond(source, start, s.at[seat], kit.radius)
        if target == NOWHERE or occupied(s, target):
            return
        s.at[seat] = target
        if kit.knockback_reach == STOPS and distance_to_nearest(s, seat) == 1:
            return


@rule
def occupied(s: State, at: int) -> bool:
    """Return whether a Fighter is on a hex."""
    for seat in range(s.seats):
        if not s.out[seat] and s.at[seat] == at:
            return True
    return False


@rule
def discard_all(s: State, seat: int) -> None:
    """Discard all cards of a Fighter that is out: hand, Charges, then Momentum on top (R30)."""
    hand, charges = s.hand[seat], s.charges[seat]
    held = hand[0]
    for i in range(1, held + 1):
        if hand[i] >= JOKER:
            put(s.discard, hand[i])
    for i in range(1, held + 1):
        if hand[i] < JOKER:
            put(s.discard, hand[i])
    for i in range(1, charges[0] + 1):
        put(s.discard, charges[i])
    put(s.discard, s.momentum[seat])
    empty(hand)
    empty(charges)
    empty(s.laid[seat])
    s.momentum[seat] = NO_CARD
    s.old_cards[seat] = 0
    s.old_charges[seat] = 0
    end_moment(s)
