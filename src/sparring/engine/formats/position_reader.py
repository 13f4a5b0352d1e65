"""Read the fields of a position: numbers, names, seats, lists of words, values per seat."""

import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from sparring.engine.errors import BadPosition, SparringError

from . import normalize


class PositionReader:
    """Reads a position field by field; an unread field is an error (`done`). All methods raise BadPosition.

    Seats are written as in choices: 2, `2`, `S2`, `Seat 2`; `aliases` maps a game's other names for seats to numbers
    from 1. `name` is the subject of messages about unknown fields.
    """

    def __init__(
        self, position: Mapping[str, Any], seats: int, aliases: Mapping[str, int] | None = None,
        name: str = "A position of this game",
    ) -> None:  # fmt: skip
        self.seats, self.aliases, self.name = seats, dict(aliases or {}), name
        self.fields: dict[str, Any] = {}
        self.read_keys: list[str] = []
        for written, value in position.items():
            key = re.sub(r"[\s_-]+", "_", str(written).strip()).lower()
            if key in self.fields:
                raise BadPosition(f"{name} contains {key} twice.")
            self.fields[key] = value

    def take(self, key: str, default: object = None) -> Any:
        """Return a field's value, with NumPy's numbers and booleans converted to Python's."""
        self.read_keys.append(key)
        return builtin(self.fields.pop(key, default))

    def integer(self, key: str, default: int, low: int, high: int) -> int:
        """Read an integer."""
        return read_integer(key, self.take(key, default), low, high)

    def integers(self, key: str, size: int, default: int, low: int, high: int) -> list[int]:
        """Read a list of integers of this size."""
        values = self.take(key, [default] * size)
        if not isinstance(values, list) or len(values) != size:
            raise BadPosition(f"{key} must be a list of {size} whole numbers from {low} to {high}.")
        return [read_integer(key, value, low, high) for value in values]

    def number_of(self, key: str, seat: object) -> int:
        """Return the number (from 1) of a seat that was written in the field `key`."""
        word = normalize(str(seat)) if isinstance(seat, str | int) and not isinstance(seat, bool) else ""
        match = re.fullmatch(r"(?:seat|s)?([1-9]\d?)", word)
        number = self.aliases.get(word, int(match[1]) if match else 0)
        if not 1 <= number <= self.seats:
            sides = "".join(f", {side.upper()}" for side in self.aliases)
            raise BadPosition(f"{key}: there is no seat {seat}; the seats are 1 to {self.seats}{sides}.")
        return number

    def seat(self, key: str, default: int) -> int:
        """Read a seat; the result and `default` count from 0."""
        value = self.take(key)
        return default if value is None else self.number_of(key, value) - 1

    def one_of(self, key: str, names: Sequence[str], default: str) -> int:
        """Read a name from a list, ignoring case; return its index."""
        name = self.take(key, default)
        known = [normalize(known) for known in names]
        if normalize(str(name)) not in known:
            raise BadPosition(f"{key} must be one of {', '.join(filter(None, names))}, not {name}.")
        return known.index(normalize(str(name)))

    def flag(self, key: str, default: bool = False) -> bool:
        """Read a boolean."""
        value = self.take(key, default)
        if not isinstance(value, bool):
            raise BadPosition(f"{key} must be true or false, not {value}.")
        return value

    def per_seat(self, key: str, default: object) -> list[Any]:
        """Read one value per seat: a list, or a table of seats and values in which seats may be missing."""
        value = self.take(key)
        if value is None:
            return [default] * self.seats
        if isinstance(value, Mapping):
            by_seat: dict[int, Any] = {}
            for seat, entry in value.items():
                number = self.number_of(key, seat)
                if number in by_seat:
                    raise BadPosition(f"{key} contains seat {number} twice.")
                by_seat[number] = entry
            return [by_seat.get(seat + 1, default) for seat in range(self.seats)]
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != self.seats:
            raise BadPosition(f"{key} must have {self.seats} values, one for each seat.")
        return list(value)

    def integer_per_seat(self, key: str, default: int, low: int, high: int) -> list[int]:
        """Read one integer per seat."""
        return [read_integer(key, value, low, high) for value in self.per_seat(key, default)]

    def flag_per_seat(self, key: str) -> list[bool]:
        """Read one boolean per seat, false by default."""
        flags = self.per_seat(key, False)
        if not all(isinstance(flag, bool) for flag in flags):
            raise BadPosition(f"{key} must be true or false for each seat.")
        return flags

    def seats_in(self, key: str) -> list[int]:
        """Read a list of seats or a single one, written from 1; the result counts from 0."""
        value = self.take(key, [])
        if isinstance(value, str):
            value = words_in(value, key)
        if isinstance(value, int):
            value = [value]
        if not isinstance(value, Sequence):
            raise BadPosition(f"{key} must be a list of seats.")
        return [self.number_of(key, seat) - 1 for seat in value]

    def table(self, key: str) -> "PositionReader":
        """Read a table of further fields."""
        value = self.take(key, {})
        if not isinstance(value, Mapping):
            raise BadPosition(f"{key} must be a table of fields.")
        return PositionReader(value, self.seats, self.aliases, f"The table {key} of a position")

    def done(self) -> None:
        """Raise BadPosition for a field that was not read."""
        for key in self.fields:
            raise BadPosition(
                f"{self.name} has no field {key}; its fields are {', '.join(sorted(set(self.read_keys)))}."
            )


def builtin(value: object) -> Any:
    """Convert NumPy values to Python's own."""
    if isinstance(value, Mapping):
        return {builtin(key): builtin(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [builtin(entry) for entry in value]
    return value.tolist() if hasattr(value, "tolist") else value


def read_seed(seed: int | None) -> int:
    """Check a seed (0 to 2**63 - 1) and return it, or a random one for None. Raises SparringError."""
    if seed is None:
        return secrets.randbits(63)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 63:
        raise SparringError(f"The seed must be a whole number from 0 to {(1 << 63) - 1}, not {seed}.")
    return seed


def read_integer(key: str, value: object, low: int, high: int) -> int:
    """Check that a value is an integer in a range, and return it. Raises BadPosition."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadPosition(f"{key} must be a whole number from {low} to {high}, not {value}.")
    return value


def words_in(value: object, key: str) -> list[str]:
    """Return the words of a list, or of a text in which commas or semicolons, or else spaces, separate them."""
    if isinstance(value, str):
        parts = re.split(r"[,;]", value) if re.search(r"[,;]", value) else value.split()
        return [part.strip() for part in parts if part.strip()]
    if isinstance(value, Sequence) and all(isinstance(word, str) for word in value):
        return list(value)
    raise BadPosition(f"{key} must be a list of words, not {value}.")
