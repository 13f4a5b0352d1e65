"""The lists of a content file as tables: a row for each item, a column for each field that fits into a cell."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sparring.engine.formats.spelling import normalize

from .containers import Field, ListField, RecordField
from .fields import Choice, Drawing, Integer, Map, Tally, Text

#: Fields with one value that fits into a part of a cell.
_SINGLE = (Text, Integer, Choice)


@dataclass(frozen=True)
class Column:
    """A column: the field's key, its title for people, and the field."""

    key: str
    title: str
    field: Field


@dataclass(frozen=True)
class ItemTable:
    """A list of the content that can be a table: its key, its title and its columns."""

    key: str
    title: str
    one: str
    columns: tuple[Column, ...]
    most: int

    def column(self, key: str) -> Column | None:
        """Return the column of a field, or None."""
        return next((column for column in self.columns if column.key == key), None)

    def matching(self, header: str) -> str:
        """Return the key of the column that a header names, or an empty text. `Card` is the name of the card."""
        wanted = normalize(header)
        for column in self.columns:
            if wanted and wanted in (normalize(column.key), normalize(column.title), f"{normalize(column.key)}s"):
                return column.key
        return "name" if wanted in (normalize(self.one), f"{normalize(self.one)}name") else ""

    def cells(self, rows: Any) -> list[list[str]]:
        """Return the header and the cells of the list's items."""
        items = [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
        body = [[cell_text(column.field, row.get(column.key)) for column in self.columns] for row in items]
        return [[column.title for column in self.columns], *body]


def item_tables(form: RecordField) -> dict[str, ItemTable]:
    """Return the lists of a form whose items have names, by key."""
    return {
        key: ItemTable(key, field.title or _words(key), field.one, tuple(_columns(field.of)), field.high)
        for key, field in form.fields.items()
        if isinstance(field, ListField) and isinstance(field.of, RecordField) and "name" in field.of.fields
    }


def _columns(record: RecordField) -> Iterator[Column]:
    for key, field in record.fields.items():
        if isinstance(field, Text | Integer | Choice | Map | Tally) or (
            isinstance(field, ListField) and (isinstance(field.of, _SINGLE) or _is_flat(field.of))
        ):
            # The key is short and unambiguous; titles of lists may be sentences.
            yield Column(key, _words(key) if isinstance(field, ListField) else field.title or _words(key), field)


def _is_flat(field: Field) -> bool:
    """Return whether a field is a record that fits into a cell: one line of single values."""
    return isinstance(field, RecordField) and all(isinstance(one, _SINGLE) for one in field.fields.values())


def cell_text(field: Field, value: Any) -> str:
    """Return a value as the text of a cell: lists with commas, counts as `5 Red, 6 Blue`.

    Lists of records have a semicolon between them: `played, damage, opponent, 2; hit, draw, you, 1`.
    """
    if value is None or isinstance(field, Drawing):
        return ""
    if isinstance(field, Map):
        return "\n".join(map(str, value) if isinstance(value, list | tuple) else str(value).split())
    if isinstance(field, ListField) and isinstance(field.of, RecordField) and isinstance(value, list | tuple):
        return "; ".join(", ".join(str(row.get(key, one.default)) for key, one in field.of.fields.items())
                         for row in value if isinstance(row, Mapping))  # fmt: skip
    if isinstance(value, Mapping):
        return ", ".join(f"{count} {kind}" for kind, count in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


def cell_value(field: Field, text: str) -> Any:
    """Return the value of a cell. Text that doesn't fit the field stays text, which the game then reports."""
    text = text.strip()
    if isinstance(field, ListField) and isinstance(field.of, RecordField):
        return [_record(field.of, part) for part in re.split(r"\s*[;\n]\s*", text) if part]
    if isinstance(field, ListField):
        parts = [part for part in re.split(r"\s*[,;|\n]\s*", text) if part]
        return [cell_value(field.of, part) for part in parts]
    if isinstance(field, Tally):
        return _counts(field, text)
    if isinstance(field, Choice):
        return next((known for known in field.values if normalize(str(known)) == normalize(text)), text)
    if isinstance(field, Integer):
        return int(text) if re.fullmatch(r"[+-]?[0-9]{1,17}", text) else text
    if isinstance(field, Map):
        return "\n".join(text.split()) + "\n"
    return " ".join(text.split())


def cell_help(field: Field) -> str:
    """Return what a cell of a field's column may contain, for people who fill in a spreadsheet."""
    if isinstance(field, ListField) and isinstance(field.of, RecordField):
        parts = (f"{one.title or _words(key)} ({cell_help(one)})" for key, one in field.of.fields.items())
        return f"{', '.join(parts)}; several with semicolons"
    if isinstance(field, ListField):
        return f"{cell_help(field.of)}; several with commas"
    if isinstance(field, Choice):
        return ", ".join(map(str, field.values))
    if isinstance(field, Integer):
        return f"{field.low} to {field.high}"
    if isinstance(field, Tally):
        return f"counts such as {', '.join(f'5 {kind}' for kind in field.kinds[:2])}"
    if isinstance(field, Map):
        return f"a drawing of {'  '.join(field.signs)}, one row per line"
    assert isinstance(field, Text)
    return f"names of {_words(field.names_of).lower()}" if field.names_of else f"up to {field.max_length} characters"


def _record(record: RecordField, text: str) -> dict[str, Any]:
    """Return a record from its values in order; the game reports a value too many under its number."""
    names = list(record.fields)
    parts = re.split(r"\s*,\s*", text)
    return {
        names[place] if place < len(names) else f"value {place + 1}":
        cell_value(record.fields[names[place]], part) if place < len(names) else part
        for place, part in enumerate(parts)
    }  # fmt: skip


def _counts(field: Tally, text: str) -> Any:
    """Return counts by kind from `5 Red, 6 Blue` or `Red 5, Blue 6`; other text stays text."""
    kinds, counts = {normalize(kind): kind for kind in field.kinds}, dict[str, int]()
    for part in filter(None, re.split(r"\s*[,;\n]\s*", text)):
        found = re.fullmatch(r"([0-9]{1,3})\s*x?\s*(\D+)|(\D+?)\s*x?\s*([0-9]{1,3})", part)
        if not found:
            return text
        kind, count = found[2] or found[3], found[1] or found[4]
        counts[kinds.get(normalize(kind), kind.strip())] = int(count)
    return counts


def is_blank(row: Sequence[str]) -> bool:
    """Return whether a row of cells is empty."""
    return not any(cell.strip() for cell in row)


def _words(key: str) -> str:
    return key.replace("_", " ").capitalize()
