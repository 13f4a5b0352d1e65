"""The lists of a content file as tables: a row for each item, a column for each field that fits into a cell."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sparring.engine.formats.spelling import normalize

from .containers import ListField, RecordField
from .field import Field, words_of


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
