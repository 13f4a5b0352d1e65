"""What every field of a content file can do, where fields are, in paths and in words, and changes along a path.

Whatever reads, shows or changes content calls these methods, so that a new sort of field is one class.

A faulty file may hold anything, so a step of a path goes by what the value is, and the field beside it may be None.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar, NamedTuple

from sparring.engine.errors import ContentFault, Step

#: The result of a game's check: for each fault the path to its field, relative to the check, and the sentence.
Faults = Iterable[tuple[tuple[Step, ...], str]]


@dataclass(frozen=True)
class SchemaLocation:
    """A place in the content: its path, its name in words, and the faults so far."""

    at: tuple[Step, ...]
    #: The names of the container and of this place.
    container: str
    name: str
    faults: list[ContentFault]

    def report(self, sentence: str, *steps: Step) -> None:
        """Report a fault here, or `steps` further in."""
        self.faults.append(ContentFault(f"{self.name}: {sentence}", (*self.at, *steps), sentence))

    def report_above(self, sentence: str) -> None:
        """Report a fault under the container's name: `mine.toml: a deck has ...`."""
        self.faults.append(ContentFault(f"{self.container}: {sentence}", self.at, sentence))

    def inside(self, step: Step, words: str = "") -> "SchemaLocation":
        """Return the location one step further in; `words` names the step (default: the step itself)."""
        return SchemaLocation((*self.at, step), self.name, f"{self.name}: {words or step}", self.faults)

    def one_of(self, step: Step, words: str) -> "SchemaLocation":
        """Return the location of a list entry, named after the container instead of the list."""
        return SchemaLocation((*self.at, step), self.container, f"{self.container}: {words}", self.faults)

    def report_all(self, faults: Faults) -> None:
        """Report the faults that a game's check found here."""
        for steps, sentence in faults:
            place = self
            for step in steps:
                place = place.inside(step)
            place.report(sentence)


def either(values: Iterable[Any], word: str = "or") -> str:
    """Join values with commas and "or": `close or long`, `1, 2 or 3`."""
    words = [str(value) for value in values]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {word} {words[-1]}"


def listed(values: Iterable[Any]) -> str:
    """Join values with commas and "and": `name, map and symmetry`."""
    return either(values, "and")


def shortened(value: object, limit: int = 60) -> str:
    """Return a value as text, shortened for a message."""
    text = str(value)
    return text if len(text) <= limit else f"{text[:limit]}…"


def with_article(word: str) -> str:
    """Put the indefinite article before a word: `a card`, `an arrow`."""
    return f"a{'n' if word[0] in 'aeiou' else ''} {word}"


class Part(NamedTuple):
    """A part of a value: the step to it, its field (None if undeclared), and its value (None if missing)."""

    step: Step
    field: "Field | None"
    value: Any


@dataclass(frozen=True, kw_only=True)
class Field(ABC):
    """A part of a content file: its valid values, and how people see and change them."""

    title: str = ""
    help: str = ""
    #: None: the field is required.
    default: Any = None
    #: Whether the studio's editor shows it; a set's name is edited in its heading instead.
    in_editor: bool = True

    #: The control that the studio's editor shows for it (`studio/set_editor.py`).
    widget: ClassVar[str] = "line"
    #: The type of a value that holds others (list or dict); None: a single value.
    holds: ClassVar[type | None] = None
    #: Whether it is a single value that fits on a line beside others.
    fits_line: ClassVar[bool] = False

    @property
    def required(self) -> bool:
        """Whether the field is required."""
        return self.default is None

    def heading(self, key: Step) -> str:
        """Return the title for people, by default made from the field's key."""
        return self.title or words_of(key)

    # Values

    @abstractmethod
    def read(self, value: object, location: SchemaLocation) -> Any:
        """Return the valid value; report faults at `location`."""

    @abstractmethod
    def blank(self) -> Any:
        """Return a value to start from."""

    def empty(self) -> Any:
        """Return the value of a missing container; None for a single value."""
        return self.holds() if self.holds else None

    def missing(self, key: str) -> str:
        """Return the message for a missing field."""
        return f"{key} is missing."

    def parse(self, typed: str | list[str]) -> Any:
        """Convert typed text to the field's type; None removes the value. Text that doesn't fit stays text."""
        return typed

    # Parts

    @property
    def inner(self) -> tuple["Field", ...]:
        """The fields declared inside."""
        return ()

    def child(self, step: Step) -> "Field | None":
        """Return the field one step further in, or None."""
        return next(iter(self.inner), None)

    def children(self, value: object) -> Iterator[Part]:
        """Yield the parts of a value, missing ones included. A value of the wrong type has no parts of its own."""
        yield from ()

    def declared(self) -> Iterator["Field"]:
        """Yield this field and all fields declared inside, at any depth."""
        yield self
        for field in self.inner:
            yield from field.declared()

    def insert(self, holder: object, text: str) -> None:
        """Add an entry to the field's value; `text` is its key or typed value. Raises BadContent, or LookupError."""
        raise LookupError(text)

    # What others need to know

    @property
    def number_range(self) -> tuple[int, int] | None:
        """The lowest and highest number, or None if the field holds no whole number."""
        return None

    @property
    def offers(self) -> tuple[str, ...]:
        """The values that people can choose from, as text; empty if they write their own."""
        return ()

    def json_schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the field."""
        described = {"title": self.title, "description": self.help, "default": self.default}
        return {
            **self.json_type(),
            **{name: value for name, value in described.items() if value not in (None, "", (), [], {})},
        }

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        return {}

    # Cells of a spreadsheet

    @property
    def fits_cell(self) -> bool:
        """Whether a value fits into a cell of a spreadsheet."""
        return False

    def cell_text(self, value: object) -> str:
        """Return a value as the text of a cell: lists with commas, counts as `5 Red, 6 Blue`."""
        if isinstance(value, Mapping):
            return ", ".join(f"{count} {kind}" for kind, count in value.items())
        if isinstance(value, list | tuple):
            return ", ".join(map(str, value))
        return "" if value is None else str(value)

    def cell_value(self, text: str) -> Any:
        """Return the value of a cell. Text that doesn't fit the field stays text, which the game then reports."""
        return " ".join(text.split())

    def cell_help(self) -> str:
        """Return what a cell may contain, for people who fill in a spreadsheet."""
        return ""


def words_of(key: Step) -> str:
    """Return a key as words for people."""
    return str(key).replace("_", " ").capitalize()


def whole_number(typed: object) -> Any:
    """Return typed text as a whole number if it is one; anything else stays as it is."""
    return int(typed) if isinstance(typed, str) and re.fullmatch(r"\s*-?[0-9]{1,17}\s*", typed) else typed


def along(form: Field, data: object, at: Sequence[Step]) -> list[Part]:
    """Return the whole content, and its parts along a path."""
    parts = [Part("", form, data)]
    for step in at:
        _, field, value = parts[-1]
        parts.append(Part(step, field.child(step) if field else None, get(value, step)))
    return parts


def walk(field: Field, value: object, at: tuple[Step, ...] = ()) -> Iterator[tuple[tuple[Step, ...], Field, Any]]:
    """Yield the path, field and value of all declared places at and below a field; a place comes before its parts."""
    yield at, field, value
    for part in field.children(value):
        if part.field:
            yield from walk(part.field, part.value, (*at, part.step))


def get(holder: Any, step: Step) -> Any:
    """Return the value of a step, or None."""
    try:
        return holder[_key(holder, step)]
    except LookupError:
        return None


def value_at(data: object, at: Sequence[Step]) -> Any:
    """Return the value at a path, or None."""
    return reduce(get, at, data)


def put(holder: Any, step: Step, value: Any) -> None:
    """Set the value of a step; None removes it. Raises LookupError for a place that a list doesn't have."""
    key = _key(holder, step)
    holder[key] = value
    if value is None:
        del holder[key]


def remove(holder: Any, step: Step) -> None:
    """Remove the value of a step. Raises LookupError if there is none."""
    del holder[_key(holder, step)]


def move(holder: Any, step: Step, by: int) -> None:
    """Swap an entry of a list with the one `by` places further; at the ends it stays. Raises LookupError."""
    place = position(holder, step)
    other = min(max(place + by, 0), len(holder) - 1)
    holder[place], holder[other] = holder[other], holder[place]


def position(holder: object, step: Step) -> int:
    """Return the position of an entry in a list. Raises LookupError if there is none."""
    if not isinstance(holder, list) or not isinstance(step, int) or not 0 <= step < len(holder):
        raise LookupError(step)
    return step


def reach(form: Field, data: object, at: Sequence[Step]) -> Any:
    """Return the value at a path. Create missing containers on the way. Raises LookupError."""
    field: Field | None = form
    for step in at:
        field = field.child(step) if field else None
        if get(data, step) is None and field:
            put(data, step, field.empty())
        data = get(data, step)
    if data is None:
        raise LookupError(at)
    return data


def _key(holder: object, step: Step) -> str | int:
    return str(step) if isinstance(holder, dict) else position(holder, step)
