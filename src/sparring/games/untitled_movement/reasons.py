"""Untitled Movement Game: reasons to prefer one action to another."""

from collections.abc import Iterator
from typing import NamedTuple

from sparring.engine.cards import in_order
from sparring.engine.game import Box
from sparring.engine.squares import OFF, SQUARES, STRIDES, distance, square_name
from sparring.scene.sentences import counted

from . import state as R
from .kit import KIND_NAMES
from .moves import direction_of, is_playable, landings, on_goal

#: The kinds of cards that lead towards the opposite side.
FORWARD = tuple(kind for kind, name in enumerate(KIND_NAMES) if name.startswith("forward"))


class _Reach(NamedTuple):
    """What a card can do for a token: whether it reaches a goal, and how many steps closer it gets at most."""

    goal: bool
    closer: int


def reasons_for(box: Box, s: R.State, action: int, other: int) -> list[str]:
    """Return reasons to prefer `action` to `other`, the most important first."""
    match int(s.phase):
        case R.SPACE:
            found = _space(box, s, action - R.TO, other - R.TO)
        case R.TOKEN:
            found = _token(box, s, action - R.PICK, other - R.PICK)
        case R.CARD:
            found = _card(box, s, action, other)
        case R.DISCARD:
            found = _discard(s, action - R.KIND, other - R.KIND)
        case R.TURN:
            found = _turn(box, s, action)
        case R.THREE if action == R.PLACE_NEW:
            found = iter(["Only a roll of 3 lets you place a new token."])
        case _:
            found = iter(())
    return list(found)


def _space(box: Box, s: R.State, here: int, there: int) -> Iterator[str]:
    if on_goal(box.kit, s, s.player, here):
        if not on_goal(box.kit, s, s.player, there):
            yield "That brings a token home."
        return
    near, far = (_steps_left(box, s, square) for square in (here, there))
    if near < far:
        steps = counted(near, "step")
        yield f"From {square_name(here)} it is {steps} to your nearest goal, from {square_name(there)} {far}."
    start = int(s.token[s.player, s.picked])
    left = int(s.moves) - distance(start, here)
    if left > 0 and distance(start, here) < distance(start, there):
        yield f"A shorter move leaves you {counted(left, 'move')} for another card."


def _token(box: Box, s: R.State, here: int, there: int) -> Iterator[str]:
    one, two = (_reach(box, s, token, int(s.card)) for token in (here, there))
    where, elsewhere = (square_name(int(s.token[s.player, token])) for token in (here, there))
    if one.goal and not two.goal:
        yield f"The token on {where} can reach a goal with this card."
    elif one.closer > two.closer and one.closer > 0:
        steps = counted(one.closer, "step")
        yield f"The token on {where} gets up to {steps} closer to a goal, the one on {elsewhere} {_at_most(two)}."


def _card(box: Box, s: R.State, action: int, other: int) -> Iterator[str]:
    if action in (R.NO_MOVE, R.DONE):
        kinds = [kind for kind in in_order(s.hand[s.player]) if is_playable(box.kit, s, s.player, kind)]
        if all(_best(box, s, kind).closer <= 0 for kind in kinds):
            yield "None of the cards that you can play brings a token closer to a goal."
        return
    one, name = _best(box, s, action - R.KIND), KIND_NAMES[action - R.KIND]
    if other in (R.NO_MOVE, R.DONE):
        two, rest = _Reach(False, 0), "."
    else:
        two = _best(box, s, other - R.KIND)
        rest = f", a move {KIND_NAMES[other - R.KIND]} {_at_most(two)}."
    if one.goal and not two.goal:
        yield f"A move {name} can bring a token home now."
    elif one.closer > two.closer and one.closer > 0:
        yield f"A move {name} gets a token up to {counted(one.closer, 'step')} closer to a goal{rest}"


def _discard(s: R.State, kind: int, kept: int) -> Iterator[str]:
    if in_order(s.hand[s.player]).count(kind) > 1:
        yield f"You have another {KIND_NAMES[kind]} card."
    if kept in FORWARD and kind not in FORWARD:
        yield f"Keep {KIND_NAMES[kept]}: it leads towards your goals, {KIND_NAMES[kind]} doesn't."


def _turn(box: Box, s: R.State, action: int) -> Iterator[str]:
    trial = s.copy()
    trial.moves = 3
    stuck = not any(is_playable(box.kit, trial, s.player, kind) for kind in in_order(s.hand[s.player]))
    if action == R.DISCARD_HAND and stuck:
        yield "None of your cards can move a token, whatever you roll."
    elif action == R.ROLL and not stuck:
        trial.moves = 1
        if any(_best(box, trial, kind).goal for kind in in_order(s.hand[s.player])):
            yield "You can bring a token home with any roll."


def _best(box: Box, s: R.State, kind: int) -> _Reach:
    """Return what a card can do for the token it helps most."""
    reach = [_reach(box, s, token, kind) for token in range(R.TOKENS) if s.token[s.player, token] != OFF]
    return _Reach(any(one.goal for one in reach), max((one.closer for one in reach), default=-SQUARES))


def _reach(box: Box, s: R.State, token: int, kind: int) -> _Reach:
    """Return what a card can do for a token; where it can't move, it gets no closer."""
    start = int(s.token[s.player, token])
    bits, stride = int(landings(box.kit, s, s.player, token, kind)), STRIDES[direction_of(s, s.player, kind)]
    squares = [start + step * stride for step in range(1, 4) if bits >> step & 1]
    closer = [_steps_left(box, s, start) - _steps_left(box, s, square) for square in squares]
    return _Reach(any(on_goal(box.kit, s, s.player, square) for square in squares), max(closer, default=-SQUARES))


def _steps_left(box: Box, s: R.State, square: int) -> int:
    return int(box.kit.far[s.side[s.player], square])


def _at_most(reach: _Reach) -> str:
    return f"{reach.closer} at most" if reach.closer > 0 else "none"
