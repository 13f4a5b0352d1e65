"""Import spreadsheets into a set; runs in the sandboxed process, because the files come from anyone."""

from collections.abc import Mapping
from typing import Any

from sparring.engine.content_faults import content_faults
from sparring.engine.errors import BadContent
from sparring.engine.formats.spreadsheets import parse_cells, read_cells, write_csv
from sparring.engine.game import Game
from sparring.engine.schema.columns import CellFault, ItemTable, guess_mapping, import_cells, item_tables

from .drafts import SheetPreview, SheetRequest

#: The most faults shown.
MOST = 60
WHERE = "Your spreadsheet"


def table_of(game: Game, part: str) -> ItemTable:
    """Return a list of a game's content as a table, by default the first. Raises BadContent if there is none."""
    tables = item_tables(game.form)
    if not tables or (part and part not in tables):
        raise BadContent(f"{game.title} has no such list to show as a table.")
    return tables[part or next(iter(tables))]


def imported(
    game: Game, data: Mapping[str, Any], options: Mapping[str, Any], request: SheetRequest
) -> tuple[dict[str, Any], SheetPreview]:
    """Return the data of a set after an import, and what changes."""
    table = table_of(game, request.part)
    cells = read_cells(request.data, WHERE) if request.data else parse_cells(request.text, WHERE)
    mapping = guess_mapping(table, cells[0]) if request.mapping is None else request.mapping
    text = write_csv(cells)
    try:
        result = import_cells(table, data, cells, mapping, remove=request.remove)
    except BadContent as problem:
        if request.apply:
            raise
        # The page shows the problem beside the choice of columns, where it can be fixed.
        return dict(data), SheetPreview(text, cells[0], list(mapping), [], 0, [CellFault("", str(problem))])
    faults = content_faults(game, result.data, options, "The set")
    titles = {column.key: column.title for column in table.columns}
    return result.data, SheetPreview(
        text=text, header=cells[0], mapping=list(mapping), changes=result.changes,
        unchanged=result.unchanged, faults=result.locate(faults[:MOST], titles),
    )  # fmt: skip
