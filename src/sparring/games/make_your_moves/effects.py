"""Make Your Moves: the effects of a beat on the objects on the table, from a seat's views before and after."""

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.scene import Effect

from . import state as R
from .components import powers


def effects(box: Box, before: R.State, action: int | None, after: R.State, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: the attack's name, the totals that meet, the blow, points, cards drawn, the winner."""
    if action == R.DONE and before.phase == R.ATTACK and after.attack[0]:
        return [Effect("call_out", target=f"banner move {after.turn}")]
    if action in (R.ATTACKER, R.DEFENDER) and before.phase == R.ASSIST_SIDE and not beat:
        return [Effect("draw", target=f"card {in_order(before.helping)[0]}", amount=sum(powers(box, before.helping)))]
    if beat == "compared":
        return _compared(box, after)
    if beat == "countered":
        return [Effect("block", "fours", "attack", word="Countered!")]
    if beat == "scored":
        kind = "score" if box.options["match"] == "points" else "hit"
        gained = [i for i in range(after.seats) if after.points[i] > before.points[i]]
        return [Effect(kind, target=f"points {i}", amount=1) for i in gained]
    if after.over:
        return [Effect("win", target=f"seat {i + 1}") for i in range(after.seats) if after.payoff[i] > 0]
    drawn = [int(after.hand[i, 0] - before.hand[i, 0]) for i in range(after.seats)] if action is None else []
    return [Effect("draw", target=f"seat {i + 1}", amount=count) for i, count in enumerate(drawn) if count > 0]


def _compared(box: Box, s: R.State) -> list[Effect]:
    """Return the totals that meet, and the side that is hit, blocks or is beaten."""
    lead = sum(powers(box, s.attack, s.help_attack)) - sum(powers(box, s.defence, s.help_defence))
    if lead < 0:
        return [Effect("clash", "attack", "defence", lead), Effect("block", "defence", "attack", word="Beaten")]
    target = "defence" if s.defence[0] else f"seat {s.defender + 1}"
    return [Effect("clash", "attack", "defence", lead), Effect("hit" if lead else "block", "attack", target)]
