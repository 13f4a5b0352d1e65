"""MACE: an attack, from the card played to payment, Knockback and Knockdown."""

from sparring.engine.beats import beat
from sparring.engine.cards import pour, put
from sparring.engine.rule import end_moment, rule

from .kit import Params
from .moves import push, take_from_hand, remove_charge, play, value_of
from .rounds import eliminate, resume_turn
from .state import (
    BLOCK, CHARGE_LOST, COMPARED, DEFENCE, DODGE, DODGE_MOVE, DROP, DROP_CHARGE, KNOCKED_BACK, NO_SEAT, PAID, PAY,
    TAKE, TARGET, WENT_DOWN, State,
)  # fmt: skip


@rule
def play_attack_card(kit: Params, s: State, action: int, card: int) -> None:
    """Play the card that sets the CV of a Strike or Blast."""
    s.attack_by = action
    s.attack = play(kit, s, s.active, card)
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
def defend(kit: Params, s: State, action: int) -> None:
    """Carry out the one Block or Dodge, or none (R24, R25)."""
    s.defence_by = action
    if action != TAKE:
        blocks = action < DODGE
        s.defence = play(kit, s, s.target, action - (BLOCK if blocks else DODGE))
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
def pay(kit: Params, s: State, card: int) -> None:
    """Pay with one card without drawing; an empty hand is Knocked Out even if the Damage is paid (R27, R29)."""
    s.paid += value_of(kit, s, card)
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
            knock_back(kit, s)


@rule
def drop_charge(kit: Params, s: State, card: int) -> None:
    """Discard one Charge (R28)."""
    remove_charge(s, s.target, DROP, card)
    put(s.discard, card)
    beat(s, CHARGE_LOST)
    knock_back(kit, s)


@rule
def knock_back(kit: Params, s: State) -> None:
    """Knock the target back by half the Damage; if that is more than its cards left, it goes Down (R32, R36)."""
    length = (s.damage + kit.knockback_rounding) >> 1
    s.knocked = s.target
    s.knock_source = s.at[s.active]
    s.knock_start = s.at[s.target]
    s.knock_length = length
    s.knock_turn = s.turn
    push(kit, s, s.at[s.active], s.target, length)
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
