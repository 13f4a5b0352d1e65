"""MACE: legal choices by phase."""

import numpy as np

from sparring.engine.hexes import SET_SIZE, distance, numbers
from sparring.engine.rule import offer, rule, zeros
from sparring.engine.types import CardPile, Numbers

from .kit import CLUBS, DIAMONDS, HEARTS, JOKER, SPADES, Params
from .moves import has_suit, distance_to_nearest, mark_reachable, value_of
from .state import (
    AIM, BLAST, BLAST_CARD, BLOCK, BOOST, CHARGE, CLUB, COMMIT, DEFENCE, DODGE, DODGE_MOVE, DROP, DROP_CHARGE, END,
    FORFEIT, GIVE_UP, MOVE, PAY, PAYING, REVEAL_ONLY, STAY, STRIKE, TAKE, TARGET, TO, TURN, State,
)  # fmt: skip


@rule
def legal(kit: Params, s: State, out: Numbers) -> int:
    """Write the legal choices of `s.player` to `out` in ascending order and return how many there are."""
    hand = s.hand[s.player]
    if s.phase == TURN:
        return turn_choices(kit, s, out)
    if s.phase == MOVE or s.phase == DODGE_MOVE:
        return hex_choices(kit, s, out)
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
def turn_choices(kit: Params, s: State, out: Numbers) -> int:
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
            if clubs > 0 or kit.blast_cost == REVEAL_ONLY:
                n = blast_choices(kit, s, out, clubs, away)
            else:
                n = clubs
    if not s.boosted:
        n = momentum_choices(out, n, BOOST, hand)
    out[n] = END
    return n + 1


@rule
def blast_choices(kit: Params, s: State, out: Numbers, n: int, away: int) -> int:
    """Add each Charge that would reach the nearest opponent, `away` hexes off (R21), in ascending order."""
    first = n
    charges = s.charges[s.player]
    for i in range(1, charges[0] + 1):
        if value_of(kit, s, charges[i]) >= away:
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
def hex_choices(kit: Params, s: State, out: Numbers) -> int:
    """Write the choices of MOVE and DODGE_MOVE: every hex that the Fighter can reach, or stay."""
    hexes = zeros(SET_SIZE, np.int32)
    mark_reachable(kit, s, s.player, s.steps, s.phase == DODGE_MOVE, hexes)
    n = numbers(hexes, kit.radius, out, 0, TO)
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
