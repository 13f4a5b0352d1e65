"""World of Fighters: the effects of a beat on the objects on the table, from a seat's views before and after."""

from sparring.engine.game import Box
from sparring.scene import Effect

from . import moves
from . import state as R
from .kit import SEATS
from .moves import score_parts


def effects(box: Box, before: R.State, action: int | None, after: R.State, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: moves, a called or performed super, blows, a fighter thrown out, the end."""
    found = [Effect("move", target=_token(i)) for i in range(SEATS) if _has_moved(before, after, i)]
    found += _called(before, after, beat)
    first = int(moves.first_mover(after))
    if beat in ("first blow", "second blow"):
        found += _blow(box, before, after, first if beat == "first blow" else 1 - first)
    elif beat == "counter":
        found.append(_landed(before, after, int(before.player)))
    elif beat == "thrown out":
        throwing = [i for i in (first, 1 - first) if moves.forces_ring_out(box.kit, after, i)]
        found += [Effect(kind, _token(i), _token(1 - i)) for i in throwing for kind in ("hit", "throw")]
    elif beat == "two blocks":
        found += [Effect("block", _token(1 - i), _token(i)) for i in range(SEATS)]
    if after.over and not beat:
        if after.ending in (R.KNOCK_OUT, R.RING_OUT):
            found.append(Effect("call_out", target="banner end"))
        found += [Effect("win", target=f"seat {i + 1}") for i in range(SEATS) if after.payoff[i] > 0]
    return found


def _token(seat: int) -> str:
    return f"token {seat + 1}"


def _has_moved(before: R.State, after: R.State, seat: int) -> bool:
    return before.phase == R.MOVE and bool(before.square[seat] != after.square[seat]) and not after.over


def _called(before: R.State, after: R.State, beat: str) -> list[Effect]:
    """Return the call of the super that the banner shows: announced, or performed."""
    for seat in range(SEATS):
        if beat and after.performed[seat] and not before.performed[seat]:
            return [Effect("call_out", _token(seat), f"banner super {seat} {after.turn}")]
        if after.phase == R.MOVE and before.phase != R.MOVE and after.called[seat] and not any(after.performed):
            return [Effect("call_out", _token(seat), f"banner call {seat} {after.turn}")]
    return []


def _blow(box: Box, before: R.State, shown: R.State, attacker: int) -> list[Effect]:
    """Return an attack's effects: out of range, a hit, or a score that meets a Block's, which stops it or not."""
    other = 1 - attacker
    if not score_parts(box, shown, attacker):
        return [Effect("miss", _token(attacker), _token(other))]
    if shown.action[other] != R.BLOCK:
        return [_landed(before, shown, attacker)]
    landed = _landed(before, shown, attacker, "block")
    return [Effect("clash", f"laid {attacker}", f"laid {other}", 1 if landed.kind == "hit" else -1), landed]


def _landed(before: R.State, after: R.State, attacker: int, otherwise: str = "miss") -> Effect:
    lost = int(before.health[1 - attacker] - after.health[1 - attacker])
    return Effect("hit" if lost else otherwise, _token(attacker), _token(1 - attacker))  # the token shows the number
