"""The chat page of a table and its forms, for browsers without scripts."""

from litestar import Router, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Template

from sparring.web.identity import with_id, with_name
from sparring.web.requests.action_routes import Id
from sparring.web.requests.identity_and_errors import SMALL, AnyRequest, Asker, TheTables, requester_of
from sparring.web.tables.chat import chat_panel

from .table_pages import number, page, redirect_with_identity

#: Shown on the page after a report.
REPORTED = "Thank you. The server's moderators will see your report."


@get("/table/{table_id:str}/talk")
async def talk(request: AnyRequest, person: Asker, tables: TheTables, table_id: FromPath[str]) -> Template:
    """Show a table's chat and its forms."""
    table = await tables.registry.get(table_id)
    chat_filter = await tables.chat.filter_for(table, person)
    said = REPORTED if request.query_params.get("said") == "reported" else ""
    return page("talk.html", request, person, table=table, box=table.match.box, said=said,
                talk=chat_panel.panel(table, person, chat_filter))  # fmt: skip


@post("/table/{table_id:str}/talk")
async def say(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Post a preset phrase or free text. A spectator without a name can enter one in the same form."""
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    table, word = await tables.registry.get(table_id), form.get("word", "")
    speaker = person if person.name or "name" not in form else with_name(person, form["name"])
    text = "" if word else form.get("text", "")
    await tables.chat.post(
        table, speaker, requester_of(request, speaker), word=word, text=text, seat=number(form.get("seat"))
    )
    return _back(table_id) if speaker is person else redirect_with_identity(request, speaker, f"/table/{table_id}/talk")


@post("/table/{table_id:str}/describe")
async def describe(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Describe your move in the current exchange, as free text or in parts."""
    form = await request.form()
    parts = [part for part in form.getall("part", []) if isinstance(part, str) and part]
    text, seat = str(form.get("text", "")), number(form.get("seat"))
    await tables.chat.describe(
        await tables.registry.get(table_id), person, requester_of(request, person), text=text, parts=parts, seat=seat
    )
    return _back(table_id)


@post("/table/{table_id:str}/applaud")
async def applaud(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Applaud a description."""
    line = number((await request.form()).get("line"))
    await tables.chat.applaud(await tables.registry.get(table_id), person, requester_of(request, person), line)
    return _back(table_id)


@post("/table/{table_id:str}/mute")
async def mute(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Mute the player who wrote a line. A spectator without an identity gets a cookie to remember it."""
    reader, line = with_id(person), number((await request.form()).get("line"))
    await tables.chat.mute(await tables.registry.get(table_id), reader, requester_of(request, reader), line)
    return _back(table_id) if person.id else redirect_with_identity(request, reader, f"/table/{table_id}/talk")


@post("/table/{table_id:str}/hear")
async def hear(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Unmute a player."""
    await tables.chat.unmute(person, str((await request.form()).get("mute", "")), await tables.registry.get(table_id))
    return _back(table_id)


@post("/table/{table_id:str}/report")
async def report(request: AnyRequest, person: Asker, tables: TheTables, table_id: Id) -> Redirect:
    """Report a line to the moderators."""
    line = number((await request.form()).get("line"))
    await tables.chat.report(await tables.registry.get(table_id), person, requester_of(request, person), line)
    return Redirect(f"/table/{table_id}/talk?said=reported", status_code=303)


def _back(table: str) -> Redirect:
    return Redirect(f"/table/{table}/talk", status_code=303)


def router() -> Router:
    """Return the routes of the chat page and its forms."""
    handlers = [talk, say, describe, applaud, mute, hear, report]
    return Router("/", route_handlers=handlers, include_in_schema=False, request_max_body_size=SMALL)
