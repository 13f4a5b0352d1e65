"""MACE: an attack, from the card that it is made with to what is left of it (section 6)."""

from sparring.engine.beats import beat
from sparring.engine.cards import pour, put
from sparring.engine.rule import end_moment, rule

from .moves import knock, leave, open_charge, play, value_of
from .rounds import eliminate, turn_goes_on
from .state import (
    BLOCK, CHARGE_LOST, COMPARED, DEFENCE, DODGE, DODGE_MOVE, DROP, DROP_CHARGE, KNOCKED_BACK, NO_SEAT, PAID, PAY,
    TAKE, TARGET, WENT_DOWN,
)  # fmt: skip


@rule
def attack_with(kit, s, action, card):
    """Play the card that gives a Strike or Blast its CV (section 6, step 1)."""
    s.attack_by = action
    s.attack = play(kit, s, s.active, card)
    s.phase = TARGET


@rule
def aim(s, seat):
    """Name the target; nothing to fear ends the attack, a Fighter that is Down cannot defend (R11, R24, R38)."""
    s.target = seat
    s.damage = s.attack
    if s.damage == 0:
        end_attack(s)
    elif s.down[seat]:
        beat(s, COMPARED)
        suffer(s)
    else:
        s.phase = DEFENCE
        s.player = seat


@rule
def defend(kit, s, action):
    """One Block or Dodge, or none (R24, R25)."""
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
        suffer(s)


@rule
def suffer(s):
    """What is left of the attack is Damage, and must be paid; 0 is no Damage (R31)."""
    if s.damage == 0:
        end_attack(s)
        return
    s.hurt = 1
    s.phase = PAY
    s.player = s.target


@rule
def pay(kit, s, card):
    """Pay with one card; nothing is drawn. An empty hand is out, whatever was owed (R27, R29)."""
    s.paid += value_of(kit, s, card)
    leave(s, s.target, card)
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
def drop(kit, s, card):
    """One Charge is lost (R28)."""
    open_charge(s, s.target, DROP, card)
    put(s.discard, card)
    beat(s, CHARGE_LOST)
    knock_back(kit, s)


@rule
def knock_back(kit, s):
    """Push the target away by half of the Damage; more hexes than it has cards left put it Down (R32, R36)."""
    far = (s.damage + kit.knockback_rounding) >> 1
    s.knocked = s.target
    s.knock_source = s.at[s.active]
    s.knock_start = s.at[s.target]
    s.knock_length = far
    s.knock_turn = s.turn
    knock(kit, s, s.at[s.active], s.target, far)
    if far > 0:
        beat(s, KNOCKED_BACK)
    if far > s.hand[s.target, 0] and not s.down[s.target]:
        s.down[s.target] = 1
        beat(s, WENT_DOWN)
    end_attack(s)


@rule
def end_attack(s):
    """Nothing of the attack is left; the attacker's Turn goes on (section 6, step 10)."""
    pour(s.table, s.discard)
    s.blasting = 0
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
        turn_goes_on(s)
