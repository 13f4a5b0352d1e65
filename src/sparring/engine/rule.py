"""Define rules (functions that run interpreted and compiled), record types, action spaces, and beats.

One action often has several effects: cards are compared, a point is scored, the table is cleared. A rule marks each
state worth showing with `beat`. Between two decisions every seat sees the marked states in order, redacted as always,
and then the state in which a player must act.

Every seat sees a beat, so an action that marks one must end the moment (law 9).
"""

import copyreg
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np

from .types import AnyState, Numbers, PerSeat

F = TypeVar("F", bound=Callable[..., Any])

#: A field of a record: name, NumPy type, and for an array its length or shape.
Field = tuple[str, str] | tuple[str, str, int | tuple[int, ...]]


def rule(function: F) -> F:
    """Mark a function as a rule: plain Python when called from Python, compiled when called from compiled code.

    A rule may use records, arrays, integers, floats, module constants and other rules. Anything else does not compile.
    """
    function.is_rule = True  # type: ignore[attr-defined]
    return function


def machine_code(instead: Callable[..., Any]) -> Callable[[F], F]:
    """Mark a rule that compiled code replaces by `instead`, a function with the same parameters."""

    def mark(function: F) -> F:
        function.machine_code = instead  # type: ignore[attr-defined]
        return function

    return mark


class RecordClass(type):
    """The class of record types. Pickle saves a record type as the names of its fields, because modules don't name it.

    Records, and arrays and dtypes of them, are then pickled by NumPy.
    """


class StateRecord(np.record):  # type: ignore[misc]  # its stub is final, the class is not
    """A record whose fields are attributes; access and copying are much faster than with `np.record`.

    Each record type has its own subclass with a property per field (see `record_dtype`).
    """

    __getattribute__ = np.void.__getattribute__
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]  # NumPy's own only wraps it

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def copy(self) -> "StateRecord":  # type: ignore[override]  # bytes have one order only
        """Return a copy of all bytes at once; NumPy copies field by field."""
        return np.frombuffer(bytearray(self.tobytes()), self.dtype)[0]  # type: ignore[no-any-return]

    def __copy__(self) -> "StateRecord":
        return self.copy()

    def __deepcopy__(self, _memo: object) -> "StateRecord":
        return self.copy()


@cache
def record_class(*names: str) -> RecordClass:
    """Return the class of records with these fields."""
    return RecordClass("Record", (StateRecord,), {name: property(itemgetter(name)) for name in names})


def _reduce_class(kind: Any) -> Any:
    """Return how pickle rebuilds a record type."""
    return record_class, tuple(name for name, value in vars(kind).items() if isinstance(value, property))


copyreg.pickle(RecordClass, _reduce_class)


def record_dtype(fields: Sequence[Field]) -> np.dtype[Any]:
    """Return a dtype whose scalars have their fields as attributes.

    Wide fields come first and the end is padded. So all fields are aligned without gaps, whose bytes would be
    undefined. Raises ValueError for a name that NumPy records reserve.
    """
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise ValueError(f"A field can't be called {name}: NumPy records have an attribute of that name.")
    ordered = sorted(fields, key=lambda field: -np.dtype(field[1]).itemsize)
    spare = -np.dtype(ordered).itemsize % 8
    if spare:
        ordered.append(("filler", "u1", spare))
    kind = record_class(*(name for name, *_ in ordered))
    return np.dtype((kind, np.dtype(ordered, align=True)))


def blank(dtype: np.dtype[Any]) -> Any:
    """Return a record of zeros."""
    return np.zeros(1, dtype)[0]


class ActionSpace:
    """The numbering of a game's actions: named blocks, one after the other, from 0.

    >>> actions = ActionSpace(card=80, target=6, done=1)
    >>> actions.starts
    (0, 80, 86)
    >>> actions.name_of(82)
    ('target', 2)
    """

    def __init__(self, **blocks: int) -> None:
        self.blocks = blocks
        starts = np.cumsum([0, *blocks.values()]).tolist()
        self.starts: tuple[int, ...] = tuple(starts[:-1])
        self.total: int = starts[-1]
        self._names = [(name, index) for name, size in blocks.items() for index in range(size)]

    def __len__(self) -> int:
        return self.total

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.total))

    def name_of(self, action: int) -> tuple[str, int]:
        """Return the block of an action, and its index in the block."""
        return self._names[action]


@rule
def zeros(shape: int | tuple[int, ...], dtype: Any) -> Any:
    """Return an array of zeros for use inside a rule, with a constant shape.

    Unlike an array that NumPy makes, it is on the stack in compiled code (see `compilation.vectors`). A rule that
    returns it is compiled as if NumPy had made it.
    """
    return np.zeros(shape, dtype)


@rule
def offer(out: Numbers, n: int, action: int, is_legal: int) -> int:
    """Write an action to `out[n]` and return the number of actions in `out`: `n` if it is not legal, else one more.

    Without a branch, which the processor would often predict wrongly. `out` has room for an action that isn't legal.
    """
    out[n] = action
    return n + int(is_legal)


@rule
def public_action(params: object, s: AnyState, action: int, seat: int) -> int:
    """Return the action: an `observe_action` for games in which every seat sees all actions."""
    return action


@rule
def no_private_observation(params: object, s: AnyState, seat: int) -> int:
    """Return 0: a `private_observation` for games in which searches need no private observations."""
    return 0


@rule
def clockwise(s: AnyState, seat: int) -> int:
    """Return the next seat clockwise; seat 0 follows the last one."""
    return 0 if seat + 1 == s.seats else seat + 1


@rule
def seat_after(s: AnyState, seat: int, places: int) -> int:
    """Return the seat that is `places` places clockwise, for `places` less than the number of seats."""
    seat += places
    return seat - s.seats if seat >= s.seats else seat


@rule
def seats_with_most(s: AnyState, values: PerSeat[int]) -> int:
    """Return the seats with the highest of these values, one for each seat, as a bit set (bit 0 is seat 0)."""
    most = values[0]
    ahead = 0
    for seat in range(s.seats):
        if values[seat] > most:
            most = values[seat]
            ahead = 0
        if values[seat] == most:
            ahead |= 1 << seat
    return ahead


@rule
def finish(s: AnyState, ending: int, winners: int) -> None:
    """End the match: losers pay 1 each, and the winners (a bit set; bit 0 is seat 0) share it.

    If no seat or every seat wins, it is a draw: all payoffs are 0.
    """
    won = 0
    for seat in range(s.seats):
        won += (winners >> seat) & 1
    for seat in range(s.seats):
        if won == 0:
            s.payoff[seat] = 0.0
        elif (winners >> seat) & 1:
            s.payoff[seat] = (s.seats - won) / won
        else:
            s.payoff[seat] = -1.0
    close(s, ending)


@rule
def close(s: AnyState, ending: int) -> None:
    """End the match with the payoffs that are set already, for a game with `Payoffs`."""
    s.over += 1  # so that law 2 detects a match that ends twice
    s.ending = ending
    s.moment += 1


@rule
def end_moment(s: AnyState) -> None:
    """End the moment, so that earlier actions cannot be taken back: a seat learns something, or another must act."""
    s.moment += 1


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
