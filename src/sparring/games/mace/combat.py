"""MACE: Rounds, Turns, attacks, elimination and the end of the Combat."""

import numpy as np

from sparring.engine.cards import pour, put
from sparring.engine.rule import beat, end_moment, finish, rule, seats_with_most, zeros

from .moves import count_in, discard_all, play, push, remove_charge, take_from_hand, value_of
from .params import SEATS, Params
from .state import (
    BETWEEN, BLOCK, CHARGE_LOST, COMPARED, DEFENCE, DODGE, DODGE_MOVE, DRAW, DROP, DROP_CHARGE, FORFEIT, GIVE_UP,
    KNOCKED_BACK, KNOCKED_OUT, LAST_ONE_IN, MOST_CARDS, NEW_ROUND, NO_SEAT, OFF, PAID, PAY, ROUND_OVER, STALLED, TAKE,
    TARGET, TURN, UP_AGAIN, WENT_DOWN, State,
)  # fmt: skip


@rule
def begin_round(s: State) -> None:
    """Set the turn order: Fighters still in by Momentum, highest first, ties by suit (R13, R40)."""
    s.rounds += 1
    s.hurt = False
    s.place = 0
    for i in range(s.order[0] + 1):
        s.order[i] = 0
    for seat in range(s.seats):
        if not s.out[seat]:
            place = s.order[0] + 1
            s.order[0] = place
            while place > 1 and s.momentum[s.order[place - 1]] < s.momentum[seat]:
                s.order[place] = s.order[place - 1]
                place -= 1
            s.order[place] = seat
    beat(s, NEW_ROUND)


@rule
def advance(params: Params, s: State) -> None:
    """Advance to the next Turn, or past the end of the Round to the forfeits and the next Round."""
    while not s.over:
        if next_turn(s):
            return
        if s.place == s.order[0]:
            beat(s, ROUND_OVER)
        if params.forfeits != OFF and ask_forfeit(s):
            return
        end_round(params, s)
    s.phase = TURN


@rule
def next_turn(s: State) -> bool:
    """Begin the next Turn and return whether there is one; a Down Fighter misses it and gets up (R37, R39, R40)."""
    while s.place < s.order[0]:
        s.place += 1
        seat = s.order[s.place]
        if s.down[seat]:
            s.down[seat] = False
            beat(s, UP_AGAIN)
        elif not s.out[seat]:
            begin_turn(s, seat)
            return True
    return False


@rule
def begin_turn(s: State, seat: int) -> None:
    """Begin a seat's Turn with its Action and Boost unused (R14)."""
    s.turn += 1
    s.active = seat
    s.player = seat
    s.acted = False
    s.boosted = False
    s.phase = TURN
    end_moment(s)


@rule
def resume_turn(s: State) -> None:
    """Return to the active seat; its Turn is over if Action and Boost are both used."""
    s.player = s.active
    s.phase = BETWEEN if s.acted and s.boosted else TURN


@rule
def ask_forfeit(s: State) -> bool:
    """Ask the next Fighter still in, in turn order, whether to forfeit; return whether there is one (R41)."""
    while s.place < 2 * s.order[0]:
        s.place += 1
        seat = s.order[s.place - s.order[0]]
        if not s.out[seat]:
            s.player = seat
            s.phase = FORFEIT
            end_moment(s)
            return True
    return False


@rule
def resolve_forfeit(s: State, action: int) -> None:
    """Carry out a stay or a forfeit (R41)."""
    if action == GIVE_UP:
        eliminate(s, s.player)
    if not s.over:
        s.phase = BETWEEN


@rule
def end_round(params: Params, s: State) -> None:
    """Begin the next Round, or end the Combat after too many quiet Rounds (R42, R43)."""
    s.quiet = 0 if s.hurt else s.quiet + 1
    if s.quiet < params.stall_rounds:
        begin_round(s)
        return
    winners = leaders(s, params.stall_result == DRAW)
    single = winners & (winners - 1) == 0
    finish(s, MOST_CARDS if single else STALLED, winners)


@rule
def leaders(s: State, everyone: bool) -> int:
    """Return, as bits, the Fighters still in who hold the most cards, or with `everyone` all those still in (R43)."""
    held = zeros(SEATS, np.int64)
    for seat in range(s.seats):
        if not s.out[seat]:
            held[seat] = 1 if everyone else s.hand[seat, 0]
    return seats_with_most(s, held)


@rule
def eliminate(s: State, seat: int) -> None:
    """Remove a Fighter and all its cards; the last one in wins at once (R1, R30)."""
    s.out[seat] = s.seats - count_in(s) + 1
    s.down[seat] = False
    discard_all(s, seat)
    beat(s, KNOCKED_OUT)
    if count_in(s) == 1:
        last = 0
        while s.out[last]:
            last += 1
        finish(s, LAST_ONE_IN, 1 << last)


# An attack, from the card played to payment, Knockback and Knockdown


@rule
def play_attack_card(params: Params, s: State, action: int, card: int) -> None:
    """Play the card that sets the CV of a Strike or Blast."""
    s.attack_by = action
    s.attack = play(params, s, s.active, card)
    s.phase = TARGET


@rule
def choose_target(s: State, seat: int) -> None:
    """Set the target: an attack of 0 ends at once, and a Fighter that is Down can't defend (R11, R24, R38)."""
    s.target = seat
    s.damage = s.attack
    if s.damage == 0:
        end_attack(s)
    elif s.down[seat]:
        beat(s, COMPARED)
        start_payment(s)
    else:
        s.phase = DEFENCE
        s.player = seat


@rule
def defend(params: Params, s: State, action: int) -> None:
    """Carry out the one Block or Dodge, or none (R24, R25)."""
    s.defence_by = action
    if action != TAKE:
        blocks = action < DODGE
        s.defence = play(params, s, s.target, action - (BLOCK if blocks else DODGE))
        if blocks:
            s.damage = max(0, s.damage - s.defence)
        elif s.defence >= s.attack:
            s.damage = 0
            s.steps = s.defence - s.attack
    end_moment(s)
    beat(s, COMPARED)
    if s.steps > 0:
        s.phase = DODGE_MOVE
    else:
        start_payment(s)


@rule
def start_payment(s: State) -> None:
    """Make the target pay the Damage left after the defence; 0 ends the attack (R31)."""
    if s.damage == 0:
        end_attack(s)
        return
    s.hurt = True
    s.phase = PAY
    s.player = s.target


@rule
def pay(params: Params, s: State, card: int) -> None:
    """Pay with one card without drawing; an empty hand is Knocked Out even if the Damage is paid (R27, R29)."""
    s.paid += value_of(params, s, card)
    take_from_hand(s, s.target, card)
    put(s.discard, card)
    if s.hand[s.target, 0] == 0:
        eliminate(s, s.target)
        end_attack(s)
    elif s.paid >= s.damage:
        if s.charges[s.target, 0] > 0:
            s.phase = DROP_CHARGE
        else:
            beat(s, PAID)
            knock_back(params, s)


@rule
def drop_charge(params: Params, s: State, card: int) -> None:
    """Discard one Charge (R28)."""
    remove_charge(s, s.target, DROP, card)
    put(s.discard, card)
    beat(s, CHARGE_LOST)
    knock_back(params, s)


@rule
def knock_back(params: Params, s: State) -> None:
    """Knock the target back by half the Damage; if that is more than its cards left, it goes Down (R32, R36)."""
    length = (s.damage + params.knockback_rounding) >> 1
    s.knocked = s.target
    s.knock_source = s.at[s.active]
    s.knock_start = s.at[s.target]
    s.knock_length = length
    s.knock_turn = s.turn
    push(params, s, s.at[s.active], s.target, length)
    if length > 0:
        beat(s, KNOCKED_BACK)
    if length > s.hand[s.target, 0] and not s.down[s.target]:
        s.down[s.target] = True
        beat(s, WENT_DOWN)
    end_attack(s)


@rule
def end_attack(s: State) -> None:
    """Discard the cards on the table, clear the attack, and resume the attacker's Turn."""
    pour(s.table, s.discard)
    s.blasting = False
    s.range = 0
    s.attack = 0
    s.target = NO_SEAT
    s.damage = 0
    s.paid = 0
    s.attack_by = 0
    s.defence_by = 0
    s.defence = 0
    for seat in range(s.seats):
        s.opened[seat] = 0
        s.opened_laid[seat] = 0
    if not s.over:
        resume_turn(s)
