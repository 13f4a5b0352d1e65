"""Card Duel: the legal choices (R7 to R9, R11, R13)."""

from sparring.engine.rule import offer, rule
from sparring.engine.types import Numbers

from .board import attack_of, free_slot
from .kit import CHARACTER, Params
from .state import AIM, DONE, ENEMY, MAIN, MOVES, OPPONENT, PLACE, READY, SLOT, State


@rule
def legal(kit: Params, s: State, out: Numbers) -> int:
    """Write the legal choices of `s.player` to `out` in ascending order; return how many there are."""
    if s.phase == PLACE:
        return free_slots(kit, s, out)
    if s.phase == AIM:
        return enemies(kit, s, out, False)
    if s.phase != MAIN:
        return targets(kit, s, out)
    n = 0
    if s.moves < MOVES:
        n = playable_cards(kit, s, out)
        for slot in range(kit.slots):
            n = offer(out, n, SLOT + slot, can_attack(kit, s, slot))
    out[n] = DONE
    return n + 1


@rule
def playable_cards(kit: Params, s: State, out: Numbers) -> int:
    """Write the cards in hand that the player can play; return how many there are (R7, R9)."""
    hand = s.hand[s.player]
    n = 0
    last = -1
    for i in range(1, hand[0] + 1):
        card = hand[i]
        if card != last and can_play(kit, s, card):
            out[n] = card
            n += 1
        last = card
    return n


@rule
def can_play(kit: Params, s: State, card: int) -> bool:
    """Return whether the player has the energy for a card, and a free slot for a character."""
    if kit.cost[card] > s.energy[s.player]:
        return False
    return kit.kind[card] != CHARACTER or free_slot(kit, s, s.player) >= 0


@rule
def can_attack(kit: Params, s: State, slot: int) -> bool:
    """Return whether the player's character in a slot can attack: it is ready and has attack."""
    if s.row[s.player, slot] == 0 or s.tired[s.player, slot] != READY:
        return False
    return attack_of(kit, s, s.player, slot) > 0


@rule
def free_slots(kit: Params, s: State, out: Numbers) -> int:
    """Write the free slots of the player; return how many there are."""
    n = 0
    for slot in range(kit.slots):
        n = offer(out, n, SLOT + slot, s.row[s.player, slot] == 0)
    return n


@rule
def enemies(kit: Params, s: State, out: Numbers, guards: bool) -> int:
    """Write the enemy characters, or only those with Guard; return how many there are."""
    enemy = 1 - s.player
    n = 0
    for slot in range(kit.slots):
        if s.row[enemy, slot] and (not guards or kit.guard[s.row[enemy, slot] - 1]):
            out[n] = ENEMY + slot
            n += 1
    return n


@rule
def targets(kit: Params, s: State, out: Numbers) -> int:
    """Write what the attacker can attack: the enemies with Guard, or else any enemy and the opponent (R8)."""
    n = enemies(kit, s, out, True)
    if n:
        return n
    n = enemies(kit, s, out, False)
    out[n] = OPPONENT
    return n + 1
