"""Card Duel: the effects of a beat on the objects on the table, from a seat's views before and after."""

from sparring.engine.game import Box
from sparring.scene import Effect

from . import state as S
from .kit import SEATS


def effects(box: Box, before: S.State, action: int | None, after: S.State, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: who strikes whom, damage, defeat, lost life, points, cards drawn, the winner."""
    found = _strikes(box, before, action, beat)
    for owner in range(SEATS):
        for slot in range(int(box.kit.slots)):
            found += _character(before, after, owner, slot)
        lost = int(before.life[owner] - after.life[owner])
        scored = int(after.points[owner] - before.points[owner])
        drawn = int(before.deck[owner, 0] - after.deck[owner, 0])
        if lost > 0:
            found.append(Effect("hit", target=f"life {owner}", amount=lost))
        if scored > 0:
            found.append(Effect("score", target=f"points {owner}", amount=scored))
        if drawn > 0 and owner != seat:
            found.append(Effect("draw", target=f"seat {owner + 1}", amount=drawn))
    if after.over and not beat:
        found += [Effect("win", target=f"seat {i + 1}") for i in range(SEATS) if after.payoff[i] > 0]
    return found


def slot_key(seat: int, slot: int) -> str:
    """Return the key of a slot and of the character in it."""
    return f"slot {slot + 1} of {seat}"


def _strikes(box: Box, s: S.State, action: int | None, beat: str) -> list[Effect]:
    """Return the clash of an attacker with what it attacks, if the strike follows the choice at once."""
    if beat != "struck" or action is None:
        return []
    player, enemy = int(s.player), 1 - int(s.player)
    block, number = S.ACTIONS.name_of(action)
    attacker = int(s.attacker) - 1 if s.phase == S.TARGET else number
    if block == "enemy" or (box.kit.combat == S.LANES and s.row[enemy, attacker]):
        target = number if block == "enemy" else attacker
        return [Effect("clash", slot_key(player, attacker), slot_key(enemy, target))]
    return [Effect("clash", slot_key(player, attacker), f"seat {enemy + 1}")]


def _character(before: S.State, after: S.State, seat: int, slot: int) -> list[Effect]:
    """Return what happens to the character that was in a slot."""
    if not before.row[seat, slot]:
        return []
    key = slot_key(seat, slot)
    if not after.row[seat, slot]:
        return [Effect("destroy", target=key)]
    if after.row[seat, slot] != before.row[seat, slot]:
        return []
    damage = int(after.damage[seat, slot] - before.damage[seat, slot])
    if damage > 0:
        return [Effect("hit", target=key, amount=damage)]
    return [Effect("block", target=key, word="Shield")] if after.shield[seat, slot] < before.shield[seat, slot] else []
