"""The sandboxed process that reads, edits, checks and previews sets, and imports spreadsheets into them."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from markupsafe import Markup

from sparring.engine.errors import BadContent, SparringError, Step
from sparring.engine.formats.spreadsheets import parse_cells, read_cells, write_csv
from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import Game
from sparring.engine.game import game as find_game
from sparring.engine.options import read_options, split_options
from sparring.engine.records import content_faults
from sparring.engine.schema import RecordField
from sparring.engine.schema.columns import CellFault, guess_mapping, import_cells
from sparring.engine.schema.field import along
from sparring.scene import Board, Face
from sparring.scene.boards import board_svg
from sparring.scene.card_faces import face_svg
from sparring.scene.components import PreviewBars, PreviewCurves, PreviewText, StatSheet
from sparring.scene.markup import SeatNames, el, join
from sparring.scene.sentences import counted
from sparring.tables.workers.bot_worker import answer_all, bound_memory

from .edits import apply, describe_path, looked_at
from .sandboxes import DraftResult, DrawnItem, FieldFault, MisfitValue, SetDraft, SheetPreview, SheetRequest, table_of

#: Descriptions of edits in the history.
DONE = {
    "add": "Item added to {}", "copy": "{} copied", "remove": "{} removed", "up": "{} moved", "down": "{} moved",
    "reset": "{} reset", "rename": "{} renamed", "set": "{} changed", "cell": "{} changed",
    "template": "{} started again",
    "option": "Option {} changed",
}  # fmt: skip
#: The largest number of faults reported.
MOST = 60

#: A small plot's width and height, in SVG units.
PLOT = (80, 22)

#: What faults of an import call it.
SPREADSHEET = "Your spreadsheet"


def main() -> None:
    """Answer until the input ends."""
    with suppress(ImportError):
        import openpyxl  # noqa: F401 - loading it must not count against the time of the first spreadsheet
    bound_memory()
    answer_all(SetDraft, draft)


def draft(request: SetDraft) -> DraftResult:
    """Apply edits to a set; return it with its faults and preview."""
    if not request.game:
        return DraftResult()
    try:
        return _draft(find_game(request.game), request)
    except SparringError as problem:
        return DraftResult(problem=str(problem))
    except Exception as problem:  # noqa: BLE001 - a bug in a game's reader mustn't stop the process
        sys.stderr.write(f"A set of {request.game} failed to read: {type(problem).__name__}\n")
        return DraftResult(problem=f"{request.where} can't be read.")


def _draft(game: Game, request: SetDraft) -> DraftResult:
    data, own = split_options(read_toml(request.toml, request.where), game.options(), request.where)
    options = dict(request.options if own is None else own)
    description = ""
    for edit in request.edits:
        words = describe_path(game.form, data, edit.at)
        apply(game.form, data, options, edit)
        description = DONE[edit.do].format(
            words if edit.do not in ("set", "cell") else describe_path(game.form, data, edit.at)
        )
    if request.edits:
        options |= looked_at(game.options(), data, request.at)
    toml, sheet = request.toml, None
    if request.sheet:
        changed, sheet = imported(game, data, options, request.sheet)
        if request.sheet.apply:
            data = changed
            description = f"{counted(len(sheet.changes), 'change')} from a spreadsheet"
    if request.edits or own is not None or (request.sheet and request.sheet.apply):
        toml = write_toml(data)
        data = read_toml(toml, request.where)
    faults = [
        FieldFault(list(fault.at), fault.sentence)
        for fault in content_faults(game, data, options, request.where)[:MOST]
    ]
    drawn, misfits = preview_html(game, data, options, request.at)
    return DraftResult(
        toml=toml,
        options=options,
        data=msgspec.to_builtins(data),
        faults=faults,
        description=description,
        preview=drawn,
        misfits=misfits,
        gallery=gallery(game, data, options, request.gallery) if request.gallery else [],
        sheet=sheet,
    )


def preview_html(
    game: Game, data: Mapping[str, Any], options: Mapping[str, Any], at: Sequence[Step]
) -> tuple[str, list[MisfitValue]]:
    """Return the preview as HTML, and values that no longer fit. It shows as much as possible of a faulty set."""
    if game.preview is None:
        return "", []
    try:
        chosen = read_options(game.name, game.options(data), options)
        html = str(join(map(_part, game.preview.preview(data, chosen, tuple(at)))))
        misfits = getattr(game.preview, "misfits", None)
        return html, [MisfitValue(*value) for value in misfits(data, chosen, tuple(at))] if misfits else []
    except SparringError:
        return "", []
    except Exception as problem:  # noqa: BLE001 - without a preview the edit is still stored
        sys.stderr.write(f"Drawing the preview of a set of {game.name} failed: {type(problem).__name__}\n")
        return "", []


def gallery(game: Game, data: Mapping[str, Any], options: Mapping[str, Any], part: str) -> list[DrawnItem]:
    """Return each item of a list as its game draws it, with its cost (the circles on it) and the sum of its budget."""
    rows = data.get(part)
    record = along(game.form, data, (part, 0))[-1].field
    drawn = []
    for number, row in enumerate(rows if isinstance(rows, list) else []):
        picture = _first_picture(game, data, options, (part, number))
        numbers = dict[str, int]()
        if isinstance(picture, Face) and any(picture.circles):
            numbers["Cost"] = sum(map(bool, picture.circles))
        if isinstance(record, RecordField) and record.shared_budget and isinstance(row, Mapping):
            values = [row.get(key) for key in record.shared_budget]
            numbers["Sum"] = sum(value for value in values if type(value) is int)
        drawn.append(DrawnItem(str(_part(picture)) if picture else "", numbers))
    return drawn


def _first_picture(
    game: Game, data: Mapping[str, Any], options: Mapping[str, Any], at: Sequence[Step]
) -> Face | Board | None:
    """Return the face or board that the game's preview shows for an item; None if the item is too faulty."""
    if game.preview is None:
        return None
    try:
        chosen = read_options(game.name, game.options(data), options)
        shown = game.preview.preview(data, chosen, tuple(at))
        return next((thing for thing in shown if isinstance(thing, Face | Board)), None)
    except Exception:  # noqa: BLE001 - a faulty item has no picture; the preview reports errors of the game
        return None


def _part(thing: Any) -> Markup:
    if isinstance(thing, Face):
        return el("div", face_svg(thing), el("span", thing.title, class_="unseen"), class_="card-preview")
    if isinstance(thing, Board):
        return el("div", board_svg(thing, SeatNames()), class_="board board-preview")
    if isinstance(thing, StatSheet):
        return _sheet(thing)
    if isinstance(thing, PreviewBars):
        return _bars(thing)
    if isinstance(thing, PreviewCurves):
        return _curves(thing)
    assert isinstance(thing, PreviewText)
    return el("p", thing.text, class_=f"said {thing.tone}".strip())


def _sheet(sheet: StatSheet) -> Markup:
    head = el("tr", join(el("th", word, scope="col") for word in sheet.head))
    rows = join(el("tr", el("th", row[0], scope="row"), join(el("td", cell) for cell in row[1:])) for row in sheet.rows)
    return el("table", el("caption", sheet.title), el("thead", head), el("tbody", rows))


def _bars(bars: PreviewBars) -> Markup:
    """Render bars with their numbers, so that length isn't the only signal."""
    top = max([bar.value for bar in bars.bars] + [0.0001])
    rows = join(
        el("tr", el("th", bar.label, scope="row"),
           el("td", el("meter", "", min=0, max=f"{top:.4g}", value=f"{bar.value:.4g}", aria_label=bar.label)),
           el("td", bar.said))
        for bar in bars.bars
    )  # fmt: skip
    return el("table", el("caption", bars.title), el("tbody", rows), class_="bars")


def _curves(curves: PreviewCurves) -> Markup:
    """Render a small plot for each curve, from 0 (bottom) to 1 (top), with its numbers in words."""
    rows = join(el("tr", el("th", curve.label, scope="row"), el("td", _plot(curve.values)), el("td", curve.said))
                for curve in curves.curves)  # fmt: skip
    return el("table", el("caption", curves.title), el("tbody", rows), class_="curves")


def _plot(values: Sequence[float]) -> Markup:
    step = PLOT[0] / max(len(values) - 1, 1)
    points = " ".join(f"{number * step:.1f},{(1 - value) * PLOT[1]:.1f}" for number, value in enumerate(values))
    return el("svg", el("polyline", points=points), viewBox=f"-1 -1 {PLOT[0] + 2} {PLOT[1] + 2}", class_="plot",
              aria_hidden="true")  # fmt: skip


def imported(
    game: Game, data: Mapping[str, Any], options: Mapping[str, Any], request: SheetRequest
) -> tuple[dict[str, Any], SheetPreview]:
    """Return the data of a set after an import, and what changes."""
    table = table_of(game, request.part)
    cells = read_cells(request.data, SPREADSHEET) if request.data else parse_cells(request.text, SPREADSHEET)
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


if __name__ == "__main__":
    main()
