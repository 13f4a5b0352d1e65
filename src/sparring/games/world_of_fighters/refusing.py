"""World of Fighters: why something cannot be chosen, in one kind sentence."""

from typing import Any

from sparring.engine.game import Box

from . import state as R
from .telling import fighter, kind_name


def why_not(box: Box, s: Any, action: int) -> str:
    """One kind sentence: why `s.player` may not choose this now."""
    block, number = R.ACTIONS.name_of(action)
    if block == "fighter":
        return _why_not_fighter(box, s, number)
    if block == "movement":
        return _why_not_movement(s, number + 1)
    if block in ("card", "call", "counter"):
        return _why_not_card(box, s, block, number + 1)
    if block == "square":
        return _why_not_square(box, s, number)
    if block == "skip":
        return "You cannot pass here; only a Counter can be left out."
    return "No super is to be claimed now."


def _why_not_fighter(box: Box, s: Any, number: int) -> str:
    if s.phase != R.PICK:
        return "The fighters have been picked."
    if number >= len(box.content.fighters):
        return f"There are only {len(box.content.fighters)} fighters."
    return f"{box.content.fighters[number].name} is taken."


def _why_not_movement(s: Any, card: int) -> str:
    if s.phase == R.MOVE_CARD:
        return f"Movement {card} rests this round; you used it in the last one."
    if s.phase == R.ACTION_CARD:
        return "Your Movement card is laid; now choose an Action card."
    return "No Movement card is to be laid now."


def _why_not_card(box: Box, s: Any, block: str, kind: int) -> str:
    if s.phase == R.MOVE_CARD:
        return "First choose a Movement card."
    if s.phase == R.COUNTER:
        if kind == R.BLOCK:
            return "A Block cannot be a Counter."
        return "A Counter is never a super." if block == "call" else f"You hold no {kind_name(kind)} to counter with."
    if block == "counter":
        return "There is nothing to counter."
    if s.phase != R.ACTION_CARD:
        return "No Action card is to be laid now."
    if block == "call":
        return _why_not_call(box, s, kind)
    return f"You hold no {kind_name(kind)}."


def _why_not_call(box: Box, s: Any, kind: int) -> str:
    this = fighter(box, s, int(s.player))
    if box.options["super_call"] == "reveal":
        return "At this table a super is claimed when the cards are shown."
    if kind != this.super_kind:
        return f"{this.super} is called with a {kind_name(this.super_kind)}."
    if s.super_used[s.player]:
        return f"You have used {this.super} in this match."
    if s.health[s.player] > R.SUPER_HEALTH:
        return f"A super takes a health of {R.SUPER_HEALTH} or less; you have {int(s.health[s.player])}."
    return f"You hold no {kind_name(kind)} for {this.super}."


def _why_not_square(box: Box, s: Any, square: int) -> str:
    if s.phase != R.MOVE:
        return "No fighter is to be moved now."
    steps = int(s.movement[s.player])
    if square == s.square[s.player]:
        return "You have to leave your square."
    if square == s.square[1 - s.player]:
        return "Your opponent stands there."
    how = f"exactly {steps}" if box.options["movement"] == "exact" else f"up to {steps}"
    return f"You move {how} straight, in any of eight directions, and not through your opponent."
