"""MACE: what is done with single cards and Fighters (section 4), and what may be done with them."""

import numpy as np

from sparring.engine.beats import beat
from sparring.engine.cards import UNKNOWN, draw, empty, insert, put, remove
from sparring.engine.hexes import NOWHERE, ROWS, beyond, distance, mark_around, spread, unmark
from sparring.engine.rule import end_moment, rule

from .kit import JOKER
from .knowledge import leaves_charges, leaves_hand, note_reshuffle
from .state import AFTER_ATTACK, BLAST, NO_CARD, RESHUFFLED, STOPS

#: Further than any hex.
FAR = 99


# Cards


@rule
def fits(card, suit):
    """Whether a card is of a suit; a Joker is of any (R26)."""
    return card >= JOKER or card & 3 == suit


@rule
def value_of(kit, s, card):
    """The CV of a card as it would be played now: a Joker looks for the top card that is no Joker (4.3, R10, R11)."""
    if card < JOKER:
        return int(kit.value[card])
    for i in range(s.discard[0], 0, -1):
        if s.discard[i] < JOKER:
            return int(kit.value[s.discard[i]])
    return 0


@rule
def draw_card(s, seat):
    """Draw one card; the discard pile becomes the deck only if a draw needs it (4.2, R9). Whether it did."""
    renewed = s.deck[0] == 0 and s.discard[0] > 0
    if renewed:
        note_reshuffle(s)
    card = draw(s.rng, s.deck, s.discard)
    if card != UNKNOWN:
        insert(s.hand[seat], card)
    return renewed


@rule
def leave(s, seat, card):
    """A card leaves the hand openly."""
    remove(s.hand[seat], card)
    leaves_hand(s, seat, card)
    end_moment(s)


@rule
def play(kit, s, seat, card):
    """Play a card in an attack: its CV is fixed, one card is drawn, then it is laid down (4.1, R8, R12). Its CV."""
    value = value_of(kit, s, card)
    leave(s, seat, card)
    renewed = draw_card(s, seat)
    lay(kit, s, card)
    if renewed:
        beat(s, RESHUFFLED)
    return value


@rule
def lay(kit, s, card):
    """A card of an attack goes to the discard pile, or stays on the table until the attack is over (R8)."""
    if kit.discard_timing == AFTER_ATTACK:
        put(s.table, card)
    else:
        put(s.discard, card)


@rule
def reveal(kit, s, seat, card):
    """Turn a Charge face up; nothing is drawn for it (R23). Its CV."""
    value = value_of(kit, s, card)
    open_charge(s, seat, BLAST, card)
    lay(kit, s, card)
    return value


@rule
def open_charge(s, seat, block, card):
    """A Charge is turned up or given up (the choice is of that block); everybody sees which one it was."""
    place = leaves_charges(s, seat, card)
    s.opened[seat] = block + card
    s.opened_laid[seat] = s.laid[seat, place]
    remove(s.laid[seat], s.laid[seat, place])
    end_moment(s)


# Fighters


@rule
def nearest(s, seat):
    """How far the nearest opponent is away."""
    steps = FAR
    for other in range(s.seats):
        if other != seat and not s.out[other]:
            steps = min(steps, distance(s.at[seat], s.at[other]))
    return steps


@rule
def still_in(s):
    """How many Fighters are still in."""
    count = 0
    for seat in range(s.seats):
        if not s.out[seat]:
            count += 1
    return count


@rule
def reachable(kit, s, seat, steps, free):
    """The set of hexes where a Fighter can Move to (4.5, R17, R18); `free`: Reach does not stop it."""
    sets = np.zeros((4, ROWS + 2), np.int32)
    open_rows, stop_rows, front, found = sets[0], sets[1], sets[2], sets[3]
    for row in range(ROWS + 2):
        open_rows[row] = kit.board[row]
    for other in range(s.seats):
        if other != seat and not s.out[other]:
            unmark(open_rows, s.at[other])
            if not free:
                mark_around(stop_rows, s.at[other])
    spread(s.at[seat], steps, open_rows, stop_rows, front, found)
    return found


@rule
def knock(kit, s, source, seat, steps):
    """Push a Fighter straight away from a hex, until the edge or another Fighter stops it (4.6, R33 to R35)."""
    start = s.at[seat]
    for _ in range(steps):
        there = beyond(source, start, s.at[seat], kit.radius)
        if there == NOWHERE or occupied(s, there):
            return
        s.at[seat] = there
        if kit.knockback_reach == STOPS and nearest(s, seat) == 1:
            return


@rule
def occupied(s, there):
    """Whether a Fighter stands on a hex."""
    for seat in range(s.seats):
        if not s.out[seat] and s.at[seat] == there:
            return True
    return False


@rule
def give_up_cards(s, seat):
    """The cards of a Fighter that is out are discarded: hand, Charges, Momentum on top (4.7, R30)."""
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
