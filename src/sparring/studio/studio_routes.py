"""Pages and forms of the studio, and the editor's JSON requests."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from litestar import MediaType, Response, get, post
from litestar.datastructures import UploadFile
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Redirect, Template

from sparring.engine.errors import BadContent, SparringError
from sparring.engine.game import Game, games
from sparring.engine.game import game as find_game
from sparring.engine.options import grouped, with_options
from sparring.engine.schema.columns import item_tables
from sparring.engine.schema.field import value_at
from sparring.people.identity import with_name
from sparring.scene.patterns import DEFS
from sparring.server.requests.errors import told
from sparring.server.requests.identity import EVERYONE, AnyRequest, CurrentPerson, TablesDep, requester_of
from sparring.server.requests.pages import PageRenderer, RendererDep, form_of
from sparring.site.pages.new_table_form import initial_values, is_number, to_table
from sparring.site.pages.rules_pages import rulings
from sparring.site.pages.table_pages import page, redirect_with_identity, titles
from sparring.store.group_commit import StaleWrite
from sparring.store.person import Person
from sparring.store.schema import VersionRow
from sparring.studio.set_editor import editor_html
from sparring.studio.sets import LoadedSet, StudioSets, named_file
from sparring.tables.halves import GUEST
from sparring.tables.seating import ME, OPEN, players_for
from sparring.tables.state.table_settings import TableSettings
from sparring.tables.workers.uploads import decode_content

from .edits import Edit, EditPath, describe_path, describe_value, read_path
from .jobs.balance_panel import names_on_path
from .jobs.job_messages import PRINT_FORMS, PrintForm, file_name
from .jobs.tuning_plan import percent, tunable_word
from .picture_pad import LONGEST_REQUEST, LoadedSetDep, SetsDep, has_pictures, pad_settings, preview

#: The most edits in one request.
MOST_EDITS = 500

Id = FromPath[str]


class SetChangePost(msgspec.Struct):
    """Edits of a set at a known row version, and the path to preview."""

    row_version: Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
    edits: Annotated[list[Edit], msgspec.Meta(max_length=MOST_EDITS)] = []
    at: EditPath = []
    #: A new name for the set.
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""
    #: Whether to return the editor's HTML, because its fields have changed.
    redraw: bool = False


class HistoryStep(msgspec.Struct):
    """Undo, redo or restore a version."""

    row_version: Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)]
    direction: Literal["undo", "redo", "version"]
    number: Annotated[int, msgspec.Meta(ge=0, lt=1 << 31)] = 0


class HistoryMove(HistoryStep):
    """Undo, redo or restore a version, and the path to preview."""

    at: EditPath = []


class EditorPart(msgspec.Struct):
    """The stored state of a set for its page."""

    row_version: int
    name: str
    faults: list[Any]
    preview_html: str
    misfits: list[Any]
    undo: bool
    redo: bool
    #: The editor's HTML; empty if its fields haven't changed.
    editor: str = ""


class EditConflict(msgspec.Struct):
    """A rejected change, because the set was edited elsewhere, with the differences in sentences."""

    reason: str
    differs: list[str]
    row_version: int


@get("/studio")
async def studio(request: AnyRequest, person: CurrentPerson, sets: SetsDep, game: FromQuery[str] = "") -> Template:
    """Show the person's sets and the form for a new one."""
    return await _studio(request, person, sets, {"game": game})


async def _studio(
    request: AnyRequest, person: Person, sets: StudioSets, values: dict[str, str], **more: Any
) -> Template:
    mine = await sets.store.of(person.id) if person.id else []
    kinds = [game for game in games().values() if game.has_content]
    return page("studio.html", request, person, mine=mine, kinds=kinds, titles=titles(), values=values,
                most=sets.settings.limits.sets_each, days=sets.settings.keep_days, **more)  # fmt: skip


@post("/studio")
async def begin(request: AnyRequest, person: CurrentPerson, sets: SetsDep) -> Template | Redirect:
    """Create a set from the game's own content, empty, or from a file."""
    form = await form_of(request)
    try:
        game, author = find_game(form.get("game", "")), with_name(person, form.get("name", ""))
        toml: str | None = game.content_text if form.get("from") != "empty" else None
        if form.get("from") == "file":
            toml = await _file((await request.form()).get("file"))
        options = msgspec.json.encode(game.preset(game.recommended)).decode()
        title = form.get("title", "").strip() or f"My {game.title}"[:40]
        row = await sets.create(game, author, title, toml, requester_of(request, author), options=options)
    except SparringError as problem:
        return await _studio(request, person, sets, form, **told(request, problem))
    return redirect_with_identity(request, author, f"/studio/{row.id}")


async def _file(upload: Any) -> str:
    text = decode_content(await upload.read(), "Your file") if isinstance(upload, UploadFile) else None
    if text is None:
        raise BadContent("Choose a file in the format of the game's content.toml first.")
    return text


@get("/studio/{set_id:str}")
async def own(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, sets: SetsDep, tables: TablesDep,
    renderer: RendererDep,
) -> Template:  # fmt: skip
    """Show the person's own set in the editor."""
    row = loaded.row
    link = f"{str(request.base_url).rstrip('/')}/studio/shared/{row.share}"
    halves = await tables.halves.offered(loaded.game, person)
    halves.pop(row.id, None)
    return await _set(request, person, sets, renderer, loaded, fixed=False, base=f"/studio/{row.id}", link=link,
                      history=await sets.store.history(row), halves=halves)  # fmt: skip


@get("/studio/shared/{share:str}")
async def others(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, sets: SetsDep, renderer: RendererDep
) -> Template:
    """Show a shared set, to view, play and copy."""
    return await _set(request, person, sets, renderer, loaded, fixed=True, base=f"/studio/shared/{loaded.row.share}")


async def _set(
    request: AnyRequest, person: Person, sets: StudioSets, renderer: PageRenderer, loaded: LoadedSet, *, fixed: bool,
    base: str, link: str = "", history: Sequence[VersionRow] = (), halves: Mapping[str, str] = {},
) -> Template:  # fmt: skip
    game = loaded.game
    return page(
        "set.html", request, person, held=loaded, game=game, fixed=fixed, base=base, link=link, history=history,
        editor=await renderer.run(lambda: editor_html(game.form, loaded.draft.data, fixed=fixed)),
        preview_html=preview(sets, loaded, base), state=msgspec.json.encode(_state(sets, loaded, base)).decode(),
        paints="" if fixed or not has_pictures(game.form) else pad_settings(),
        chosen={f"option.{name}": value for name, value in loaded.options.items()}, grouped=grouped,
        is_number=is_number, rulings=rulings, defs=DEFS, listed=bool(item_tables(game.form)),
        print_forms=_print_forms(game), tunable="" if fixed else tunable_word(game.form),
        even=percent(1 / len(initial_values(game))), halves=halves, guest=GUEST,
    )  # fmt: skip


def _print_forms(game: Game) -> dict[str, PrintForm]:
    """Return the forms in which a set is printed; blank cards only if the game declares some."""
    declared = game.inventory and game.inventory.inventory(game.setup(), game.seats[-1]).blanks
    return {name: form for name, form in PRINT_FORMS.items() if name != "blanks" or declared}


@get(["/studio/{set_id:str}/file", "/studio/shared/{share:str}/file"])
async def file(
    person: CurrentPerson, sets: SetsDep, set_id: Id = "", share: Id = "", version: FromQuery[int] = 0
) -> Response[str]:
    """Download a set as a content file with its options, for the command line and for other servers."""
    row = await sets.own_or_shared(person, set_id, share)
    stored = await sets.version(row, version if set_id else 0)
    options, game = msgspec.json.decode(stored.options), find_game(row.game)
    assumed = not options and not game.preset(game.recommended)  # by the command line and by an upload
    toml = named_file(row, stored.toml)
    return Response(
        toml if assumed else with_options(toml, options), media_type="application/toml",
        headers={"Content-Disposition": f'attachment; filename="{file_name(row.name)}.toml"'},
    )  # fmt: skip


@post(["/studio/{set_id:str}/play", "/studio/shared/{share:str}/play"], opt=EVERYONE)
async def play(
    request: AnyRequest, person: CurrentPerson, loaded: LoadedSetDep, tables: TablesDep, share: Id = ""
) -> Redirect:
    """Create a table with a set, against the weakest bots that search, with the previewed item in the player's hand.

    With `other_half`, the set is only the person's half, and the form says who brings the other.
    """
    form = await request.form()
    player = with_name(person, str(form.get("name") or person.name))
    if other := str(form.get("other_half", "")):
        bot = initial_values(loaded.game)["seat2"]
        path = await tables.halves.create(
            loaded.game, players_for([ME, OPEN if other == GUEST else bot], player), player, (loaded.row.id, other),
            options=loaded.options, requester=requester_of(request, player), settings=TableSettings(),
        )  # fmt: skip
        return redirect_with_identity(request, player, path)
    loaded.check_playable()
    game, at = loaded.game, read_path(str(form.get("at", "[]")))
    players = players_for(list(initial_values(game).values()), player)
    table = await tables.creation.create(
        game, players, options=loaded.options_at(at), toml=loaded.file, where=loaded.row.name, set_id=loaded.row.id,
        requester=requester_of(request, player), begin_with=names_on_path(game.form, loaded.draft.data, at),
    )  # fmt: skip
    address = f"/studio/shared/{share}" if share else f"/studio/{loaded.row.id}"
    return to_table(table, address, redirect_with_identity(request, player, f"/table/{table.id}"))


@post(["/studio/{set_id:str}/copy", "/studio/shared/{share:str}/copy"])
async def copy(request: AnyRequest, person: CurrentPerson, sets: SetsDep, set_id: Id = "", share: Id = "") -> Redirect:
    """Copy a set for the person."""
    row = await sets.own_or_shared(person, set_id, share)
    form = await request.form()
    owner = with_name(person, str(form.get("name") or person.name))
    copied = await sets.copy(row, owner, requester_of(request, owner))
    return redirect_with_identity(request, owner, f"/studio/{copied.id}")


@post("/studio/{set_id:str}/remove")
async def remove(person: CurrentPerson, sets: SetsDep, set_id: Id) -> Redirect:
    """Delete a set."""
    await sets.store.remove(await sets.own(person, set_id))
    return Redirect("/studio", status_code=303)


@post("/api/studio/{set_id:str}/change", status_code=200, request_max_body_size=LONGEST_REQUEST)
async def change(
    request: AnyRequest, person: CurrentPerson, sets: SetsDep, renderer: RendererDep, set_id: Id,
    data: JSONBody[SetChangePost],
) -> Response[Any]:  # fmt: skip
    """Edit a set. The response means that the change is stored."""
    row = await sets.own(person, set_id)
    try:
        if data.row_version != row.row_version:
            raise StaleWrite("This set was changed in another window.")
        loaded = await sets.edit(row, data.edits, data.at, requester_of(request, person), data.name)
    except StaleWrite as problem:
        return await _conflict(sets, person, set_id, data, str(problem))
    editor = await _editor(renderer, loaded) if data.redraw else ""
    return Response(_state(sets, loaded, f"/studio/{row.id}", editor), media_type=MediaType.JSON)


async def _editor(renderer: PageRenderer, loaded: LoadedSet) -> str:
    """Return the editor's HTML."""
    return str(await renderer.run(lambda: editor_html(loaded.game.form, loaded.draft.data)))


async def _conflict(sets: StudioSets, person: Person, set_id: str, data: SetChangePost, reason: str) -> Response[Any]:
    loaded = await sets.load(await sets.own(person, set_id))
    differences = [_difference(loaded, edit) for edit in data.edits]
    if data.name and data.name != loaded.row.name:
        differences.append(f"Name: “{data.name}” here, “{loaded.row.name}” in the other window.")
    return Response(
        EditConflict(reason, differences, loaded.row.row_version), status_code=409, media_type=MediaType.JSON
    )


def _difference(loaded: LoadedSet, edit: Edit) -> str:
    if edit.do == "option":
        name = str(edit.at[-1]) if edit.at else ""
        return f"{name}: {edit.value or 'default'} here, {loaded.options.get(name) or 'default'} in the other window."
    words = describe_path(loaded.game.form, loaded.draft.data, edit.at)
    if edit.do not in ("set", "cell"):
        return f"{words}: you wanted to {UNDONE[edit.do]} here."
    stored = value_at(loaded.draft.data, edit.at)
    described = "nothing" if stored is None else describe_value(stored)
    return f"{words}: {describe_value(edit.value or 'nothing')} here, {described} in the other window."


#: Descriptions of rejected edits.
UNDONE = {
    "add": "add an item", "copy": "copy it", "remove": "remove it", "up": "move it up", "down": "move it down",
    "reset": "reset it", "rename": "rename it", "template": "start it again",
}  # fmt: skip


@post("/api/studio/{set_id:str}/history", status_code=200, request_max_body_size=LONGEST_REQUEST)
async def step_history(
    request: AnyRequest,
    person: CurrentPerson,
    sets: SetsDep,
    renderer: RendererDep,
    set_id: Id,
    data: JSONBody[HistoryMove],
) -> Response[Any]:
    """Undo, redo, or restore an older version."""
    row = await sets.own(person, set_id)
    if data.row_version != row.row_version:
        reason = "This set was changed in another window. Reload the page first."
        return Response(EditConflict(reason, [], row.row_version), status_code=409, media_type=MediaType.JSON)
    loaded = await sets.move_in_history(row, data.direction, requester_of(request, person), data.number, data.at)
    state = _state(sets, loaded, f"/studio/{row.id}", await _editor(renderer, loaded))
    return Response(state, media_type=MediaType.JSON)


def _state(sets: StudioSets, loaded: LoadedSet, base: str, editor: str = "") -> EditorPart:
    row, draft = loaded.row, loaded.draft
    return EditorPart(
        row_version=row.row_version, name=row.name, faults=msgspec.to_builtins(draft.faults),
        preview_html=str(preview(sets, loaded, base)), misfits=msgspec.to_builtins(draft.misfits),
        undo=row.version > 1, redo=row.version < row.newest,
        editor=editor,
    )  # fmt: skip
