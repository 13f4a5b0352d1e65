"""Five Circles: the effects of a beat on the objects on the table, from a seat's views before and after."""

from sparring.engine.game import Box
from sparring.scene import Effect, win_effects

from .log_sentences import closed_ranks
from .options import SEATS
from .state import FALLING, LANE, SIDE, State


def effects(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: a lane that fights, damage to characters and their destruction, lost life, the winner."""
    found = _fought(before, after, beat)
    found += [Effect("move", target=f"card {card}") for card, _ in closed_ranks(before, after)]
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
    elif beat == "lane" and found and all(effect.kind == "clash" for effect in found):
        found.append(Effect("block", found[0].source, found[0].target, word="No damage"))
    return found if beat else found + win_effects(after)


def _fought(before: State, after: State, beat: str) -> list[Effect]:
    """Return the clash of a lane at its first beat: of two characters, or of one and an empty place."""
    attacker, lane, other = _attacker(after), int(after.lane), 1 - int(after.active)
    if beat not in ("lane", "destroyed", "life lost") or not attacker or not _is_new(before, after):
        return []
    return [Effect("clash", attacker, _in_lane(after, other) or f"lane {lane} of {other}")]


def _is_new(before: State, after: State) -> bool:
    """Return whether the lane that is fought wasn't shown before."""
    return bool(before.window != LANE or before.lane < after.lane)


def _in_lane(s: State, seat: int) -> str:
    """Return the key of a seat's character in the lane that is fought; empty if there is none."""
    card = int(s.row[seat * SIDE + s.lane]) if s.window == LANE and s.lane else 0
    return f"card {card - 1}" if card else ""


def _attacker(s: State) -> str:
    return _in_lane(s, int(s.active))


def _opponent(s: State, card: int) -> str:
    """Return the key of the other character in the lane of a character that is hit; empty outside combat."""
    sides = [_in_lane(s, seat) for seat in range(SEATS)]
    return sides[1 - sides.index(f"card {card}")] if f"card {card}" in sides else ""
