"""World of Fighters: reasons why a choice is not legal."""

from sparring.engine.game import Box
from sparring.scene.sentences import counted

from . import state as R
from .log_sentences import fighter, kind_name


def why_not(box: Box, s: R.State, action: int) -> str:
    """Return one sentence: why `s.player` can't make this choice now."""
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
        return "You can't pass here; you can only skip a Counter."
    return "There is no super to claim now."


def _why_not_fighter(box: Box, s: R.State, number: int) -> str:
    if s.phase != R.PICK:
        return "Both fighters are already picked."
    if number >= len(box.content.fighters):
        return f"There are only {len(box.content.fighters)} fighters."
    return f"{box.content.fighters[number].name} is already taken."


def _why_not_movement(s: R.State, card: int) -> str:
    if s.phase == R.MOVE_CARD:
        return f"Move {card} rests this round; you used it in the last one."
    if s.phase == R.ACTION_CARD:
        return "You have played a Movement card; now play an Action card."
    return "You can't play a Movement card now."


def _why_not_card(box: Box, s: R.State, block: str, kind: int) -> str:
    if s.phase == R.MOVE_CARD:
        return "First play a Movement card."
    if s.phase == R.COUNTER:
        if kind == R.BLOCK:
            return "You can't counter with a Block."
        return "A Counter can't be a super." if block == "call" else f"You have no {kind_name(kind)} to counter with."
    if block == "counter":
        return "There is nothing to counter."
    if s.phase != R.ACTION_CARD:
        return "You can't play an Action card now."
    if block == "call":
        return _why_not_call(box, s, kind)
    return f"You have no {kind_name(kind)}."


def _why_not_call(box: Box, s: R.State, kind: int) -> str:
    card = fighter(box, s, int(s.player))
    if box.options["super_call"] == "reveal":
        return "At this table you claim a super when the cards are revealed."
    if kind != card.super_kind:
        return f"{card.super} needs a {kind_name(card.super_kind)}."
    if s.super_used[s.player]:
        return f"You have already used {card.super} in this match."
    if s.health[s.player] > R.SUPER_HEALTH:
        return f"You can call a super only at {R.SUPER_HEALTH} health or less; you have {int(s.health[s.player])}."
    return f"You have no {kind_name(kind)} for {card.super}."


def _why_not_square(box: Box, s: R.State, square: int) -> str:
    if s.phase != R.MOVE:
        return "You can't move your fighter now."
    steps = int(s.movement[s.player])
    if square == s.square[s.player]:
        return "You must leave your square."
    if square == s.square[1 - s.player]:
        return "Your opponent is there."
    how = ("exactly " if box.options["movement"] == "exact" else "up to ") + counted(steps, "square")
    return f"Move {how} in a straight line, not through your opponent."
