"""Make Your Moves: the effects of a beat on the objects on the table, from a seat's views before and after."""

from typing import Any

from sparring.engine.game import Box
from sparring.scene import Effect

from . import state as R
from .log_sentences import powers


def effects(box: Box, before: Any, action: int | None, after: Any, seat: int, beat: str = "") -> list[Effect]:
    """Return the effects: the attack's name, the totals that meet, the blow, points, cards drawn, the winner."""
    if action == R.DONE and before.phase == R.ATTACK and after.attack[0]:
        return [Effect("call_out", target=f"banner move {after.turn}")]
    if beat == "compared":
        lead = sum(powers(box, after.attack, after.help_attack)) - sum(powers(box, after.defence, after.help_defence))
        target = "defence" if after.defence[0] else f"seat {after.defender + 1}"
        clash = Effect("clash", "attack", "defence", lead or -1)  # the defence wins ties
        return [clash, Effect("hit" if lead > 0 else "block", "attack", target)]
    if beat == "countered":
        return [Effect("block", "fours", "attack")]
    if beat == "scored":
        kind = "score" if box.options["match"] == "points" else "hit"
        gained = [i for i in range(after.seats) if after.points[i] > before.points[i]]
        return [Effect(kind, target=f"points {i}", amount=1) for i in gained]
    if after.over:
        return [Effect("win", target=f"seat {i + 1}") for i in range(after.seats) if after.payoff[i] > 0]
    drawn = [int(after.hand[i, 0] - before.hand[i, 0]) for i in range(after.seats)] if action is None else []
    return [Effect("draw", target=f"seat {i + 1}", amount=count) for i, count in enumerate(drawn) if count > 0]
