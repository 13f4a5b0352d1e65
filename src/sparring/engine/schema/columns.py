"""The lists of a content file as tables, and importing such a table: match columns and items, list the changes."""

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import msgspec

from sparring.engine.errors import BadContent, ContentFault
from sparring.engine.formats import normalize
from sparring.engine.formats.spreadsheets import Cells, cell_name

from .containers import ListField, RecordField
from .field import Field, shortened, words_of


@dataclass(frozen=True)
class Column:
    """A column: the field's key, its title for people, and the field."""

    key: str
    title: str
    field: Field


@dataclass(frozen=True)
class ItemTable:
    """A list of the content that can be a table: its key, its title, the field of its items and its columns."""

    key: str
    title: str
    one: str
    record: RecordField
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

    def cells(self, rows: object) -> list[list[str]]:
        """Return the header and the cells of the list's items."""
        items = [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
        body = [[column.field.cell_text(row.get(column.key)) for column in self.columns] for row in items]
        return [[column.title for column in self.columns], *body]


def item_tables(form: RecordField) -> dict[str, ItemTable]:
    """Return the lists of a form whose items have names, by key."""
    return {
        key: ItemTable(key, field.heading(key), field.one, field.of, tuple(_columns(field.of)), field.high)
        for key, field in form.fields.items()
        if isinstance(field, ListField) and isinstance(field.of, RecordField) and field.has_names
    }


def _columns(record: RecordField) -> Iterator[Column]:
    for key, field in record.fields.items():
        if field.fits_cell:
            # The key is short and unambiguous; titles of lists may be sentences.
            yield Column(key, words_of(key) if isinstance(field, ListField) else field.heading(key), field)


def is_blank(row: Sequence[str]) -> bool:
    """Return whether a row of cells is empty."""
    return not any(cell.strip() for cell in row)


class SheetChange(msgspec.Struct, frozen=True):
    """What an import does to an item: add, change or remove it; `fields` has the old and new text of each cell."""

    kind: str
    name: str
    fields: dict[str, tuple[str, str]] = {}

    @property
    def sentence(self) -> str:
        """The change in one line: `Kite Archer changed: Attack 2 to 3`."""
        if self.kind != "changed":
            return f"{self.name or 'An item without a name'} {self.kind}"
        fields = ", ".join(
            f"{title} {old or 'nothing'} to {new or 'nothing'}" for title, (old, new) in self.fields.items()
        )
        return f"{self.name} changed: {fields}"


class CellFault(msgspec.Struct, frozen=True):
    """A fault in a cell, named as spreadsheets name it (`C4`), or in no cell if `cell` is empty."""

    cell: str
    words: str

    @property
    def sentence(self) -> str:
        """The fault in one line."""
        return f"{self.cell}: {self.words}" if self.cell else self.words


class SheetImport(msgspec.Struct):
    """The content after an import, with its changes and the cell from which each field came."""

    data: dict[str, Any]
    changes: list[SheetChange]
    unchanged: int
    #: The row of the spreadsheet for each item, and the column for each field.
    rows: dict[int, int]
    columns: dict[str, int]
    key: str

    def locate(self, faults: Sequence[ContentFault], column_titles: Mapping[str, str]) -> list[CellFault]:
        """Return faults by cell, as far as they are about imported items; the others name no cell."""
        located = []
        for fault in faults:
            place = fault.at[1] if len(fault.at) > 1 and fault.at[0] == self.key else None
            row = self.rows.get(place) if isinstance(place, int) else None
            field = str(fault.at[2]) if len(fault.at) > 2 else "name"
            if row is None:
                located.append(CellFault("", str(fault)))
            elif field in self.columns:
                title = column_titles.get(field, field)
                words = fault.sentence if fault.sentence.startswith(title) else f"{title}: {fault.sentence}"
                located.append(CellFault(cell_name(row, self.columns[field]), words))
            else:
                located.append(CellFault(f"row {row + 1}", fault.sentence))
        return located


def guess_mapping(table: ItemTable, header: Sequence[str]) -> list[str]:
    """Return the key of the column that each header names; an empty text for none, and for repeated headers."""
    keys = [table.matching(cell) for cell in header]
    return [key if key and key not in keys[:place] else "" for place, key in enumerate(keys)]


def import_cells(
    table: ItemTable, data: Mapping[str, Any], cells: Cells, mapping: Sequence[str], *, remove: bool = False
) -> SheetImport:
    """Import rows below a header into a copy of `data`.

    `mapping` gives the field of each column, or an empty text to leave the column out. A row changes the item of the
    same name and keeps its other fields, or adds a new item. With `remove`, items that the table doesn't name go.
    Raises BadContent if no column has the names, or two columns have the same field.
    """
    columns = _columns_by_key(table, mapping)
    after: dict[str, Any] = deepcopy(dict(data))
    items = after.get(table.key, [])
    if not isinstance(items, list):
        raise BadContent(f"{table.title} must be a list in this set. Mend it in the editor first.")
    places = {normalize(str(item.get("name", ""))): place for place, item in enumerate(items) if isinstance(item, dict)}
    named, rows, changes = set[str](), dict[int, int](), list[SheetChange]()
    for number, row in enumerate(cells[1:], 1):
        if is_blank(row):
            continue
        texts = {key: row[column] if column < len(row) else "" for key, column in columns.items()}
        name = normalize(texts["name"])
        place = places.get(name) if name and name not in named else None
        if place is None:
            place = len(items)
            items.append({})
        new = not items[place]
        named.add(name)
        fields = _write(table, items[place], texts)
        rows[place] = number
        if new or fields:
            changes.append(SheetChange("added" if new else "changed", texts["name"], fields))
    kept = [place for place in range(len(items)) if place in rows or not remove]
    changes += [SheetChange("removed", str(item.get("name", "")) if isinstance(item, dict) else shortened(item))
                for place, item in enumerate(items) if place not in kept]  # fmt: skip
    if len(kept) > table.most:
        raise BadContent(f"There would be {len(kept)} {table.one}s; at most {table.most} are possible.")
    after[table.key] = [items[place] for place in kept]
    unchanged = len(kept) - sum(change.kind != "removed" for change in changes)
    return SheetImport(
        after, changes, unchanged, {kept.index(place): row for place, row in rows.items()}, columns, table.key
    )


def _columns_by_key(table: ItemTable, mapping: Sequence[str]) -> dict[str, int]:
    columns = dict[str, int]()
    for place, key in enumerate(mapping):
        column = table.column(key) if key else None
        if key and column is None:
            raise BadContent(f"{table.title} have no column {key[:40]}.")
        if column and key in columns:
            first, second = cell_name(0, columns[key]), cell_name(0, place)
            raise BadContent(f"{first} and {second} are both used for {column.title}. Choose one column for each.")
        if column:
            columns[key] = place
    if "name" not in columns:
        raise BadContent("No column has the names. Choose the column with the names, or give it the header Name.")
    return columns


def _write(table: ItemTable, item: dict[str, Any], texts: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Write a row's cells into an item; return the old and new text of what changed."""
    changed = dict[str, tuple[str, str]]()
    for column in table.columns:
        if column.key not in texts:
            continue
        text = texts[column.key]
        old = column.field.cell_text(item.get(column.key))
        if not text and (column.key not in item or not column.field.required):
            item.pop(column.key, None)  # an empty cell means the default
        else:
            item[column.key] = column.field.cell_value(text)
        new = column.field.cell_text(item.get(column.key))
        if old != new:
            changed[column.title] = (old, new)
    return changed
