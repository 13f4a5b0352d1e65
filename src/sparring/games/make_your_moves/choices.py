"""Make Your Moves: legal choices by phase (the phase table in section 5 of the rulings)."""

from sparring.engine.rule import offer, rule
from sparring.engine.types import CardPile, Numbers

from .kit import Params
from .moves import attack_fit, count_in, defence_fit, fits, fits_attacker, fits_defender, fits_four, has_four
from .state import (
    ASSIST_CARD, ASSIST_SIDE, ATTACK, ATTACKER, CARD, COUNTER, DEFENDER, DODGE, DODGE_TO, DONE, FOUR, RESPOND, SEAT,
    SKIP, TARGET, State,
)  # fmt: skip


@rule
def legal(kit: Params, s: State, out: Numbers) -> int:
    """Write the legal choices of `s.player` to `out` and return how many there are (section 5)."""
    hand = s.hand[s.player]
    n = 0
    if s.phase == TARGET:
        n = target_choices(s, out, s.attacker, s.attacker)
        n = offer(out, n, SKIP, kit.pass_attack > 0)
    elif s.phase == ATTACK:
        n = offer_fitting(kit, hand, attack_fit(s), out)
        n = offer(out, n, DONE, s.ceiling > 0)
    elif s.phase == RESPOND:
        n = response_choices(kit, s, out)
    elif s.phase == FOUR:
        for i in range(1, hand[0] + 1):
            n = offer(out, n, CARD + hand[i], fits_four(kit, s, hand[i]))
    elif s.phase == DODGE_TO:
        n = target_choices(s, out, s.attacker, s.defender)
    elif s.phase == ASSIST_SIDE:
        n = offer(out, n, ATTACKER, fits_attacker(kit, s, s.helping[1]))
        n = offer(out, n, DEFENDER, fits_defender(kit, s, s.helping[1]))
    else:
        for i in range(1, hand[0] + 1):
            out[i - 1] = CARD + hand[i]
        n = int(hand[0])
        out[n] = SKIP if s.phase == ASSIST_CARD else DONE
        n += 1
    return n


@rule
def target_choices(s: State, out: Numbers, one: int, other: int) -> int:
    """Write every seat still in, except `one` and `other` (R9, R19)."""
    n = 0
    for seat in range(s.seats):
        n = offer(out, n, SEAT + seat, seat != one and seat != other and not s.out[seat])
    return n


@rule
def offer_fitting(kit: Params, hand: CardPile, colours: int, out: Numbers) -> int:
    """Write the cards of a hand whose colours fit to `out` and return how many (R1, R10 to R16)."""
    n = 0
    for i in range(1, hand[0] + 1):
        n = offer(out, n, CARD + hand[i], fits(kit, hand[i], colours))
    return n


@rule
def response_choices(kit: Params, s: State, out: Numbers) -> int:
    """Write the choices of RESPOND: cards, `done`, and before any card is played `counter` and `dodge` (R16 to R19)."""
    hand = s.hand[s.player]
    n = offer_fitting(kit, hand, defence_fit(kit, s), out)
    out[n] = DONE
    n += 1
    if s.defence[0] == 0 and has_four(kit, hand):
        out[n] = COUNTER
        n += 1
        if count_in(s) > 2:
            out[n] = DODGE
            n += 1
    return n
