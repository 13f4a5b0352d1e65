"""MACE: what may be chosen, phase by phase (the phase table of section 5)."""

from sparring.engine.hexes import distance, numbers
from sparring.engine.rule import rule

from .kit import CLUBS, DIAMONDS, HEARTS, JOKER, SPADES
from .moves import fits, nearest, reachable, value_of
from .state import (
    AIM, BLAST, BLAST_CARD, BLOCK, BOOST, CHARGE, CLUB, COMMIT, DEFENCE, DODGE, DODGE_MOVE, DROP, DROP_CHARGE, END,
    FORFEIT, GIVE_UP, MOVE, PAY, PAYING, REVEAL_ONLY, STAY, STRIKE, TAKE, TARGET, TO, TURN,
)  # fmt: skip


@rule
def legal(kit, s, out):
    """What `s.player` may choose, by the phase table of section 5."""
    hand = s.hand[s.player]
    if s.phase == TURN:
        return turn_choices(kit, s, out)
    if s.phase == MOVE or s.phase == DODGE_MOVE:
        return hex_choices(kit, s, out)
    if s.phase == TARGET:
        return targets(s, out)
    n = 0
    if s.phase == PAY:
        n = any_card(out, n, PAYING, hand)
    elif s.phase == FORFEIT:
        out[0] = STAY
        out[1] = GIVE_UP
        n = 2
    elif s.phase == DEFENCE:
        n = of_suit(out, n, BLOCK, hand, DIAMONDS)
        n = of_suit(out, n, DODGE, hand, HEARTS)
        out[n] = TAKE
        n += 1
    elif s.phase == BLAST_CARD:
        n = of_suit(out, n, CLUB, hand, CLUBS)
    elif s.phase == DROP_CHARGE:
        n = any_card(out, n, DROP, s.charges[s.player])
    else:
        n = no_joker(out, n, COMMIT, hand)
    return n


@rule
def turn_choices(kit, s, out):
    """TURN: an Action if none is done yet, a Boost, the end; beside an opponent only a Strike (R14, R19)."""
    hand = s.hand[s.player]
    n = 0
    if not s.acted:
        away = nearest(s, s.player)
        if away == 1:
            n = of_suit(out, n, STRIKE, hand, SPADES)
        else:
            clubs = of_suit(out, n, CHARGE, hand, CLUBS)
            if clubs > 0 or kit.blast_cost == REVEAL_ONLY:
                n = blasts(kit, s, out, clubs, away)
            else:
                n = clubs
    if not s.boosted:
        n = no_joker(out, n, BOOST, hand)
    out[n] = END
    return n + 1


@rule
def blasts(kit, s, out, n, away):
    """Each own Charge that would reach the nearest opponent (R21), in ascending order."""
    first = n
    charges = s.charges[s.player]
    for i in range(1, charges[0] + 1):
        if value_of(kit, s, charges[i]) >= away:
            n = sorted_in(out, first, n, BLAST + charges[i])
    return n


@rule
def sorted_in(out, first, n, action):
    """Write a choice at its place in the order among those from `first` on."""
    i = n
    while i > first and out[i - 1] > action:
        out[i] = out[i - 1]
        i -= 1
    out[i] = action
    return n + 1


@rule
def of_suit(out, n, block, hand, suit):
    """The cards of a suit, and the Jokers (R26)."""
    for i in range(1, hand[0] + 1):
        if fits(hand[i], suit):
            out[n] = block + hand[i]
            n += 1
    return n


@rule
def no_joker(out, n, block, hand):
    """The cards that can be Momentum (R7)."""
    for i in range(1, hand[0] + 1):
        if hand[i] < JOKER:
            out[n] = block + hand[i]
            n += 1
    return n


@rule
def any_card(out, n, block, pile):
    """All cards of a hand or Charge row, in ascending order."""
    for i in range(1, pile[0] + 1):
        n = sorted_in(out, 0, n, block + pile[i])
    return n


@rule
def hex_choices(kit, s, out):
    """MOVE and DODGE_MOVE: every hex within reach, or to stay."""
    found = reachable(kit, s, s.player, s.steps, s.phase == DODGE_MOVE)
    n = numbers(found, kit.radius, out, 0, TO)
    out[n] = STAY
    return n + 1


@rule
def targets(s, out):
    """Every opponent within range; a Strike's range is the Reach (R19, R21)."""
    n = 0
    for seat in range(s.seats):
        if seat != s.player and not s.out[seat] and distance(s.at[s.player], s.at[seat]) <= s.range:
            out[n] = AIM + seat
            n += 1
    return n
