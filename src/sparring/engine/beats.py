"""Beats: intermediate states that players see between two decisions.

One action often has several effects: cards are compared, a point is scored, the table is cleared. A rule marks each
state worth showing with `beat`. Between two decisions every seat sees the marked states in order, redacted as always,
and then the state in which a player must act.

Every seat sees a beat, so an action that marks one must end the moment (law 9).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from .rule import machine_code, rule
from .types import AnyState


class MarkedBeat(NamedTuple):
    """A marked state: its index into the game's BEATS, and a copy of the full state."""

    number: int
    state: Any


_marks: ContextVar[list[MarkedBeat] | None] = ContextVar("_marks", default=None)


def _nothing(s: AnyState, number: object) -> None:
    """Do nothing: compiled code has no viewers."""


@rule
@machine_code(_nothing)
def beat(s: AnyState, number: int) -> None:
    """Mark the current state to be shown, as beat `number` of the game's BEATS. The state does not change."""
    marks = _marks.get()
    if marks is not None:
        marks.append(MarkedBeat(int(number), s.copy()))


@contextmanager
def collect_beats() -> Iterator[list[MarkedBeat]]:
    """Collect the beats that rules mark inside the context."""
    marks: list[MarkedBeat] = []
    token = _marks.set(marks)
    try:
        yield marks
    finally:
        _marks.reset(token)
