"""The sheet commands: export cards, fighters and boards to a spreadsheet, and import them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sparring.engine.errors import BadContent

from .common import Content, Options, Preset, find, out, settings

if TYPE_CHECKING:
    from sparring.engine.game import Game
    from sparring.engine.schema.columns import ItemTable

app = typer.Typer(help="Exchange cards, fighters or boards with a spreadsheet (CSV or XLSX).", no_args_is_help=True)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="The game's name.")]
Part = Annotated[str, typer.Option(metavar="LIST", help="The list, such as cards or decks (default: the first one).")]


@app.command("export")
def export_sheet(
    game: GameName,
    to: Annotated[
        Path, typer.Argument(metavar="FILE", help="Write this file, in the format of its ending (.csv or .xlsx).")
    ],
    content: Content = None,
    part: Part = "",
) -> None:
    """Write a list of a content file as a spreadsheet, one row for each item."""
    from sparring.engine.formats.spreadsheets import write_csv, write_xlsx

    chosen = find(game)
    table = find_table(chosen, part)
    rows = table.cells(content_data(chosen, content).get(table.key))
    match to.suffix.lower():
        case ".csv":
            file = write_csv(rows).encode()
        case ".xlsx":
            file = write_xlsx(rows, table.title)
        case _:
            raise BadContent(f"The file must end in .csv or .xlsx, not {to.name}.")
    write_file(to, file)
    out.print(f"Saved {len(rows) - 1} {table.one}s to {to}.", markup=False)


@app.command("import")
def import_sheet(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A CSV or XLSX file; its first row has the headers.")],
    to: Annotated[Path, typer.Option(metavar="FILE", help="Write the new content file here.")],
    content: Content = None,
    part: Part = "",
    column: Annotated[
        list[str] | None,
        typer.Option("--column", metavar="FIELD=HEADER", help="Read a field from this column (repeatable)."),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove items that the spreadsheet doesn't name.")] = False,
    option: Options = None,
    preset: Preset = None,
) -> None:
    """Read items from a spreadsheet into a copy of a content file. Rows change items of the same name or add new ones.

    Prints the changes. If a cell is wrong, names it and writes nothing.
    """
    from sparring.engine.formats.spreadsheets import read_cells
    from sparring.engine.formats.toml import write_toml
    from sparring.engine.options import with_options
    from sparring.engine.records import content_faults
    from sparring.engine.schema.columns import import_cells

    chosen = find(game)
    table = find_table(chosen, part)
    options = settings(chosen, option, preset, content)
    cells = read_cells(read_file(file), file.name)
    mapping = read_mapping(table, cells[0], column or [])
    result = import_cells(table, content_data(chosen, content), cells, mapping, remove=remove)
    faults = content_faults(chosen, result.data, options, to.name)
    if faults:
        titles = {one.key: one.title for one in table.columns}
        raise BadContent(*(f"{file.name}: {fault.sentence}" for fault in result.locate(faults, titles)))
    text = write_toml(result.data)
    if content and chosen.file_options(content) is not None:
        text = with_options(text, options)
    write_file(to, text.encode())
    for change in result.changes:
        out.print(change.sentence, markup=False)
    out.print(f"{result.unchanged} unchanged. Saved to {to}.", markup=False)


def find_table(game: "Game", part: str) -> "ItemTable":
    """Return a list of a game's content as a table. Raises BadContent if there is none of this name."""
    from sparring.engine.schema.columns import item_tables

    tables = item_tables(game.form) if game.has_content else {}
    if not tables:
        raise BadContent(f"{game.title} has no list of cards, fighters or boards.")
    if part and part not in tables:
        raise BadContent(f"--part must be {' or '.join(tables)}, not {part}.")
    return tables[part or next(iter(tables))]


def read_mapping(table: "ItemTable", header: list[str], given: list[str]) -> list[str]:
    """Return the field of each column: as given by `FIELD=HEADER`, otherwise by the header."""
    from sparring.engine.schema.columns import guess_mapping

    mapping = guess_mapping(table, header)
    for text in given:
        key, _, wanted = text.partition("=")
        if table.column(key) is None or wanted not in header:
            known = ", ".join(one.key for one in table.columns)
            raise BadContent(
                f"--column must be FIELD=HEADER with a field ({known}) and a header of the file, not {text}."
            )
        mapping = ["" if one == key else one for one in mapping]
        mapping[header.index(wanted)] = key
    return mapping


def content_data(game: "Game", file: Path | None) -> dict[str, Any]:
    """Return the data of a content file, by default of the game's own."""
    from sparring.engine.formats.toml import read_toml
    from sparring.engine.options import split_options

    if file is None:
        return read_toml(game.content_text, "content.toml")
    try:
        return split_options(read_toml(read_file(file).decode(), file.name), game.options(), file.name)[0]
    except UnicodeDecodeError:
        raise BadContent(f"{file.name} isn't a UTF-8 text file.") from None


def read_file(file: Path) -> bytes:
    """Read a file. Raises BadContent if that fails."""
    try:
        return file.read_bytes()
    except OSError as problem:
        raise BadContent(f"Can't read {file}: {problem.strerror or problem}.") from None


def write_file(file: Path, data: bytes) -> None:
    """Write a file. Raises BadContent if that fails."""
    try:
        file.write_bytes(data)
    except OSError as problem:
        raise BadContent(f"Can't write {file}: {problem.strerror or problem}.") from None
