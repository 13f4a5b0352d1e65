"""Declare the state of a game and its parameters: for each field its kind, its limits, and who sees it.

A game's `State` is a subclass of `Header`, its `Params` one of `Parameters`; each field is assigned the result of a
function of this module. The type checker takes that result for what rules see, so a field needs no annotation. From
the declarations come the dtypes (`State.dtype`, `Params.dtype`), positions (`formats.positions`) and `redact`
(`hiding`).

`determinize` does not: every game writes it by hand. Law 4 finds a leak because it compares two independent
descriptions of who knows what. With both from one declaration, a mistake in it would be in both, and pass.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

from .cards import empty, hide
from .game import GameSetup
from .options import ChoiceOption, NumberOption, Option, in_params
from .rule import Field, record_dtype, rule
from .types import AnyState, CardPile, Numbers, PerSeat, Table

T = TypeVar("T")

#: The maximum turn and moment.
MAX_TURN = 1 << 30
#: No seat, or one that a position has not named.
UNKNOWN_SEAT = -1


class Viewers(Enum):
    """Who sees a pile."""

    EVERYONE = "everyone"
    #: The seat whose row it is.
    OWNER = "owner"
    #: The seat that must act.
    CHOOSER = "chooser"
    NO_ONE = "no one"


EVERYONE, OWNER, CHOOSER, NO_ONE = Viewers

#: Who sees a pile, or a rule (state) -> bool: everyone once it holds, and only the seat whose row it is before.
SeenBy = Viewers | Callable[[Any], bool]
#: A limit: a number, the name of an option, or a function of the parameters and the state.
Limit = int | str | Callable[[Any, Any], int]


@rule
def turn_down(state: AnyState, pile: CardPile) -> None:
    """Hide the cards of a pile, but not their number."""
    hide(pile)


@rule
def take_away(state: AnyState, pile: CardPile) -> None:
    """Hide the cards of a pile, and their number too."""
    empty(pile)


@dataclass(frozen=True, eq=False)
class Components:
    """The cards that a game's piles hold: the names of each, the displayed one first."""

    names: Callable[[GameSetup], Mapping[int, Sequence[str]]]
    _: KW_ONLY
    #: Whether positions show them as numbers; `Positions.components` then calls them `card 3`.
    numbered: bool = False
    #: How many there are of each (default: one); `Positions.components` then numbers equal cards: `Red 0`.
    copies: Callable[[GameSetup], Sequence[Any]] | None = None
    #: Whether each seat has its own cards, with a list of `copies` for each seat. The game then names their pieces.
    own: bool = False

    @lru_cache(maxsize=32)  # noqa: B019 - a game's components live as long as the game
    def names_in(self, setup: GameSetup) -> Mapping[int, Sequence[str]]:
        """Return the names of each card in a setup."""
        return self.names(setup)

    def cards_in(self, setup: GameSetup, seat: int = 0) -> list[int]:
        """Return the cards in a setup (of this seat, if each has its own), equal ones as often as there are."""
        copies = self.copies(setup) if self.copies else None
        if copies and self.own:
            copies = copies[seat]
        return [card for card in self.names_in(setup) for _ in range(copies[card] if copies else 1)]


#: What a `custom` pile holds: numbers, or cards that the game itself names.
UNNAMED = Components(lambda _setup: {})


# What is declared


@dataclass(frozen=True, kw_only=True)
class StateField:
    """A field of a record. Positions have it only if it is of a subclass."""

    dtype: str = "i2"
    size: int | None = None
    #: Its name, given by the class that declares it, and its key in a position.
    name: str = ""
    key: str = ""
    is_per_seat: bool = False
    #: The number of rows of a table.
    rows: int | None = None

    def in_dtype(self, seats: int) -> Field:
        """Return the field for NumPy."""
        rows = seats if self.is_per_seat else self.rows
        shape = tuple(length for length in (rows, self.size) if length is not None)
        return (self.name, self.dtype, shape) if shape else (self.name, self.dtype)


@dataclass(frozen=True, kw_only=True)
class PileField(StateField):
    """See `pile`."""

    of: Components
    seen_by: SeenBy
    hidden_as: Callable[[Any, CardPile], None]
    ordered: bool
    fills: bool
    from_top: bool
    counted: bool
    custom: bool
    default: Callable[[Any, Any, int], int] | None

    @property
    def room(self) -> int:
        """The maximum number of cards."""
        assert self.size is not None
        return self.size - 1


@dataclass(frozen=True, kw_only=True)
class SlotField(PileField):
    """See `slot`: in positions and for `redact`, it is like a pile of at most one card."""

    none: int

    @property
    def room(self) -> int:
        """The maximum number of cards."""
        return 1


@dataclass(frozen=True, kw_only=True)
class IntegerField(StateField):
    """See `integer` and `integers`."""

    low: Limit
    high: Limit
    default: Limit | None


@dataclass(frozen=True, kw_only=True)
class FlagField(StateField):
    """See `flag`."""

    listed: bool
    default: Limit


@dataclass(frozen=True, kw_only=True)
class SeatField(StateField):
    """See `seat_number`."""

    default: Limit


# How a game declares it


def pile(
    room: int, *, of: Components, seen_by: SeenBy, hidden_as: Callable[[Any, CardPile], None] = turn_down,
    dtype: str = "i2", ordered: bool = False, fills: bool = False, from_top: bool = False, counted: bool = False,
    custom: bool = False, key: str = "", default: Callable[[Any, Any, int], int] | None = None,
) -> CardPile:  # fmt: skip
    """Declare a hand or a pile of at most `room` cards.

    Args:
        room: The maximum number of cards.
        of: Which cards.
        seen_by: Who sees them: EVERYONE, OWNER, CHOOSER, NO_ONE, or a rule (see `SeenBy`).
        hidden_as: The rule (state, pile) that hides them from the others.
        dtype: The NumPy type of a card.
        ordered: Whether the cards are kept in ascending order, as in a hand.
        fills: Whether the cards that a position leaves out are here.
        from_top: Whether a position lists the cards from the top.
        counted: Whether a position may give the number of cards only.
        custom: Whether the game itself reads and writes the pile, and names its pieces.
        key: The key in a position (default: the field's name).
        default: How many random cards a seat has in a position that leaves the pile out, from (params, state, seat).
    """
    field = PileField(
        dtype=dtype, size=room + 1, key=key, of=of, seen_by=seen_by, hidden_as=hidden_as, ordered=ordered, fills=fills,
        from_top=from_top, counted=counted, custom=custom, default=default,
    )  # fmt: skip
    return cast(CardPile, field)


def slot(*, of: Components, seen_by: SeenBy, none: int, key: str = "") -> int:
    """Declare a place for one card, which rules see as its number; `none` stands for no card, UNKNOWN for a hidden one.

    In a position it is the name of the card, or `""`.
    """
    field = SlotField(
        none=none, key=key, of=of, seen_by=seen_by, hidden_as=turn_down, ordered=False, fills=False, from_top=False,
        counted=False, custom=False, default=None,
    )  # fmt: skip
    return cast(int, field)


def integer(low: Limit, high: Limit, *, default: Limit | None = None, dtype: str = "i2", key: str = "") -> int:
    """Declare a whole number from `low` to `high`; in a position, its default is `low`."""
    return cast(int, IntegerField(low=low, high=high, default=default, dtype=dtype, key=key))


def integers(size: int, low: int, high: Limit, *, key: str = "") -> Numbers:
    """Declare an array of whole numbers from `low` to `high`."""
    return cast(Numbers, IntegerField(size=size, low=low, high=high, default=None, key=key))


def flag(*, listed: bool = False, default: Limit = False, key: str = "") -> bool:
    """Declare a truth value. A flag of each seat that is `listed` is a list of seats in a position."""
    return cast(bool, FlagField(listed=listed, default=default, key=key))


def seat_number(*, default: Limit = 0, key: str = "") -> int:
    """Declare a seat: from 0 in rules, from 1 in positions, which leave out UNKNOWN_SEAT."""
    return cast(int, SeatField(default=default, key=key))


def array(size: int, dtype: str = "i2") -> Numbers:
    """Declare an array of numbers that positions don't have, unless the game reads and writes it itself."""
    return cast(Numbers, StateField(size=size, dtype=dtype))


def table(rows: int, size: int, dtype: str = "i2") -> Table:
    """Declare rows of numbers, as `array` does one."""
    return cast(Table, StateField(rows=rows, size=size, dtype=dtype))


def scalar(dtype: str = "i2") -> int:
    """Declare a number that positions don't have: the game computes it, or reads and writes it itself."""
    return cast(int, StateField(dtype=dtype))


def per_seat(one: T) -> PerSeat[T]:
    """Declare a field with a value for each seat."""
    return cast(PerSeat[T], replace(cast(StateField, one), is_per_seat=True))


def number_option(default: int, low: int, high: int, text: str, ruling: str = "", **form: Any) -> int:
    """Declare an option that is a whole number; see `options.NumberOption`."""
    return cast(int, NumberOption("", default, low, high, text, ruling, **form))


def choice_option(values: tuple[str, ...], text: str, ruling: str = "", **form: Any) -> int:
    """Declare an option with named values, which rules see as an index; see `options.ChoiceOption`."""
    return cast(int, ChoiceOption("", values, text, ruling, **form))


def option_value(option: int, value: str) -> int:
    """Return the number that rules see for a value of an option: `option_value(Params.combat, "lanes")`."""
    return cast(ChoiceOption, option).number(value)


# The records


class Header(AnyState):
    """The base class of a game's state: `class State(Header, seats=4)`, with the maximum number of seats.

    A game may declare `turn` and `player` again, with its own key, limits and default.
    """

    turn = integer(0, MAX_TURN)
    moment = integer(0, MAX_TURN)
    player = seat_number()

    declared: ClassVar[dict[str, StateField]]
    #: The dtype of the records.
    dtype: ClassVar[np.dtype[Any]]

    def __init_subclass__(cls, *, seats: int) -> None:
        own = _fields(cls)
        for field in own.values():
            if isinstance(field, PileField) and field.seen_by is OWNER and not field.is_per_seat:
                raise ValueError(f"{field.name} has no owner: it needs per_seat(...), or another seen_by than OWNER.")
        cls.declared = {**{name: field for name, field in _fields(Header).items() if name not in own}, **own}
        header: list[Field] = [
            ("rng", "i8", 4), ("payoff", "f8", seats), ("moment", "i4"), ("turn", "i4"),
            ("seats", "i2"), ("player", "i2"), ("phase", "i2"), ("over", "i2"), ("ending", "i2"),
        ]  # fmt: skip
        cls.dtype = record_dtype([*header, *(own[name].in_dtype(seats) for name in own if name not in HEADER)])


class Parameters:
    """The base class of what rules know besides the state: the options and the content."""

    options: ClassVar[tuple[Option, ...]]
    #: The dtype of the record.
    dtype: ClassVar[np.dtype[Any]]

    def __init_subclass__(cls) -> None:
        options = {name: one for name, one in vars(cls).items() if isinstance(one, NumberOption | ChoiceOption)}
        cls.options = tuple(replace(one, name=name) for name, one in options.items())
        in_rules: list[Field] = [(option.name, "i4") for option in cls.options if in_params(option)]
        cls.dtype = record_dtype([*in_rules, *(field.in_dtype(0) for field in _fields(cls).values())])


#: The fields of the header that a game may declare again.
HEADER = ("turn", "moment", "player")


def _fields(owner: type) -> dict[str, StateField]:
    """Return the fields that a class declares, each with its name and its key."""
    declared = {name: value for name, value in vars(owner).items() if isinstance(value, StateField)}
    return {name: replace(field, name=name, key=field.key or name) for name, field in declared.items()}
