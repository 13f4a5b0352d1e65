"""Beats: what people should see on the way from one choice to the next, and what is said of it.

A choice often sets off more than one thing: cards are compared, a point is given, the table is cleared. A rule marks
each state that deserves to be seen with `beat`; between two choices every seat then sees those states one after the
other, redacted like everything else, and last the table at rest. Each comes with its sentences.

A beat is seen by everybody at the table, so it may stand only in a choice that ends the moment.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from .rule import machine_code, rule


class MarkedBeat(NamedTuple):
    """A state that a rule marked: which of the game's BEATS it is, and a copy of the true state."""

    number: int
    state: Any


_marks: ContextVar[list[MarkedBeat] | None] = ContextVar("_marks", default=None)


def _nothing(s: Any, number: Any) -> None:
    """What a beat is in machine code, where nobody looks on."""


@rule
@machine_code(_nothing)
def beat(s: Any, number: int) -> None:
    """The state as it is now should be seen: number `number` of the game's BEATS. Changes nothing."""
    marks = _marks.get()
    if marks is not None:
        marks.append(MarkedBeat(int(number), s.copy()))


@contextmanager
def watched() -> Iterator[list[MarkedBeat]]:
    """The list of all beats that rules mark inside."""
    marks: list[MarkedBeat] = []
    token = _marks.set(marks)
    try:
        yield marks
    finally:
        _marks.reset(token)
