"""MACE: operations on single cards and Fighters, and the legal choices by phase."""

import numpy as np

from sparring.engine.cards import UNKNOWN, draw, empty, in_order, insert, put, remove
from sparring.engine.hexes import NOWHERE, SET_SIZE, Array, beyond, distance, mark, mark_around, numbers, spread
from sparring.engine.rule import beat, end_moment, offer, rule, zeros
from sparring.engine.types import CardPile, Numbers

from .params import CLUBS, DIAMONDS, HEARTS, JOKER, SPADES, Params
from .state import (
    AFTER_ATTACK, AIM, BLAST, BLAST_CARD, BLOCK, BOOST, CHARGE, CLUB, COMMIT, DEFENCE, DODGE, DODGE_MOVE, DROP,
    DROP_CHARGE, END, FORFEIT, GIVE_UP, MOVE, NO_CARD, PAY, PAYING, RESHUFFLED, REVEAL_ONLY, STAY, STOPS, STRIKE, TAKE,
    TARGET, TO, TURN, State, note_card_seen, note_reshuffle, take_charge,
)  # fmt: skip

#: More than the distance between any two hexes.
FAR = 99


# Cards


@rule
def has_suit(card: int, suit: int) -> bool:
    """Return whether a card has a suit; a Joker has every suit (R26)."""
    return card >= JOKER or card & 3 == suit


@rule
def value_of(params: Params, s: State, card: int) -> int:
    """Return a card's CV if played now; a Joker copies the topmost non-Joker discard, or is 0 (R10, R11)."""
    if card < JOKER:
        return int(params.value[card])
    for i in range(s.discard[0], 0, -1):
        if s.discard[i] < JOKER:
            return int(params.value[s.discard[i]])
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
def play(params: Params, s: State, seat: int, card: int) -> int:
    """Play a card in an attack: fix its CV, draw one card, then put the card down; return the CV (R8, R12)."""
    value = value_of(params, s, card)
    take_from_hand(s, seat, card)
    reshuffled = draw_card(s, seat)
    put_attack_card(params, s, card)
    if reshuffled:
        beat(s, RESHUFFLED)
    return value


@rule
def put_attack_card(params: Params, s: State, card: int) -> None:
    """Put an attack's card on the discard pile, or on the table until the attack is over (R8)."""
    if params.discard_timing == AFTER_ATTACK:
        put(s.table, card)
    else:
        put(s.discard, card)


@rule
def reveal(params: Params, s: State, seat: int, card: int) -> int:
    """Reveal a Charge without drawing and return its CV (R23)."""
    value = value_of(params, s, card)
    remove_charge(s, seat, BLAST, card)
    put_attack_card(params, s, card)
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
def mark_reachable(params: Params, s: State, seat: int, steps: int, free: bool, reached: Array) -> None:
    """Write the set of hexes a Fighter can move to into the empty set `reached`; `free` ignores Reach (R17, R18)."""
    sets = zeros((2, SET_SIZE), np.int32)
    taken, stops = sets[0], sets[1]
    for other in range(s.seats):
        if other != seat and not s.out[other]:
            mark(taken, s.at[other])
            if not free:
                mark_around(stops, s.at[other])
    spread(s.at[seat], steps, params.board, taken, stops, reached)


def reachable(params: Params, s: State, seat: int, steps: int, free: bool) -> Array:
    """Return the set of hexes a Fighter can move to, as `mark_reachable` writes it."""
    reached: Array = np.zeros(SET_SIZE, np.int32)
    mark_reachable(params, s, seat, steps, free, reached)
    return reached


def takes_all_cards(params: Params, s: State, seat: int, damage: int) -> bool:
    """Return whether paying is certain to take the whole hand; False if it has a Joker, whose CV may change."""
    held = in_order(s.hand[seat])
    values = [int(value_of(params, s, card)) for card in held]
    return all(card < JOKER for card in held) and sum(values) - min(values) < damage


@rule
def push(params: Params, s: State, source: int, seat: int, steps: int) -> None:
    """Push a Fighter straight away from `source` until the edge or a Fighter stops it (R33 to R35)."""
    start = s.at[seat]
    for _ in range(steps):
        target = beyond(source, start, s.at[seat], params.radius)
        if target == NOWHERE or occupied(s, target):
            return
        s.at[seat] = target
        if params.knockback_reach == STOPS and distance_to_nearest(s, seat) == 1:
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


# Legal choices


@rule
def legal(params: Params, s: State, out: Numbers) -> int:
    """Write the legal choices of `s.player` to `out` in ascending order and return how many there are."""
    hand = s.hand[s.player]
    if s.phase == TURN:
        return turn_choices(params, s, out)
    if s.phase == MOVE or s.phase == DODGE_MOVE:
        return hex_choices(params, s, out)
    if s.phase == TARGET:
        return target_choices(s, out)
    n = 0
    if s.phase == PAY:
        n = card_choices(out, n, PAYING, hand)
    elif s.phase == FORFEIT:
        out[0] = STAY
        out[1] = GIVE_UP
        n = 2
    elif s.phase == DEFENCE:
        n = suit_choices(out, n, BLOCK, hand, DIAMONDS)
        n = suit_choices(out, n, DODGE, hand, HEARTS)
        out[n] = TAKE
        n += 1
    elif s.phase == BLAST_CARD:
        n = suit_choices(out, n, CLUB, hand, CLUBS)
    elif s.phase == DROP_CHARGE:
        n = card_choices(out, n, DROP, s.charges[s.player])
    else:
        n = momentum_choices(out, n, COMMIT, hand)
    return n


@rule
def turn_choices(params: Params, s: State, out: Numbers) -> int:
    """Write the choices of TURN: an unused Action (next to an opponent only a Strike), an unused Boost, the end.

    See R14 and R19. Return how many there are.
    """
    hand = s.hand[s.player]
    n = 0
    if not s.acted:
        away = distance_to_nearest(s, s.player)
        if away == 1:
            n = suit_choices(out, n, STRIKE, hand, SPADES)
        else:
            clubs = suit_choices(out, n, CHARGE, hand, CLUBS)
            if clubs > 0 or params.blast_cost == REVEAL_ONLY:
                n = blast_choices(params, s, out, clubs, away)
            else:
                n = clubs
    if not s.boosted:
        n = momentum_choices(out, n, BOOST, hand)
    out[n] = END
    return n + 1


@rule
def blast_choices(params: Params, s: State, out: Numbers, n: int, away: int) -> int:
    """Add each Charge that would reach the nearest opponent, `away` hexes off (R21), in ascending order."""
    first = n
    charges = s.charges[s.player]
    for i in range(1, charges[0] + 1):
        if value_of(params, s, charges[i]) >= away:
            n = insert_sorted(out, first, n, BLAST + charges[i])
    return n


@rule
def insert_sorted(out: Numbers, first: int, n: int, action: int) -> int:
    """Insert a choice into `out`, keeping the entries from `first` on in ascending order."""
    i = n
    while i > first and out[i - 1] > action:
        out[i] = out[i - 1]
        i -= 1
    out[i] = action
    return n + 1


@rule
def suit_choices(out: Numbers, n: int, block: int, hand: CardPile, suit: int) -> int:
    """Add the cards of a suit, and the Jokers (R26)."""
    for i in range(1, hand[0] + 1):
        n = offer(out, n, block + hand[i], has_suit(hand[i], suit))
    return n


@rule
def momentum_choices(out: Numbers, n: int, block: int, hand: CardPile) -> int:
    """Add the cards that can be Momentum: all but Jokers (R7)."""
    for i in range(1, hand[0] + 1):
        n = offer(out, n, block + hand[i], hand[i] < JOKER)
    return n


@rule
def card_choices(out: Numbers, n: int, block: int, pile: CardPile) -> int:
    """Add all cards of a hand or Charge row, in ascending order."""
    for i in range(1, pile[0] + 1):
        n = insert_sorted(out, 0, n, block + pile[i])
    return n


@rule
def hex_choices(params: Params, s: State, out: Numbers) -> int:
    """Write the choices of MOVE and DODGE_MOVE: every hex that the Fighter can reach, or stay."""
    hexes = zeros(SET_SIZE, np.int32)
    mark_reachable(params, s, s.player, s.steps, s.phase == DODGE_MOVE, hexes)
    n = numbers(hexes, params.radius, out, 0, TO)
    out[n] = STAY
    return n + 1


@rule
def target_choices(s: State, out: Numbers) -> int:
    """Write every opponent within range; a Strike has range 1, which is Reach (R19, R21)."""
    n = 0
    for seat in range(s.seats):
        is_near = distance(s.at[s.player], s.at[seat]) <= s.range
        n = offer(out, n, AIM + seat, seat != s.player and not s.out[seat] and is_near)
    return n
