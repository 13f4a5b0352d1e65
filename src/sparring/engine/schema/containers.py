"""Fields with inner fields: lists, tables with known fields, tables with free names."""

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import KW_ONLY, dataclass, field
from statistics import median
from typing import Any

from sparring.engine.errors import BadContent, ContentFault, Step
from sparring.engine.formats import normalize

from .field import Faults, Field, Part, SchemaLocation, listed, shortened, with_article
from .fields import Drawing, Text


@dataclass(frozen=True)
class ListField(Field):
    """A list of `low` to `high` fields. Messages call each of them `one` and their container `whole` (card, deck)."""

    widget, holds = "list", list

    of: Field
    one: str
    whole: str
    low: int = 0
    high: int = 500
    _: KW_ONLY
    #: The message for a value that is not a list.
    like: str = ""
    #: Whether the list is a set of values to switch on and off in the editor.
    toggles: bool = False
    #: Whether names (or texts) must be unique once normalized (`formats.normalize`).
    unique: bool = False
    check: Callable[[list[Any]], Faults] = lambda _: ()

    def read(self, value: object, location: SchemaLocation) -> list[Any]:
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

    def parse(self, typed: str | list[str]) -> Any:
        """Convert the typed text of each entry."""
        return [self.of.parse(one) for one in typed] if isinstance(typed, list) else typed

    @property
    def names_of(self) -> str:
        """The list in the content whose items the entries name, or an empty text."""
        return self.of.names_of if isinstance(self.of, Text) else ""

    @property
    def has_names(self) -> bool:
        """Whether the entries are records with names, such as cards."""
        return isinstance(self.of, RecordField) and "name" in self.of.fields

    @property
    def inner(self) -> tuple[Field, ...]:
        """The field of the entries."""
        return (self.of,)

    def children(self, value: object) -> Iterator[Part]:
        """Yield the entries."""
        return (Part(number, self.of, entry) for number, entry in enumerate(value if isinstance(value, list) else ()))

    def insert(self, holder: object, text: str) -> None:
        """Add an entry: the typed value, or a new one."""
        if not isinstance(holder, list):
            raise LookupError(text)
        if len(holder) >= self.high:
            whole = with_article(self.whole)
            raise BadContent(f"{whole[0].upper()}{whole[1:]} has {self.count}. Remove one first.")
        entry = self.of.parse(text) if text else self._new_entry(holder)
        if isinstance(entry, dict) and "name" in entry:
            entry["name"] = free_name(f"{self.one.capitalize()} {len(holder) + 1}", holder)
        holder.append(entry)

    def _new_entry(self, rows: list[Any]) -> Any:
        """Return a new entry. It begins legal: a copy of the most typical record, without its name and picture.

        The most typical record has the numbers nearest the medians. Without numbers to compare, the entry is blank.
        """
        fields = self.of.fields if isinstance(self.of, RecordField) else {}
        keys = [key for key, one in fields.items() if one.number_range]
        whole = [row for row in rows if isinstance(row, dict) and all(type(row.get(key)) is int for key in keys)]
        if not keys or not whole:
            return deepcopy(self.of.blank())
        medians = {key: median(row[key] for row in whole) for key in keys}
        typical = min(whole, key=lambda row: sum(abs(row[key] - medians[key]) for key in keys))
        kept = {key: deepcopy(value) for key, value in typical.items()
                if key != "name" and not isinstance(fields.get(key), Drawing)}  # fmt: skip
        return {"name": "", **kept} if "name" in fields else kept

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        return {"type": "array", "items": self.of.json_schema(), "minItems": self.low, "maxItems": self.high}

    @property
    def fits_cell(self) -> bool:
        """Whether each entry is a single value, or a record of single values."""
        parts = self.of.inner if isinstance(self.of, RecordField) else (self.of,)
        return all(one.fits_line and one.fits_cell for one in parts)

    def cell_text(self, value: object) -> str:
        """Return the entries; records have a semicolon between them: `played, damage, you, 2; hit, draw, you, 1`."""
        if not isinstance(self.of, RecordField) or not isinstance(value, list | tuple):
            return super().cell_text(value)
        return "; ".join(self.of.line_text(row) for row in value if isinstance(row, Mapping))

    def cell_value(self, text: str) -> Any:
        """Return the entries in a cell."""
        record = isinstance(self.of, RecordField)
        parts = filter(None, re.split(r"\s*[;\n]\s*" if record else r"\s*[,;|\n]\s*", text.strip()))
        return [self.of.line_value(part) if isinstance(self.of, RecordField) else self.of.cell_value(part)
                for part in parts]  # fmt: skip

    def cell_help(self) -> str:
        """Return what a cell may contain."""
        if isinstance(self.of, RecordField):
            return f"{self.of.line_help()}; several with semicolons"
        return f"{self.of.cell_help()}; several with commas"


@dataclass(frozen=True)
class MapField(Field):
    """A table whose keys are free names, such as the ranks of a pack with their values."""

    widget, holds = "table", dict

    of: Field
    key: str
    low: int
    high: int
    #: The pattern of valid names, and its description.
    pattern: re.Pattern[str]
    rule: str
    _: KW_ONLY
    example: str = ""
    check: Callable[[dict[str, Any]], Faults] = lambda _: ()

    def read(self, value: object, location: SchemaLocation) -> dict[str, Any]:
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

    @property
    def inner(self) -> tuple[Field, ...]:
        """The field of the values."""
        return (self.of,)

    def children(self, value: object) -> Iterator[Part]:
        """Yield the entries."""
        return (Part(key, self.of, entry) for key, entry in (value if isinstance(value, Mapping) else {}).items())

    def insert(self, holder: object, text: str) -> None:
        """Add a blank value under the key `text`."""
        key = text.strip()
        if not isinstance(holder, dict):
            raise LookupError(text)
        if not key or key in holder:
            raise BadContent(f"{key} already exists." if key else f"Enter a {self.key} first.")
        holder[key] = self.of.blank()

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        return {
            "type": "object", "minProperties": self.low, "maxProperties": self.high, "x-rule": self.rule,
            "propertyNames": {"pattern": f"^(?:{self.pattern.pattern})$"},
            "additionalProperties": self.of.json_schema(),
        }  # fmt: skip


@dataclass(frozen=True)
class RecordField(Field):
    """A table with known fields."""

    widget, holds = "record", dict

    one: str
    fields: Mapping[str, Field]
    _: KW_ONLY
    #: Fields with numbers that share a budget: raising one in the editor lowers the others.
    shared_budget: tuple[str, ...] = ()
    #: Values of a new record, so that it begins legal; its other fields are blank.
    new: Mapping[str, Any] = field(default_factory=dict)
    #: Checks fields that are valid individually against each other.
    check: Callable[[dict[str, Any]], Faults] = lambda _: ()

    def read(self, value: object, location: SchemaLocation) -> dict[str, Any]:
        """Return all fields, with defaults for missing optional ones."""
        names = listed(self.fields)
        if not isinstance(value, Mapping):
            sentence = f"must be a table with {names}."
            location.faults.append(ContentFault(f"{location.name} {sentence}", location.at, f"This {sentence}"))
            return {}
        fault_count, valid = len(location.faults), dict[str, Any]()
        for key, inner, entry in self.children(value):
            if not inner:
                location.report(f"there is no field {shortened(key)}; {with_article(self.one)} has {names}.", key)
            elif entry is not None:
                valid[str(key)] = inner.read(entry, location.inside(key))
            else:
                valid[str(key)] = inner.empty() if inner.default is None else inner.default
                if inner.required:
                    location.report(inner.missing(str(key)), key)
        if len(location.faults) == fault_count:
            location.report_all(self.check(valid))
        return valid

    def blank(self) -> Any:
        """Return every required field, with the values of a new record or blank."""
        required = {key: inner.blank() for key, inner in self.fields.items() if inner.default is None}
        return {**required, **deepcopy(dict(self.new))}

    @property
    def inner(self) -> tuple[Field, ...]:
        """The known fields."""
        return tuple(self.fields.values())

    def child(self, step: Step) -> Field | None:
        """Return a known field, or None."""
        return self.fields.get(str(step))

    def children(self, value: object) -> Iterator[Part]:
        """Yield the known fields, then what is undeclared."""
        row = value if isinstance(value, Mapping) else {}
        return (Part(key, self.fields.get(key), row.get(key)) for key in dict.fromkeys([*self.fields, *row]))

    def json_type(self) -> dict[str, Any]:
        """Return the JSON Schema of the field's type."""
        return {
            "type": "object", "additionalProperties": False,
            "properties": {key: inner.json_schema() for key, inner in self.fields.items()},
            "required": [key for key, inner in self.fields.items() if inner.default is None],
        }  # fmt: skip

    def line_text(self, row: Mapping[str, Any]) -> str:
        """Return a record's values on one line of a cell, in the order of the fields."""
        return ", ".join(str(row.get(key, inner.default)) for key, inner in self.fields.items())

    def line_value(self, text: str) -> dict[str, Any]:
        """Return a record from its values in order; the game reports a value too many under its number."""
        fields, parts = list(self.fields.items()), re.split(r"\s*,\s*", text)
        known = {key: inner.cell_value(part) for (key, inner), part in zip(fields, parts, strict=False)}
        return known | {f"value {place + 1}": part for place, part in enumerate(parts) if place >= len(fields)}

    def line_help(self) -> str:
        """Return what a record's values may be."""
        return ", ".join(f"{inner.heading(key)} ({inner.cell_help()})" for key, inner in self.fields.items())


def free_name(name: str, rows: list[Any]) -> str:
    """Return a name that no item of a list has, with the next free number if needed."""
    taken = {normalize(row["name"]) for row in rows if isinstance(row, dict) and isinstance(row.get("name"), str)}
    stem, number = re.sub(r" \d+$", "", name), 2
    while normalize(name) in taken:
        name, number = f"{stem[:20]} {number}", number + 1
    return name


def _name(row: object) -> Any:
    return row.get("name") if isinstance(row, Mapping) else row


def _name_in_brackets(row: object) -> str:
    """Return the name of a record in brackets, if it is valid."""
    name = row.get("name") if isinstance(row, Mapping) else None
    known = isinstance(name, str) and 1 <= len(name.strip()) <= 24 and name.isprintable()
    return f" ({name.strip()})" if known and isinstance(name, str) else ""
