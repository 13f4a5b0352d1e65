"""The types that rules see, for the type checker: state records have NumPy's arrays and numbers as their fields.

At run time no object has these types. A number of a record is a NumPy integer, although the type checker takes it for
an `int` or a `bool`: pass it through `int(...)` or `bool(...)` where Python's own is needed, as in JSON.
"""

from collections.abc import Iterator
from typing import Any, Protocol, TypeVar, overload

T = TypeVar("T")
Row = TypeVar("Row", bound="Numbers")


class Numbers(Protocol):
    """An array of integers."""

    @overload
    def __getitem__(self, place: int, /) -> int: ...
    @overload
    def __getitem__(self, places: slice, /) -> "Numbers": ...
    def __setitem__(self, place: Any, value: Any, /) -> None:
        """Set an entry, or those of a slice."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def tolist(self) -> list[int]:
        """Return the entries as Python's own integers."""

    def max(self) -> int:
        """Return the largest entry."""


#: A random generator: int64, shape (4,) (see `chance`).
Generator = Numbers


class Floats(Protocol):
    """An array of floats."""

    def __getitem__(self, place: int, /) -> float: ...
    def __setitem__(self, place: int, value: float, /) -> None: ...
    def __len__(self) -> int: ...


class CardPile(Numbers):
    """A hand or a pile of cards (see `cards`). No other array of integers passes for one."""


class PerSeat(Protocol[T]):
    """A value for each seat."""

    @overload
    def __getitem__(self, seat: int, /) -> T: ...
    @overload
    def __getitem__(self: "PerSeat[Row]", place: tuple[int, int], /) -> int: ...
    @overload
    def __getitem__(self, seats: slice, /) -> "PerSeat[T]": ...
    @overload
    def __setitem__(self, seat: int, value: T, /) -> None: ...
    @overload
    def __setitem__(self: "PerSeat[Row]", place: tuple[int, int], value: int, /) -> None: ...
    @overload
    def __setitem__(self, seats: slice, values: Any, /) -> None: ...
    def __iter__(self) -> Iterator[T]: ...
    def tolist(self) -> list[T]:
        """Return the values as Python's own."""

    def max(self) -> T:
        """Return the largest value."""


#: Rows of integers that don't belong to seats, but have the same types.
Table = PerSeat[Numbers]


class AnyState:
    """The header of every state: the fields that all games share. For the type checker; states are NumPy records.

    * `rng`: the generator, int64 of shape (4,) (see `chance`).
    * `payoff`: one float per seat, shape (seats,), where `seats` is the maximum number.
    * `moment`: increases whenever a seat learns something or another seat must act (`end_moment`).
    * `turn`: as the game counts turns; `phase`: an index into PHASES.
    * `seats`: the number of seats in play; `player`: the seat that must act, from 0.
    * `over`: whether the match has ended; `ending`: an index into ENDINGS.
    """

    rng: Generator
    payoff: PerSeat[float]
    moment: int
    turn: int
    seats: int
    player: int
    phase: int
    over: int
    ending: int

    def copy(self: T) -> T:
        """Return a copy of the record."""
        raise NotImplementedError

    def tobytes(self) -> bytes:
        """Return the bytes of the record."""
        raise NotImplementedError
