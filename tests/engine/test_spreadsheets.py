"""Spreadsheets in and out: cells, columns, changes, and files meant to do harm."""

import csv
import io
import re
import zipfile
from pathlib import Path

import openpyxl
import pytest
from typer.testing import CliRunner

import sparring
from sparring.cli import app
from sparring.engine.errors import BadContent
from sparring.engine.formats.spreadsheets import (
    LARGEST_FILE,
    MOST_TAGS,
    ROWS,
    cell_name,
    parse_cells,
    read_cells,
    write_csv,
    write_xlsx,
)
from sparring.engine.formats.toml import read_toml
from sparring.engine.game import game
from sparring.engine.records import content_faults
from sparring.engine.schema.columns import guess_mapping, import_cells, item_tables
from wording import says

CARDS = [["Name", "Attack"], ["Kite Archer", "3"]]


def xlsx(rows: list[list[object]]) -> bytes:
    """Return a spreadsheet as another program would write it."""
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def refusal(data: bytes) -> str:
    """Return the sentence with which a file is refused."""
    with pytest.raises(BadContent) as problem:
        read_cells(data, "cards.xlsx")
    return str(problem.value)


def repacked(data: bytes, part: str, content: bytes) -> bytes:
    """Return an XLSX file with one part replaced or added."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name != part:
                new.writestr(name, old.read(name))
        new.writestr(part, content)
    return out.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv_of_every_spreadsheet_program_is_read(encoding: str, separator: str) -> None:
    text = separator.join(["Name", "Attack"]) + "\r\n" + separator.join(["Käthe", "3"]) + "\r\n"
    assert read_cells(text.encode(encoding), "cards.csv") == [["Name", "Attack"], ["Käthe", "3"]]


def test_xlsx_is_read_with_whole_numbers_and_formulas_as_text() -> None:
    data = xlsx([["Name", "Attack", "Health"], ["Kite Archer", 3, 2.0], [], ["Fox", "=B2+1", True]])
    assert read_cells(data, "cards.xlsx") == [
        ["Name", "Attack", "Health"], ["Kite Archer", "3", "2"], [], ["Fox", "=B2+1", "TRUE"],
    ]  # fmt: skip


@pytest.mark.parametrize("file_type", ["csv", "xlsx"])
def test_written_cells_are_read_back_and_are_never_formulas(file_type: str) -> None:
    rows = [["Name", "Attack", "Text"], ["=1+1", "-3", "@SUM(A1)"], ["Zoë, the “Fox”", "12", "two\nlines"]]
    data = write_csv(rows).encode() if file_type == "csv" else write_xlsx(rows, "Cards: [all]")
    assert read_cells(data, "cards") == rows
    if file_type == "csv":
        assert "\n'=1+1,-3,'@SUM" in data.decode()
    else:
        sheet = openpyxl.load_workbook(io.BytesIO(data)).active
        assert sheet["A2"].data_type == "s"
        assert sheet["B2"].value == -3


@pytest.mark.parametrize("text", ["x;1+1", "x\t1+1"])
def test_all_cells_are_quoted_if_a_text_has_delimiters_of_other_countries(text: str) -> None:
    written = write_csv([["Name", "Attack"], [text, 3]])
    assert written == f'"Name","Attack"\n"{text}","3"\n'


#: Texts with a formula behind everything that could begin a cell somewhere.
FORMULAS = [
    f"{before}{sign}1+1" for before in ("", "x;", "x\t", "x\n", 'x;"', 'x\t""', "x;;", 'x\n"') for sign in "=+-@\uff1d"
]


def formulas(written: str) -> list[str]:
    """Return the cells that a spreadsheet of any country would compute."""
    rows = (row for separator in ",;\t" for row in csv.reader(io.StringIO(written, newline=""), delimiter=separator))
    return [cell for row in rows for cell in row if re.match(r"[=+@\uff1d\t]|-(?![0-9]+$)", cell)]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_is_a_formula_in_no_country(text: str) -> None:
    rows = [["Name", "Text"], ["Fox", text], [text, "-3"]]
    assert formulas(write_csv(rows)) == []
    assert read_cells(write_csv(rows).encode(), "cards") == rows


@pytest.mark.parametrize("number", ["-3", "-3;4", "7\t-2"])
def test_numbers_are_written_as_they_are(number: str) -> None:
    assert number in write_csv([["Name"], [number]])


def test_all_csv_files_are_written_by_one_function() -> None:
    """So no exporter of any game needs a test of its own."""
    modules = Path(sparring.__file__).parent.rglob("*.py")
    writers = [file.name for file in modules if re.search(r"^\s*(import|from) csv\b", file.read_text(), re.MULTILINE)]
    assert writers == ["spreadsheets.py"]


def test_cells_are_named_as_in_spreadsheets() -> None:
    assert [cell_name(0, 0), cell_name(1, 2), cell_name(9, 26), cell_name(0, 701)] == ["A1", "C2", "AA10", "ZZ1"]


def test_files_that_are_too_large_are_refused() -> None:
    assert says(refusal(b"a" * (LARGEST_FILE + 1)), "too large", "1 MB")
    assert says(refusal(b"name\n" + b"x\n" * 600), "too many rows", "500")
    assert says(refusal(b"x," * 100), "too many columns")
    assert says(refusal(b"name\n" + b"x" * 2000), "A2", "too long")
    assert says(refusal(b" \n\n"), "empty")
    assert read_cells(b"name\nfox\n" + b"\n" * 5000, "cards.csv") == [["name"], ["fox"]]
    with pytest.raises(BadContent) as problem:
        parse_cells("name\n" + "\n" * 50_000, "cards.csv")
    assert says(str(problem.value), "too many rows")


def test_harmful_archives_are_refused_before_they_are_unpacked() -> None:
    good = xlsx([["Name"], ["Fox"]])
    bomb = repacked(good, "xl/worksheets/sheet1.xml", b"<worksheet>" + b" " * 40_000_000 + b"</worksheet>")
    assert len(bomb) < LARGEST_FILE
    assert says(refusal(bomb), "too large when unpacked")
    entities = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><worksheet>&b;</worksheet>'
    assert says(refusal(repacked(good, "xl/worksheets/sheet1.xml", entities)), "has a document type")
    assert says(refusal(repacked(good, "xl/worksheets/sheet1.txt", entities)), "has a document type")
    assert says(refusal(b"PK\x03\x04 and nothing else"), "XLSX", "read")
    assert says(refusal(repacked(good, "xl/worksheets/sheet1.xml", b"<not closed")), "isn't an XLSX file")


@pytest.mark.parametrize("sheet", [b"<c/>", b"<x>", b"<row/>", b"<row r='1'><c r='A1'/></row>"])
def test_small_files_with_countless_tags_are_refused_before_they_are_parsed(sheet: bytes) -> None:
    good = xlsx([["Name"], ["Fox"]])
    for part in ("xl/worksheets/sheet1.xml", "xl/styles.xml", "xl/sharedStrings.xml"):
        bomb = repacked(good, part, b"<worksheet>" + sheet * MOST_TAGS + b"</worksheet>")
        assert says(refusal(bomb), "too large when unpacked")
    assert len(bomb) < 24_000


def test_a_long_sheet_of_texts_is_read() -> None:
    rows = [[f"{row} {column}" for column in range(30)] for row in range(ROWS)]
    assert read_cells(xlsx([list[object](row) for row in rows]), "cards.xlsx") == rows


def test_a_row_far_below_does_not_cost_memory() -> None:
    sheet = (b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
             b'<row r="1"><c r="A1" t="inlineStr"><is><t>Name</t></is></c></row>'
             b'<row r="1048576"><c r="A1048576"><v>1</v></c></row></sheetData></worksheet>')  # fmt: skip
    assert read_cells(repacked(xlsx([["Name"]]), "xl/worksheets/sheet1.xml", sheet), "cards.xlsx") == [["Name"]]


@pytest.mark.parametrize("name", ["five-circles", "make-your-moves", "world-of-fighters", "untitled-movement"])
def test_every_list_of_a_game_survives_the_way_out_and_back(name: str) -> None:
    data = read_toml(game(name).content_text, "content.toml")
    for table in item_tables(game(name).form).values():
        cells = table.cells(data.get(table.key, []))
        again = parse_cells(write_csv(cells), "cards.csv")
        result = import_cells(table, data, again, guess_mapping(table, again[0]), remove=True)
        assert (result.changes, result.unchanged) == ([], len(data.get(table.key, [])))
        assert not content_faults(game(name), result.data, game(name).preset(game(name).recommended), "x")


def test_rows_change_items_of_the_same_name_and_add_others() -> None:
    five = game("five-circles")
    data = read_toml(five.content_text, "content.toml")
    table = item_tables(five.form)["cards"]
    cells = [["Card name", "ATTACK", "stat", "health", "Abilities"],
             ["kite archer", "1", "red", "1", "target"], ["New Hero", "2", "Red; blue", "4", ""]]  # fmt: skip
    mapping = guess_mapping(table, cells[0])
    assert mapping == ["name", "attack", "stat", "health", "abilities"]
    result = import_cells(table, data, cells, mapping)
    assert [(change.kind, change.name) for change in result.changes] == [
        ("changed", "kite archer"),
        ("added", "New Hero"),
    ]
    assert result.changes[0].fields["Attack"] == ("2", "1")
    assert result.data["cards"][-1] == {"name": "New Hero", "stat": ["Red", "Blue"], "attack": 2, "health": 4}
    assert len(data["cards"]) + 1 == len(result.data["cards"])


def test_entries_that_are_no_items_are_kept_or_named_as_removed() -> None:
    table = item_tables(game("five-circles").form)["cards"]
    data = {"cards": ["a note", {"name": "Fox", "attack": 1}]}
    cells = [["Name", "Attack"], ["Fox", "2"]]
    kept = import_cells(table, data, cells, ["name", "attack"])
    assert kept.data["cards"] == ["a note", {"name": "Fox", "attack": 2}]
    result = import_cells(table, data, cells, ["name", "attack"], remove=True)
    assert result.data["cards"] == [{"name": "Fox", "attack": 2}]
    assert [change.sentence for change in result.changes][1:] == ["a note removed"]
    with pytest.raises(BadContent) as problem:
        import_cells(table, {"cards": "none"}, cells, ["name", "attack"])
    assert says(str(problem.value), "must be a list")


def test_faults_name_their_cells() -> None:
    five = game("five-circles")
    data = read_toml(five.content_text, "content.toml")
    table = item_tables(five.form)["cards"]
    cells = [["Name", "Stat", "Attack", "Health", "Abilities"], ["Big One", "Red, Pink", "=A1", "2", "Fast, Flying"]]
    result = import_cells(table, data, cells, guess_mapping(table, cells[0]))
    faults = result.locate(content_faults(five, result.data, {}, "x"), {c.key: c.title for c in table.columns})
    by_cell = {fault.cell: fault.words for fault in faults}
    assert says(by_cell["B2"], "not Pink")
    assert says(by_cell["C2"], "Attack", "whole number")
    assert says(by_cell["E2"], "no ability called Flying")


def test_two_columns_for_one_field_and_none_for_the_name_are_refused() -> None:
    table = item_tables(game("five-circles").form)["cards"]
    with pytest.raises(BadContent) as problem:
        import_cells(table, {}, [["a", "b"]], ["name", "name"])
    assert says(str(problem.value), "A1 and B1", "Name")
    with pytest.raises(BadContent) as problem:
        import_cells(table, {}, [["a", "b"]], ["attack", ""])
    assert says(str(problem.value), "No column has the names")


def test_the_command_exports_imports_and_writes_nothing_if_a_cell_is_wrong(tmp_path: Path) -> None:
    sheet, toml = tmp_path / "cards.xlsx", tmp_path / "mine.toml"
    run = CliRunner().invoke
    assert run(app, ["sheet", "export", "world-of-fighters", str(sheet)]).exit_code == 0
    book = openpyxl.load_workbook(sheet)
    header = [cell.value for cell in book.active[1]]
    punch = book.active.cell(2, header.index("Punch") + 1)
    punch.value = 99
    book.save(sheet)
    arguments = ["sheet", "import", "world-of-fighters", str(sheet), "--to", str(toml)]
    result = run(app, arguments)
    assert isinstance(result.exception, BadContent)
    assert says(str(result.exception), rf"{punch.coordinate}: Punch", "not 99")
    assert not toml.exists()
    punch.value = 0
    book.save(sheet)
    result = run(app, arguments)
    assert result.exit_code == 0, result.exception
    assert says(result.output, "Punch", "to 0")
    assert game("world-of-fighters").read_content(toml)
