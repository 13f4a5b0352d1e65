"""Reading what people write in positions: lists of words, numbers per seat, names from a fixed list."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import BadPosition
from .words import plain


class Reader:
    """A position as it is read: every field is asked for once, and what nobody asked for is an error."""

    def __init__(self, position: Mapping[str, Any], seats: int) -> None:
        self.fields = dict(position)
        self.seats = seats

    def take(self, key: str, default: Any = None) -> Any:
        """The field as it stands."""
        return self.fields.pop(key, default)

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        """A whole number."""
        return whole(key, self.take(key, default), low, high)

    def seat(self, key: str, default: int | None) -> int:
        """A seat, counted from 1 as people do; returned from 0. `default` (None: must be given) counts from 0."""
        value = self.take(key)
        if value is None and default is not None:
            return default
        return whole(key, value, 1, self.seats) - 1

    def one_of(self, key: str, names: Sequence[str], default: str) -> int:
        """A name from a list, in capitals or small letters; its place."""
        name = self.take(key, default)
        known = [plain(known) for known in names]
        if plain(str(name)) not in known:
            raise BadPosition(f"{key} cannot be {name}; it can be {', '.join(names)}.")
        return known.index(plain(str(name)))

    def flag(self, key: str) -> bool:
        """Yes or no; no if nothing is said."""
        value = self.take(key, False)
        if not isinstance(value, bool):
            raise BadPosition(f"{key} is true or false, not {value}.")
        return value

    def per_seat(self, key: str, default: Any) -> list[Any]:
        """One entry for each seat: a list, or a table by seat number that may leave seats out."""
        value = self.take(key)
        if value is None:
            return [default] * self.seats
        if isinstance(value, Mapping):
            numbers = {int(seat) if str(seat).isdigit() else seat: entry for seat, entry in value.items()}
            by_seat = {whole(key, seat, 1, self.seats): entry for seat, entry in numbers.items()}
            return [by_seat.get(seat + 1, default) for seat in range(self.seats)]
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != self.seats:
            raise BadPosition(f"{key} has one entry for each of the {self.seats} seats.")
        return list(value)

    def whole_per_seat(self, key: str, default: int, low: int, high: int) -> list[int]:
        """A whole number for each seat."""
        return [whole(key, value, low, high) for value in self.per_seat(key, default)]

    def seats_in(self, key: str) -> list[int]:
        """A list of seats or a single one, counted from 1; returned from 0."""
        value = self.take(key, [])
        if isinstance(value, int):
            value = [value]
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise BadPosition(f"{key} is a list of seats.")
        return [whole(key, seat, 1, self.seats) - 1 for seat in value]

    def table(self, key: str) -> "Reader":
        """A table of further fields."""
        value = self.take(key, {})
        if not isinstance(value, Mapping):
            raise BadPosition(f"{key} is a table of fields.")
        return Reader(value, self.seats)

    def done(self) -> None:
        """Complain about a field that nobody asked for."""
        for key in self.fields:
            raise BadPosition(f"A position of this game has no field {key}.")


def whole(key: str, value: Any, low: int, high: int) -> int:
    """A whole number in its range."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadPosition(f"{key} is a whole number from {low} to {high}, not {value}.")
    return value


def words_in(value: Any, key: str) -> list[str]:
    """Words in a list, or in a text with commas, semicolons or else spaces between them."""
    if isinstance(value, str):
        parts = re.split(r"[,;]", value) if re.search(r"[,;]", value) else value.split()
        return [part.strip() for part in parts if part.strip()]
    if isinstance(value, Sequence) and all(isinstance(word, str) for word in value):
        return list(value)
    raise BadPosition(f"{key} is a list of words, not {value}.")
