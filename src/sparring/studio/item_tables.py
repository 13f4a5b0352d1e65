"""The table and gallery of a set: all items of a list at once, with import and export of spreadsheets."""

import asyncio
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromQuery
from litestar.response import Redirect, Template
from markupsafe import Markup

from sparring.engine.errors import BadContent, SparringError
from sparring.engine.formats.spreadsheets import write_csv, write_xlsx
from sparring.engine.schema import ListField
from sparring.engine.schema.columns import ItemTable, item_tables
from sparring.engine.schema.field import value_at, walk
from sparring.scene.patterns import DEFS
from sparring.server.requests.errors import told
from sparring.server.requests.identity import AnyRequest, CurrentPerson, requester_of
from sparring.server.requests.pages import form_of
from sparring.site.pages.table_pages import page
from sparring.store.group_commit import StaleWrite
from sparring.store.person import Person

from .edits import describe_path
from .jobs.job_messages import file_name
from .picture_pad import LoadedSetDep, SetsDep, gallery_of
from .sandboxes import SheetPreview, SheetRequest, table_of
from .sets import LoadedSet, StudioSets
from .studio_routes import Id

#: The content types of spreadsheets.
TYPES = {"csv": "text/csv", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}


@get("/studio/{set_id:str}/table")
async def table_page(
    request: AnyRequest, person: CurrentPerson, sets: SetsDep, set_id: Id, part: FromQuery[str] = ""
) -> Template:
    """Show a list of the person's own set as a gallery and a table."""
    return await _page(request, person, sets, set_id, part)


async def _page(
    request: AnyRequest, person: Person, sets: StudioSets, set_id: str, part: str, *,
    sheet: SheetPreview | None = None, remove: bool = False, **more: Any,
) -> Template:  # fmt: skip
    row = await sets.own(person, set_id)
    table = table_of((await sets.load(row)).game, part)
    loaded = await sets.load(row, gallery=table.key)
    return page(
        "set_table.html", request, person, held=loaded, game=loaded.game, base=f"/studio/{row.id}",
        table=table, tables=item_tables(loaded.game.form), rows=_rows(sets, loaded, table),
        decks=msgspec.json.encode(_decks(loaded, table)).decode(),
        faults=msgspec.json.encode(loaded.draft.faults).decode(), defs=DEFS, sheet=sheet, remove=remove, **more,
    )  # fmt: skip


def _rows(sets: StudioSets, loaded: LoadedSet, table: ItemTable) -> list[tuple[dict[str, Any], Markup, dict[str, int]]]:
    """Return each item with its drawing and the numbers to sort by."""
    items = _list(loaded.draft.data.get(table.key))
    drawn = zip(items, _drawings(sets, loaded, f"/studio/{loaded.row.id}"), loaded.draft.gallery, strict=False)
    return [(item if isinstance(item, dict) else {}, drawing, one.numbers) for item, drawing, one in drawn]


def _drawings(sets: StudioSets, loaded: LoadedSet, base: str) -> list[Markup]:
    """Return the drawing of each item; empty for those without one."""
    pictures = gallery_of(sets.settings.secret, loaded.row, loaded.version)
    # The game's renderer escaped the drawings, as in the preview.
    return [pictures.with_addresses(Markup(one.drawing), f"{base}/pictures") for one in loaded.draft.gallery]


@get(["/studio/{set_id:str}/drawings", "/studio/shared/{share:str}/drawings"])
async def drawings(
    person: CurrentPerson, sets: SetsDep, set_id: Id = "", share: Id = "", part: FromQuery[str] = ""
) -> Response[list[str]]:
    """Return the drawing of each item of a list, for the editor; none for a list that has no table."""
    row = await sets.own_or_shared(person, set_id, share)
    loaded = await sets.load(row)
    if part not in item_tables(loaded.game.form):
        return Response([])
    base = f"/studio/{set_id}" if set_id else f"/studio/shared/{share}"
    return Response(list(map(str, _drawings(sets, await sets.load(row, gallery=part), base))))


def _decks(loaded: LoadedSet, table: ItemTable) -> list[dict[str, Any]]:
    """Return the lists that name items of a table, such as decks: the path, the name and the entries of each."""
    decks, data = [], loaded.draft.data
    for at, field, entries in walk(loaded.game.form, data):
        row = value_at(data, at[:-1])
        if isinstance(field, ListField) and field.names_of == table.key and isinstance(row, dict):
            name = row.get("name") or describe_path(loaded.game.form, {}, at[:-1]).lower()
            decks.append({"at": [*at], "name": str(name), "entries": [str(one) for one in _list(entries)]})
    return decks


def _list(value: Any) -> list[Any]:
    """Return a value that should be a list; a faulty set may have anything in its place."""
    return value if isinstance(value, list) else []


@get("/studio/{set_id:str}/sheet")
async def download_sheet(
    loaded: LoadedSetDep, part: FromQuery[str] = "", form: FromQuery[str] = "csv"
) -> Response[bytes]:
    """Download a list of the person's own set as a spreadsheet."""
    table = table_of(loaded.game, part)
    if form not in TYPES:
        raise BadContent(f"A spreadsheet can be csv or xlsx, not {form[:20]}.")
    rows = table.cells(loaded.draft.data.get(table.key))
    file = write_csv(rows).encode() if form == "csv" else await asyncio.to_thread(write_xlsx, rows, table.title)
    name = f"{file_name(loaded.row.name)}-{file_name(table.key)}.{form}"
    return Response(file, media_type=TYPES[form], headers={"Content-Disposition": f'attachment; filename="{name}"'})


@post("/studio/{set_id:str}/import")
async def import_sheet(request: AnyRequest, person: CurrentPerson, sets: SetsDep, set_id: Id) -> Template | Redirect:
    """Preview the import of a spreadsheet, or store it."""
    form = await form_of(request)
    part, remove, apply = form.get("part", "")[:40], "remove" in form, form.get("do") == "import"
    try:
        row = await sets.own(person, set_id)
        upload = (await request.form()).get("file")
        data = await upload.read() if isinstance(upload, UploadFile) else b""
        if not data and not form.get("text", "").strip():
            raise BadContent("Choose a CSV or XLSX file, or paste cells with their headers.")
        if apply and form.get("row_version") != str(row.row_version):
            raise StaleWrite("This set was changed in another window. Check the changes again, then import.")
        sheet = SheetRequest(
            table_of((await sets.load(row)).game, part).key, data, form.get("text", ""), _mapping(form), remove, apply
        )
        preview = await sets.import_sheet(row, sheet, requester_of(request, person))
    except SparringError as problem:
        return await _page(request, person, sets, set_id, part, **told(request, problem))
    if apply:
        return Redirect(f"/studio/{row.id}/table?part={sheet.part}", status_code=303)
    return await _page(request, person, sets, set_id, part, sheet=preview, remove=remove)


def _mapping(form: dict[str, str]) -> list[str] | None:
    """Return the field chosen for each column, or None if the form has no choices yet."""
    keys = [key for key in form if key.startswith("map.") and key.isascii() and key[4:].isdigit() and len(key) < 8]
    if not keys:
        return None
    return [form.get(f"map.{number}", "") for number in range(max(int(key[4:]) for key in keys) + 1)]
