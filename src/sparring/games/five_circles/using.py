"""Five Circles: when an ability may be used, and what can be picked for it (section 9, general rules).

All of it follows from the numbers that `abilities.py` puts into the kit; no ability is named here.

"""

from sparring.engine.rule import offer, rule
from sparring.engine.types import Numbers

from .options import PLAYERS, SILENT, WAIT, SEATS, SLOTS, Params
from .state import ANSWER, ARRIVED, ASLEEP, LANES, LONG, PLACE, PLAYER, SIDE, TARGET, TOP, USE, State
from .table import deck_of, count_in_play, discard_of, has_combat

# What an ability needs or picks (`ability_wants`). From ENEMY on, the user picks one.
NOTHING, FACING, ITSELF, OTHERS, DECK, HAND_CARD, ENEMY, ENEMY_OR_PLAYER, AWAKE_ENEMY, HURT, PAIR, DISCARD, ARRANGE = (
    range(13)
)

# Why an ability may not be used now, or USABLE.
(USABLE, NO_ABILITY, WRONG_TIME, USED, OTHER_COPY, SILENCED, UNPAID, NO_FIGHT, TOO_NEW, OTHER_ATTACK, NO_TARGET) = (
    range(11)
)


@rule
def obstacle(kit: Params, s: State, card: int, slot: int, phase: int) -> int:
    """Return why a character in play may not use the ability in a slot in a phase, or USABLE (R33, R34, R36)."""
    ability = kit.card_ability[card, slot]
    if ability < 0:
        return NO_ABILITY
    if not kit.ability_phases[ability] >> phase & 1:
        return WRONG_TIME
    status = s.status[card]
    if status >> slot & 1:
        return USED
    if slot > 0 and kit.card_ability[card, slot - 1] == ability and not status >> (slot - 1) & 1:
        return OTHER_COPY
    if kit.sleeper == SILENT and status & ASLEEP:
        return SILENCED
    seat = s.at[card] >> 6
    if s.ready[seat, kit.ability_colour[ability]] < kit.ability_price[ability]:
        return UNPAID
    if kit.ability_attack[ability]:
        if not has_combat(kit, s):
            return NO_FIGHT
        if kit.summons == WAIT and status & ARRIVED:
            return TOO_NEW
        if uses_other_attack(kit, s, card, ability):
            return OTHER_ATTACK
    return USABLE if has_target(kit, s, seat, card, kit.ability_wants[ability], phase) else NO_TARGET


@rule
def uses_other_attack(kit: Params, s: State, card: int, ability: int) -> bool:
    """Return whether the card uses the other one of Target and Long Range this turn (R58)."""
    if kit.ability_wants[ability] == ENEMY:
        return s.status[card] & LONG != 0
    return s.target[card] > 0


@rule
def has_target(kit: Params, s: State, seat: int, card: int, wants: int, phase: int) -> bool:
    """Return whether what the ability wants is available."""
    enemy = 1 - seat
    if wants == NOTHING:
        return True
    if wants == FACING:
        return blocker_at(kit, s, s.at[card] ^ SIDE) >= 0
    if wants == ITSELF:
        return s.hit == card + 1
    if wants == OTHERS:
        return s.hit == card + 1 and count_in_play(s, seat) > 1
    if wants == DECK:
        return deck_of(kit, s, seat)[0] > 0
    if wants == HAND_CARD:
        return s.hand[seat, 0] > 0 and s.last[seat] < LANES
    if wants == ENEMY:
        return s.last[enemy] > 0
    if wants == ENEMY_OR_PLAYER:
        return s.last[enemy] > 0 or kit.fireball == PLAYERS
    if wants == AWAKE_ENEMY:
        return any_pick(kit, s, enemy, wants)
    if wants == HURT:
        return phase == ANSWER or any_pick(kit, s, seat, wants) or any_pick(kit, s, enemy, wants)
    if wants == PAIR:
        return count_in_play(s, seat) > 1
    if wants == DISCARD:
        return discard_of(kit, s, seat)[0] > 0
    return deck_of(kit, s, seat)[0] > 1


@rule
def blocker_at(kit: Params, s: State, at: int) -> int:
    """Return the enemy at a place that blocks an attacker, or -1. A sleeper blocks with `sleep=still` only (R57)."""
    card = s.row[at] - 1
    if card >= 0 and s.status[card] & ASLEEP and kit.sleep == 0:
        return -1
    return card


@rule
def awake_at(s: State, at: int) -> int:
    """Return the awake character at a place, or -1."""
    card = s.row[at] - 1
    if card >= 0 and s.status[card] & ASLEEP:
        return -1
    return card


@rule
def can_pick(s: State, card: int, wants: int) -> bool:
    """Return whether a character of the right row can be picked: not one already picked, nor the one being hit."""
    if wants == AWAKE_ENEMY:
        return s.status[card] & ASLEEP == 0
    if wants == HURT:
        return s.damage[card] > 0
    return card + 1 != s.first and card + 1 != s.hit


@rule
def any_pick(kit: Params, s: State, seat: int, wants: int) -> bool:
    """Return whether any character of a row can be picked."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at] and can_pick(s, s.row[at] - 1, wants):
            return True
    return False


# Lists of choices; characters are in order of their numbers, not of their lanes


@rule
def insert_choice(out: Numbers, first: int, n: int, action: int) -> None:
    """Insert a choice in order among out[first] to out[n - 1]."""
    i = n
    while i > first and out[i - 1] > action:
        out[i] = out[i - 1]
        i -= 1
    out[i] = action


@rule
def can_use(kit: Params, s: State, seat: int, phase: int) -> bool:
    """Return whether any character of a seat may use any ability in a phase."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        card = s.row[at] - 1
        if card >= 0 and kit.card_phases[card] >> phase & 1:
            for slot in range(SLOTS):
                if obstacle(kit, s, card, slot, phase) == USABLE:
                    return True
    return False


@rule
def list_uses(kit: Params, s: State, out: Numbers, n: int, phase: int) -> int:
    """Append every ability that `s.player` may use in a phase to the n choices in `out`; return the new count."""
    first = n
    side = s.player * SIDE
    for at in range(side + 1, side + s.last[s.player] + 1):
        card = s.row[at] - 1
        if card >= 0 and kit.card_phases[card] >> phase & 1:
            for slot in range(SLOTS):
                if obstacle(kit, s, card, slot, phase) == USABLE:
                    insert_choice(out, first, n, USE + card * SLOTS + slot)
                    n += 1
    return n


@rule
def list_row(s: State, out: Numbers, n: int, seat: int, wants: int) -> int:
    """Insert every character of a row that can be picked among the n choices in `out`; return the new count."""
    for at in range(seat * SIDE + 1, seat * SIDE + s.last[seat] + 1):
        if s.row[at] and can_pick(s, s.row[at] - 1, wants):
            insert_choice(out, 0, n, TARGET + s.row[at] - 1)
            n += 1
    return n


@rule
def list_picks(kit: Params, s: State, out: Numbers) -> int:
    """Write what can be picked for the ability being used to `out` (PICK); return the count."""
    wants = kit.ability_wants[s.ability]
    seat = s.player
    n = 0
    if wants == DISCARD:
        for place in range(discard_of(kit, s, seat)[0]):
            out[n] = PLACE + place
            n += 1
    elif wants == ARRANGE:
        for place in range(min(TOP, deck_of(kit, s, seat)[0])):
            n = offer(out, n, PLACE + place, not is_picked(s, place))
    else:
        for other in range(SEATS):
            if wants == HURT or (wants == PAIR) == (other == seat):
                n = list_row(s, out, n, other, wants)
        n = offer(out, n, PLAYER, wants == ENEMY_OR_PLAYER and kit.fireball == PLAYERS)
    return n


@rule
def is_picked(s: State, place: int) -> bool:
    """Return whether a card of the top already has its new place (Change the Future)."""
    for i in range(1, s.picks[0] + 1):
        if s.picks[i] == place:
            return True
    return False


@rule
def note_use(kit: Params, s: State, card: int, slot: int) -> None:
    """Mark an ability as used this turn, unless `uses=repeat` lets it be used again (R33)."""
    if not kit.ability_again[kit.card_ability[card, slot]]:
        s.status[card] |= 1 << slot
