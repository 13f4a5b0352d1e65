"""Read the fields of a position: numbers, names, seats, lists of words, values per seat; place its cards."""

import re
import secrets
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from sparring.engine.cards import put, shuffle
from sparring.engine.errors import BadPosition, SparringError
from sparring.engine.types import Generator

from . import normalize

#: In a list of cards: all remaining cards, shuffled.
REST = -1
ELLIPSES = ("...", "…")

#: The maximum number of cards that an error names.
MAX_NAMED = 6

#: The entry of a pile in a position: its cards, their number, or None if it is left out.
PileEntry = list[int] | int | None


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


class CardSupply:
    """The cards that have no place yet (`left`). Equal cards are equal numbers, or numbers that share a name.

    `cards` are all cards in play; `names` has the names of each card, the displayed one first.
    """

    def __init__(self, cards: Iterable[int], names: Mapping[int, Sequence[str]]) -> None:
        self.left = list(cards)
        self.names = names
        self.spellings = {card: {normalize(name) for name in known} for card, known in names.items()}

    # Named cards

    def find(self, word: object, among: Iterable[int], key: str) -> int:
        """Return the first card `among` some that has this name; `key` is the field. Raises BadPosition."""
        if not isinstance(word, str):
            raise BadPosition(f"{key} must be the name of a card, not {word}.")
        spelling = normalize(word)
        card = next((each for each in among if spelling in self.spellings[each]), None)
        if card is not None:
            return int(card)
        if word.strip() in ELLIPSES:
            raise BadPosition(f"{key}: ... (the remaining cards) is only allowed in a pile.")
        if any(spelling in known for known in self.spellings.values()):
            raise BadPosition(f"{key}: there is no {word} left; it is already somewhere else.")
        raise BadPosition(f"{key}: there is no card {word}{self._known()}.")

    def take(self, words: object, key: str, room: int | None = None) -> list[int]:
        """Take the named cards and return them; at most `room`, if given. Raises BadPosition."""
        cards = []
        for word in self.words_in(words, key):
            cards.append(self.find(word, self.left, key))
            self.left.remove(cards[-1])
        if room is not None and len(cards) > room:
            raise BadPosition(f"{key} must have at most {room} cards, not {len(cards)}.")
        return cards

    def words_in(self, entry: object, key: str) -> list[str]:
        """Return the names in a list or a text, which may also be one name with spaces. Raises BadPosition."""
        names = (name.lower() for known in self.names.values() for name in known)
        return [entry] if isinstance(entry, str) and entry.strip().lower() in names else words_in(entry, key)

    def read_pile(self, entry: object, key: str, *, from_top: bool = False) -> PileEntry:
        """Read the entry of a pile; cards are named from the bottom, and `...` means the remaining ones (REST).

        With `from_top`, the entry names them from the top. The result is always from the bottom.
        """
        if entry is None or isinstance(entry, int):
            return entry
        cards = [REST if word in ELLIPSES else self.take([word], key)[0] for word in self.words_in(entry, key)]
        return cards[::-1] if from_top else cards

    # Random cards

    def shuffle(self, g: Generator) -> None:
        """Shuffle the remaining cards."""
        pile: Any = np.zeros(len(self.left) + 1, np.int16)
        for card in self.left:
            put(pile, card)
        shuffle(g, pile)
        self.left = pile[1 : pile[0] + 1].tolist()

    def deal(self, count: object, key: str) -> list[int]:
        """Take the next `count` of the remaining cards and return them. Raises BadPosition."""
        if isinstance(count, int) and count > len(self.left):
            are = "is" if len(self.left) == 1 else "are"
            raise BadPosition(f"{key} needs {count} cards, but only {len(self.left)} {are} left.")
        return [self.left.pop() for _ in range(read_integer(key, count, 0, len(self.left)))]

    def fill(self, piles: Mapping[str, PileEntry], *, complete: bool = True) -> list[list[int]]:
        """Return the cards of each pile from its bottom, after placing all remaining cards.

        They go where `...` is, or else into the first pile whose entry is None. Without either they have no place, an
        error if the position must be `complete`. Raises BadPosition.
        """
        dotted = [key for key, entry in piles.items() if isinstance(entry, list) for card in entry if card == REST]
        if len(dotted) > 1:
            raise BadPosition(f"{dotted[-1]}: ... means all remaining cards, so it can only be used once.")
        counted = {key: self.deal(entry, key) for key, entry in piles.items() if isinstance(entry, int)}
        rest = next(iter(dotted), None) or next((key for key, entry in piles.items() if entry is None), None)
        if rest is None and self.left and complete:
            raise BadPosition(self._missing())
        filled = []
        for key, entry in piles.items():
            cards = counted.get(key, entry if isinstance(entry, list) else [REST] * (key == rest))
            filled.append([each for card in cards for each in (self.left if card == REST else [card])])
        return filled

    # Parts of messages

    def _known(self) -> str:
        """Return the valid names, if there are few."""
        shown = list(dict.fromkeys(known[0] for known in self.names.values()))
        return f"; the cards are {', '.join(shown)}" if len(shown) <= 2 * MAX_NAMED else ""

    def _missing(self) -> str:
        counts = Counter(self.names[card][0] for card in sorted(self.left)).most_common()
        missing = [f"{count} {name}" if count > 1 else name for name, count in counts]
        more = sum(count for _, count in counts[MAX_NAMED:])
        cards = ", ".join(missing[:MAX_NAMED]) + (f" and {more} more" if more else "")
        return f'Every card needs a place: say where to put {cards}, or write "..." in a pile.'
