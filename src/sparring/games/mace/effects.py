"""MACE: the effects of a beat on the objects on the table, from a seat's views before and after."""

from sparring.engine.game import Box
from sparring.scene import Effect

from .state import ACTIONS, State


def effects(box: Box, before: State, action: int | None, after: State, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: moves, an attack at its target, a Knockback, a Fighter Down or out, the winner."""
    seats = range(int(after.seats))
    match beat:
        case "compared":
            attack, defended = _attack(after), _defence(after) in ("block", "dodge")
            totals = (int(after.attack), int(after.defence)) if defended else ()
            clash = Effect("clash", attack.source, attack.target, 1 if attack.kind == "hit" else -1, totals)
            return [attack] if after.blasting and not defended else [clash, attack]
        case "knocked back":
            return [Effect("move", _fighter(int(after.active)), _fighter(int(after.knocked)))]
        case "down":
            return [Effect("hit", target=_fighter(int(after.target)))]
        case "out":
            return [Effect("hit", target=_fighter(i)) for i in seats if after.out[i] and not before.out[i]]
    if after.over:
        return [Effect("win", target=f"seat {i + 1}") for i in seats if after.payoff[i] > 0]
    return [Effect("move", target=_fighter(i)) for i in seats if not after.out[i] and after.at[i] != before.at[i]]


def _fighter(seat: int) -> str:
    return f"fighter {seat}"


def _attack(s: State) -> Effect:
    """Return the effect of an attack: the Damage that is left, a Block that stops it, or a Dodge."""
    ends, damage = (_fighter(int(s.active)), _fighter(int(s.target))), int(s.damage)
    stopped = "block" if _defence(s) == "block" else "miss"
    return Effect("hit" if damage else stopped, *ends, damage)


def _defence(s: State) -> str:
    """Return how the target defends: `block`, `dodge`, `take`, or something else if it can't."""
    return ACTIONS.name_of(int(s.defence_by))[0]
