"""Five Circles: what a beat does to the objects on the table, from the views of a seat before and after."""

from typing import Any

from sparring.engine.game import Box
from sparring.scene import Effect

from .state import FALLING, LANE, SEATS, SIDE


def effects(box: Box, before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: damage and destruction of characters, lost life, a lane without damage, the winner."""
    found = []
    in_play = [card for card in range(box.kit.characters) if after.at[card]]
    for card in in_play:
        damage = int(after.damage[card] - before.damage[card]) if before.at[card] else 0
        if damage > 0:
            found.append(Effect("hit", _opponent(after, card), f"card {card}", damage))
    for loser in range(SEATS):
        lost = int(before.life[loser] - after.life[loser])
        if lost > 0:
            found.append(Effect("hit", _attacker(after) if loser != after.active else "", f"life {loser}", lost))
    if beat == "destroyed":
        found += [Effect("destroy", target=f"card {card}") for card in in_play if after.status[card] & FALLING]
    elif beat == "lane" and not found and (before.window != LANE or before.lane < after.lane):
        attacker = _attacker(after)
        if attacker:
            found.append(
                Effect("block", attacker, _in_lane(after, 1 - int(after.active)) or f"seat {2 - after.active}")
            )
    if after.over and not beat:
        found += [Effect("win", target=f"seat {i + 1}") for i in range(SEATS) if after.payoff[i] > 0]
    return found


def _in_lane(s: Any, seat: int) -> str:
    """Return the key of a seat's character in the lane that is fought; empty if there is none."""
    card = int(s.row[seat * SIDE + s.lane]) if s.window == LANE and s.lane else 0
    return f"card {card - 1}" if card else ""


def _attacker(s: Any) -> str:
    return _in_lane(s, int(s.active))


def _opponent(s: Any, card: int) -> str:
    """Return the key of the other character in the lane of a character that is hit; empty outside combat."""
    sides = [_in_lane(s, seat) for seat in range(SEATS)]
    return sides[1 - sides.index(f"card {card}")] if f"card {card}" in sides else ""
