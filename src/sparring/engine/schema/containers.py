"""Fields with inner fields: lists, tables with known fields, tables with free names."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from sparring.engine.errors import ContentFault, Step
from sparring.engine.formats.spelling import normalize

from .fields import Anything, Choice, Drawing, Integer, LabelledField, Map, Pair, Tally, Text
from .location import Faults, SchemaLocation, listed, shortened, with_article


@dataclass(frozen=True)
class ListField(LabelledField):
    """A list of `low` to `high` fields. Messages call each of them `one` and their container `whole` (card, deck)."""

    of: "Field"
    one: str
    whole: str
    low: int = 0
    high: int = 500
    _: KW_ONLY
    #: The message for a value that is not a list.
    like: str = ""
    #: Whether the list is a set of values to switch on and off in the editor.
    toggles: bool = False
    #: Whether names (or texts) must be unique once normalized (`spelling.normalize`).
    unique: bool = False
    check: Callable[[list[Any]], Faults] = lambda _: ()

    def read(self, value: Any, location: SchemaLocation) -> list[Any]:
        """Return the valid list."""
        if not isinstance(value, list | tuple):
            location.report_above(self.like or f"{location.at[-1]} must be a list of {self.one}s.")
            return []
        if not self.low <= len(value) <= self.high:
            location.report_above(f"{with_article(self.whole)} must have {self.count}, not {len(value)}.")
        fault_count, names, valid = len(location.faults), dict[str, int](), []
        for number, row in enumerate(value):
            place = location.one_of(number, f"{self.one} {number + 1}{_name_in_brackets(row)}")
            valid.append(self.of.read(row, place))
            if self.unique and isinstance(name := _name(row), str) and normalize(name):
                first = names.setdefault(normalize(name), number)
                if first != number:
                    named = location.one_of(number, f"{self.one} {number + 1}").inside("name")
                    named.report(f"{name.strip()} is already the name of {self.one} {first + 1}.")
        if len(location.faults) == fault_count:
            location.report_all(self.check(valid))
        return valid

    def missing(self, key: str) -> str:
        """Return the message for a missing field."""
        return self.like or super().missing(key)

    @property
    def count(self) -> str:
        """The valid number of entries in words: `30 to 120 cards`."""
        many = f"{self.low}" if self.low == self.high else f"{self.low} to {self.high}"
        return f"{many} {self.one}{'s' if self.high != 1 else ''}"

    def blank(self) -> Any:
        """Return the minimum number of blank entries."""
        rows = [self.of.blank() for _ in range(self.low)]
        for number, row in enumerate(rows, 1):
            if isinstance(row, dict) and row.get("name") == "":
                row["name"] = f"{self.one.capitalize()} {number}"
        return rows


@dataclass(frozen=True)
class MapField(LabelledField):
    """A table whose keys are free names, such as the ranks of a pack with their values."""

    of: "Field"
    key: str
    low: int
    high: int
    #: The pattern of valid names, and its description.
    pattern: re.Pattern[str]
    rule: str
    _: KW_ONLY
    example: str = ""
    check: Callable[[dict[str, Any]], Faults] = lambda _: ()

    def read(self, value: Any, location: SchemaLocation) -> dict[str, Any]:
        """Return the valid table."""
        if not isinstance(value, Mapping) or not self.low <= len(value) <= self.high:
            words = f"{location.at[-1]} must be a table of {self.low} to {self.high} {self.key}s, as in {self.example}."
            location.report_above(words)
            return {}
        fault_count, valid = len(location.faults), {}
        for name, entry in value.items():
            if not self.pattern.fullmatch(name):
                location.report(f"{with_article(self.key)} must be {self.rule}, not {shortened(name)}.", name)
            valid[name] = self.of.read(entry, location.inside(name))
        if len(location.faults) == fault_count:
            location.report_all(self.check(valid))
        return valid

    def blank(self) -> Any:
        """Return an empty table."""
        return {}


@dataclass(frozen=True)
class RecordField(LabelledField):
    """A table with known fields."""

    one: str
    fields: Mapping[str, "Field"]
    _: KW_ONLY
    #: Fields with numbers that share a budget: raising one in the editor lowers the others.
    shared_budget: tuple[str, ...] = ()
    #: Values of a new record, so that it begins legal; its other fields are blank.
    new: Mapping[str, Any] = field(default_factory=dict)
    #: Checks fields that are valid individually against each other.
    check: Callable[[dict[str, Any]], Faults] = lambda _: ()

    def read(self, value: Any, location: SchemaLocation) -> dict[str, Any]:
        """Return all fields, with defaults for missing optional ones."""
        names = listed(self.fields)
        if not isinstance(value, Mapping):
            sentence = f"must be a table with {names}."
            location.faults.append(ContentFault(f"{location.name} {sentence}", location.at, f"This {sentence}"))
            return {}
        fault_count, valid = len(location.faults), {}
        for key, inner in self.fields.items():
            valid[key] = _missing_value(inner)
            if key in value:
                valid[key] = inner.read(value[key], location.inside(key))
            elif inner.required:
                location.report(inner.missing(key), key)
        for key in value:
            if key not in self.fields:
                location.report(f"there is no field {shortened(key)}; {with_article(self.one)} has {names}.", key)
        if len(location.faults) == fault_count:
            location.report_all(self.check(valid))
        return valid

    def blank(self) -> Any:
        """Return every required field, with the values of a new record or blank."""
        required = {key: inner.blank() for key, inner in self.fields.items() if inner.default is None}
        return {**required, **deepcopy(dict(self.new))}


Field = Text | Integer | Choice | Pair | Map | Tally | Drawing | ListField | MapField | RecordField | Anything


def fields_on(schema: RecordField, at: Sequence[Step]) -> Iterator[Field]:
    """Yield the fields along a path into the content, starting with the schema; stop where nothing is declared."""
    field: Field | None = schema
    for step in (*at, None):
        if field is None:
            return
        yield field
        if isinstance(field, RecordField):
            field = field.fields.get(str(step))
        elif isinstance(field, ListField | MapField):
            field = field.of
        else:
            field = None


def _missing_value(field: Field) -> Any:
    """Return the value of a missing field: its default, or something empty."""
    if field.default is not None:
        return field.default
    return [] if isinstance(field, ListField) else {} if isinstance(field, MapField | RecordField | Tally) else None


def _name(row: Any) -> Any:
    return row.get("name") if isinstance(row, Mapping) else row


def _name_in_brackets(row: Any) -> str:
    """Return the name of a record in brackets, if it is valid."""
    name = row.get("name") if isinstance(row, Mapping) else None
    known = isinstance(name, str) and 1 <= len(name.strip()) <= 24 and name.isprintable()
    return f" ({name.strip()})" if known and isinstance(name, str) else ""
