"""Read and write tables of text cells as CSV or XLSX, also from untrusted sources.

Every cell is text: a formula is never computed, and a written cell never becomes one. Limits are checked before a file
is unpacked. XLSX needs openpyxl (the extra `sheets`); CSV needs nothing.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sparring.engine.errors import BadContent
from sparring.engine.plugins import missing_extra

from .toml import ENTRIES, LONGEST_TEXT

#: The maximum size of a file in bytes, and of an XLSX file after unpacking, with its number of parts and of XML tags:
#: parsing a tag can take 20 microseconds, and millions of equal ones fit into 20 kB.
LARGEST_FILE = 1024 * 1024
LARGEST_UNPACKED = 4 * 1024 * 1024
MOST_PARTS, MOST_TAGS = 200, 150_000
#: The maximum number of rows (with the header) and columns.
ROWS, COLUMNS = ENTRIES + 1, 60

#: The number of rows, empty ones included, after which reading stops. Spreadsheets write many empty rows below a table.
BLANK_ROWS = 20_000

#: Where spreadsheets would read a formula, unless an apostrophe comes first: at the beginning of a cell, and after what
#: separates cells or rows in other countries, which read the quotation marks of CSV differently.
_BEGINS, _SIGNS = r'(\A|[;\t\r\n]"*)', "[=+@\\-\uff1d\uff0b\uff20\uff0d]"
_NO_NUMBER = r'(?!-[0-9]{1,14}(?:[;\t\r\n"]|\Z))'
FORMULA = re.compile(rf"{_BEGINS}(?={_SIGNS}|(?<=\A)[\t\r]){_NO_NUMBER}")
WRITTEN_FORMULA = re.compile(rf"{_BEGINS}'(?={_SIGNS}|[\t\r])")
#: Control characters, which XLSX can't contain.
FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")

Cells = list[list[str]]


def read_cells(data: bytes, where: str) -> Cells:
    """Return the cells of a CSV file or of the first sheet of an XLSX file. Raises BadContent, which names `where`."""
    if len(data) > LARGEST_FILE:
        raise BadContent(f"{where} is too large; a spreadsheet must have at most 1 MB.")
    rows = _read_xlsx(data, where) if data.startswith(b"PK\x03\x04") else _read_csv(_decoded(data, where), where)
    return _checked(rows, where)


def parse_cells(text: str, where: str) -> Cells:
    """Return the cells of CSV text, or of a range copied from a spreadsheet (tabs between cells)."""
    if len(text) > LARGEST_FILE:
        raise BadContent(f"{where} is too large; a spreadsheet must have at most 1 MB.")
    return _checked(_read_csv(text, where), where)


def write_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV. What looks like a formula gets an apostrophe, which `read_cells` removes.

    If a text contains a semicolon or a tab, all cells are quoted: spreadsheets in some countries split cells there.
    """
    cells = [[_without_formula(cell) for cell in row] for row in rows]
    split = any(isinstance(cell, str) and (";" in cell or "\t" in cell) for row in cells for cell in row)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL if split else csv.QUOTE_MINIMAL).writerows(cells)
    return out.getvalue()


def _without_formula(cell: object) -> Any:
    return cell if cell is None or isinstance(cell, int | float) else FORMULA.sub(r"\1'", str(cell))


def write_xlsx(rows: Sequence[Sequence[str]], title: str) -> bytes:
    """Return rows as an XLSX file with one sheet. Whole numbers are numbers; everything else is text."""
    openpyxl = _openpyxl()
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "".join(char for char in title if char not in r"[]:*?/\\")[:31] or "Sheet"
    sheet.freeze_panes = "A2"
    for number, row in enumerate(rows, 1):
        for column, cell in enumerate(row, 1):
            place = sheet.cell(number, column)
            place.value = int(cell) if _is_number(cell) else FORBIDDEN.sub("", cell)
            if not _is_number(cell):
                place.data_type = "s"  # never a formula
            place.font = openpyxl.styles.Font(bold=number == 1)
    for column in range(1, len(rows[0]) + 1 if rows else 1):
        longest = max((len(row[column - 1]) for row in rows), default=8)
        sheet.column_dimensions[openpyxl.utils.get_column_letter(column)].width = min(max(longest + 2, 8), 60)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def cell_name(row: int, column: int) -> str:
    """Return the name of a cell as spreadsheets write it; both numbers count from 0: (1, 2) is `C2`."""
    letters, column = "", column + 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row + 1}"


def _is_number(cell: str) -> bool:
    return cell.removeprefix("-").isascii() and cell.removeprefix("-").isdigit() and len(cell) < 16


def _decoded(data: bytes, where: str) -> str:
    """Decode the encodings in which spreadsheets write CSV: UTF-8, UTF-16 with its mark, and Windows."""
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise BadContent(f"{where} isn't a spreadsheet. Save it as CSV or XLSX.")


def _read_csv(text: str, where: str) -> Iterator[list[str]]:
    head = text.split("\n", 1)[0]
    separator = max("\t;,", key=head.count)
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    except csv.Error as problem:
        raise BadContent(f"{where} isn't CSV: {problem}.") from None


def _read_xlsx(data: bytes, where: str) -> Iterator[list[str]]:
    openpyxl = _openpyxl()
    try:
        _check_archive(data, where)
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
        sheet = next((one for one in book.worksheets if one.sheet_state == "visible"), None)
        if sheet is None:
            raise BadContent(f"{where} has no visible sheet.")
        for row in sheet.iter_rows(max_row=ROWS + 1, max_col=COLUMNS + 1, values_only=True):
            yield [_cell_text(value) for value in row]
    except BadContent:
        raise
    except Exception:  # noqa: BLE001 - the parser raises anything on hostile input
        raise BadContent(f"{where} isn't an XLSX file that can be read. Save it again, or as CSV.") from None


def _check_archive(data: bytes, where: str) -> None:
    """Refuse archives that unpack to too much, and XML with document types, which could define entities."""
    too_large = f"{where} is too large when unpacked; save only the sheet with the cards."
    tags = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
            raise BadContent(too_large)
        for part in parts:
            # `read` never returns more than the size declared above. Any part may be a sheet, whatever its name.
            content = archive.read(part).replace(b"\0", b"")
            if (tags := tags + content.count(b"<")) > MOST_TAGS:
                raise BadContent(too_large)
            if b"<!DOCTYPE" in content:
                raise BadContent(
                    f"{where} isn't an XLSX file that can be read: {part.filename[:60]} has a document type."
                )


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _openpyxl() -> Any:
    try:
        import openpyxl
        import openpyxl.styles
        import openpyxl.utils
    except ImportError:
        raise BadContent(missing_extra("XLSX files need openpyxl; CSV files don't", "sheets")) from None
    return openpyxl


def _checked(rows: Iterator[list[str]], where: str) -> Cells:
    """Return the rows as clean text, without empty rows and columns at the end. Raises BadContent beyond a limit."""
    cells = Cells()
    for number, row in enumerate(rows):
        texts = [_clean(cell) for cell in row]
        while texts and not texts[-1]:
            texts.pop()
        if number >= (ROWS if texts else BLANK_ROWS):
            raise BadContent(f"{where} has too many rows; a spreadsheet must have at most {ROWS - 1} below its header.")
        if len(texts) > COLUMNS:
            raise BadContent(f"{where} has too many columns; a spreadsheet must have at most {COLUMNS}.")
        for column, text in enumerate(texts):
            if len(text) > LONGEST_TEXT:
                name = cell_name(number, column)
                raise BadContent(f"{where}: {name} is too long; a cell must have at most {LONGEST_TEXT} characters.")
        cells.append(texts)
    while cells and not cells[-1]:
        cells.pop()
    if not cells:
        raise BadContent(f"{where} is empty.")
    return cells


def _clean(cell: str) -> str:
    return WRITTEN_FORMULA.sub(r"\1", cell.strip())
