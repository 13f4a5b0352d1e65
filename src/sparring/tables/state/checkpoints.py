"""Checkpoints: stored transitions, so that a long match loads without replaying all its choices.

A match is defined by its seed and its choices; a checkpoint only caches the transitions. It names the rules and the
state layout that it was made with, and is ignored by any others.
"""

import hashlib
import zlib
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import msgspec
import numpy as np

from sparring.engine.match import Match
from sparring.engine.rule import MarkedBeat
from sparring.engine.views import Transition

from .changes import append_last

#: Choices per checkpoint. Most matches are shorter and have none.
LENGTH = 512
FORMAT = 1


class Checkpoint(msgspec.Struct):
    """A run of transitions: the actions, why each was the only choice, their beats, and consecutive states."""

    made_with: str
    #: How many choices came before.
    begins: int
    actions: list[int]
    only: list[str]
    #: The numbers of the beats of each choice.
    marks: list[list[int]]
    #: The states of the beats and the state after each choice, as XOR differences from the state before.
    states: bytes


def made_with(match: Match, end: int) -> str:
    """Return a digest of what a checkpoint that ends after `end` choices depends on.

    That is the rules' version, the state layout, and the new deals before its last choice.
    """
    game = match.game
    layout = f"{FORMAT} {version('sparring')} {game.name} {game.version} {game.rules.State.dtype.descr}"
    layout += str([deal for deal in match.start.deals if deal.after < end])
    return hashlib.blake2b(layout.encode(), digest_size=16).hexdigest()


def encode(match: Match, begins: int, transitions: Sequence[Transition]) -> bytes:
    """Encode a checkpoint of transitions that begin after `begins` choices."""
    states = [transitions[0].before]
    for each in transitions:
        states += [*(mark.state for mark in each.marks), each.after]
    rows = np.stack([np.frombuffer(state.tobytes(), np.uint8) for state in states])
    checkpoint = Checkpoint(
        made_with(match, begins + len(transitions)), begins,
        [each.action for each in transitions], [each.forced_reason for each in transitions],
        [[mark.number for mark in each.marks] for each in transitions],
        zlib.compress((rows[1:] ^ rows[:-1]).tobytes(), 1),
    )  # fmt: skip
    return msgspec.msgpack.encode(checkpoint)


def decode(match: Match, text: bytes, begins: int, before: Any, actions: Sequence[int]) -> list[Transition]:
    """Decode a checkpoint that starts from state `before`; return nothing if it fits other rules or other choices."""
    try:
        checkpoint = msgspec.msgpack.decode(text, type=Checkpoint)
        end = begins + len(checkpoint.actions)
        expected = (made_with(match, end), begins, list(actions[: len(checkpoint.actions)]))
        if (checkpoint.made_with, checkpoint.begins, checkpoint.actions) != expected:
            return []
        size = match.game.rules.State.dtype.itemsize
        differences = np.frombuffer(zlib.decompress(checkpoint.states), np.uint8).reshape(-1, size)
    except (msgspec.MsgspecError, zlib.error, ValueError):
        return []
    first = np.frombuffer(before.tobytes(), np.uint8)
    rows = np.bitwise_xor.accumulate(np.concatenate([first[None], differences]), axis=0)
    states = iter(np.ascontiguousarray(rows).view(match.game.rules.State.dtype)[1:, 0])
    transitions = list[Transition]()
    for action, only, numbers in zip(checkpoint.actions, checkpoint.only, checkpoint.marks, strict=True):
        marks = tuple(MarkedBeat(number, next(states).copy()) for number in numbers)
        transitions.append(Transition(before, action, only, marks, next(states).copy()))
        before = _state_before_next(match, transitions, begins)
    return transitions


def _state_before_next(match: Match, transitions: Sequence[Transition], begins: int = 0) -> Any:
    """Return the state after the last transition, or the one that a new deal there makes of it."""
    state, played = transitions[-1].after, begins + len(transitions)
    if not match.dealt_after(played):
        return state
    state = state.copy()
    match.redraw(state, played)
    return state


def replay(match: Match, actions: Sequence[int], stored: Sequence[bytes]) -> list[Transition]:
    """Play the actions of a newly dealt match, as far as its checkpoints don't hold them; return all transitions."""
    transitions = list[Transition]()
    for checkpoint in stored:
        before = _state_before_next(match, transitions) if transitions else match.state.copy()
        decoded = decode(match, checkpoint, len(transitions), before, actions[len(transitions) :])
        if not decoded:
            break
        transitions += decoded
    match.continue_from(transitions)
    for action in actions[len(transitions) :]:
        match.choose(action)
        append_last(match, transitions)
    return transitions
