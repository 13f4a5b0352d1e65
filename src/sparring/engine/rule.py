"""What a rule function is, what every state begins with, and how the choices of a game are numbered."""

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

#: A field of a record: name, NumPy type, and for an array its length or shape.
Field = tuple[str, str] | tuple[str, str, int | tuple[int, ...]]


def rule(function: F) -> F:
    """Mark a function as a rule: ordinary Python when called, compiled when compiled code calls it.

    A rule may use records, arrays, integers, floats, module constants and other rules; nothing else compiles.
    """
    function.is_rule = True  # type: ignore[attr-defined]
    return function


def machine_code(instead: Callable[..., Any]) -> Callable[[F], F]:
    """Mark a rule that is something else in machine code: `instead`, a function of the same parameters."""

    def mark(function: F) -> F:
        function.machine_code = instead  # type: ignore[attr-defined]
        return function

    return mark


def state_dtype(seats: int, fields: Sequence[Field]) -> np.dtype[Any]:
    """The record type of a game's state: the header that all games share, then the game's own `fields`.

    The header: `rng` (the generator, see `chance`), `seats` (how many play), `player` (the seat that chooses,
    counted from 0), `phase`, `turn`, `moment` (counts up whenever anybody learns something or another seat must
    act), `over`, `ending` (which of the game's endings), `payoff` (one per seat, at most `seats`).
    """
    header: list[Field] = [
        ("rng", "i8", 4), ("payoff", "f8", seats), ("moment", "i4"), ("turn", "i4"),
        ("seats", "i2"), ("player", "i2"), ("phase", "i2"), ("over", "i2"), ("ending", "i2"),
    ]  # fmt: skip
    return record_dtype([*header, *fields])


class StateRecord(np.record):  # type: ignore[misc]  # its stub is final, the class is not
    """A record whose fields are attributes, found and copied at a fraction of the price that NumPy's own takes for it.

    Each record type has a class of its own with a property for each field: see `record_dtype`.
    """

    __getattribute__ = np.void.__getattribute__
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]  # NumPy's own only wraps it

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def copy(self) -> "StateRecord":  # type: ignore[override]  # bytes have one order only
        """The same once more: all bytes at once, where NumPy copies field by field."""
        return np.frombuffer(bytearray(self.tobytes()), self.dtype)[0]  # type: ignore[no-any-return]


def record_dtype(fields: Sequence[Field]) -> np.dtype[Any]:
    """A record type whose scalars have their fields as attributes.

    The wide fields come first and the end is filled up: aligned without gaps, whose bytes could be anything.
    """
    for name, *_ in fields:
        if hasattr(np.record, name):
            raise ValueError(f"A field cannot be called {name}: NumPy means something else by it.")
    ordered = sorted(fields, key=lambda field: -np.dtype(field[1]).itemsize)
    spare = -np.dtype(ordered).itemsize % 8
    if spare:
        ordered.append(("filler", "u1", spare))
    kind = type("Record", (StateRecord,), {name: property(itemgetter(name)) for name, *_ in ordered})
    return np.dtype((kind, np.dtype(ordered, align=True)))


def blank(dtype: np.dtype[Any]) -> np.record:
    """A record of zeros."""
    return np.zeros(1, dtype)[0]  # type: ignore[no-any-return]


class ActionSpace:
    """The numbering of a game's choices: named blocks, one after the other, from 0.

    >>> actions = Actions(card=80, target=6, done=1)
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
        """The block an action belongs to, and its place in it."""
        return self._names[action]


@rule
def no_private_observation(kit, s, seat):
    """The `news` of a game whose seats do not part their thoughts by what they learn (see `bots.search`)."""
    return 0


@rule
def clockwise(s, seat):
    """The seat after this one; seat 0 follows the last."""
    return 0 if seat + 1 == s.seats else seat + 1


@rule
def places_on(s, seat, places):
    """The seat so many places clockwise, less than once round."""
    seat += places
    return seat - s.seats if seat >= s.seats else seat


@rule
def finish(s, ending, winners):
    """End the match: losers pay 1 each, the winners (bits, seat 0 lowest) share it; nobody or all: a draw."""
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
def close(s, ending):
    """End the match with the payoffs that stand there already: for a game that pays other than wins and losses."""
    s.over += 1  # who ends a match twice is found by it (law 2)
    s.ending = ending
    s.moment += 1


@rule
def end_moment(s):
    """Somebody learns something, or somebody else must act: what was chosen before cannot be taken back."""
    s.moment += 1
