"""The text-mode page of a table, its event stream and its typed input."""

from typing import Annotated
from urllib.parse import urlencode

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, HeaderParameter, QueryParameter, URLEncodedBody
from litestar.response import Redirect, Stream, Template

from sparring.engine.errors import SparringError
from sparring.scene.sentences import say
from sparring.server.requests.errors import explain
from sparring.server.requests.event_stream import streamed
from sparring.server.requests.identity import UNSEATED, AnyRequest, CurrentPerson, TablesDep, requester_of
from sparring.site.pages.table_pages import can_join, page, table_context
from sparring.site.table_parts import chat_panel as chat
from sparring.site.table_parts import table_html as usual
from sparring.site.table_parts.seat_panel import open_seats, player_list, with_current_time
from sparring.site.table_parts.table_html import html_renderer
from sparring.store.person import Person
from sparring.tables.action_requests import LONGEST_WORDS, Version, Words
from sparring.tables.play.chat_actions import has_chat
from sparring.tables.state.presence import Presence
from sparring.tables.state.table import Table
from sparring.tables.tables import Tables
from sparring.text import TypedAnswer

from . import text_sections
from .text_sections import COMMANDS, TableText

#: The stream format of text mode.
IN_WORDS = html_renderer("words", text_sections.stream_event)


class TypedPost(msgspec.Struct):
    """Typed input, and the version of the table that the player saw."""

    version: Version
    words: Words


class ReadAloudPost(msgspec.Struct):
    """The answer to typed input, and the table's new version if a choice was made."""

    said: list[str]
    version: int = 0
    accepted: bool = True


@get("/table/{table_id:str}/text", opt=UNSEATED)
async def text_page(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: FromPath[str],
    watch: FromQuery[bool] = False, ask: FromQuery[str] = "",
) -> Template | Redirect:  # fmt: skip
    """Show a table in text mode with an answer to the query `ask`, or redirect to the invitation."""
    table = await tables.registry.get(table_id)
    await tables.choices.visit(table, person)
    if can_join(table, table.viewer_of(person)) and not watch:
        return Redirect(f"/table/{table_id}", status_code=303)
    view, typed = await _view(table, person), ask[:LONGEST_WORDS]
    return await _page(request, person, tables, table, view.reply(typed) if typed else None)


async def _view(table: Table, person: Person) -> TableText:
    return TableText(table, await table.catch_up(table.viewer_of(person).seat))


async def _page(
    request: AnyRequest, person: Person, tables: Tables, table: Table, answer: TypedAnswer | None, status: int = 200
) -> Template:
    viewer = table.viewer_of(person)
    chat_filter = await tables.chat.filter_for(table, person)
    feed = await table.catch_up(viewer.seat)  # last, so that nothing changes between it and the rendering
    view = TableText(table, feed)
    question, rest = text_sections.sections(table, feed, viewer)
    return page(
        "text.html", request, person, status, path=f"/table/{table.id}/text", **table_context(table), viewpoint=viewer,
        viewer=viewer.seat, answer=answer, version=feed.version, question=question, now=table.now(),
        rest=with_current_time(chat.filled(rest, table, person, chat_filter), table.now()),
        told=text_sections.lines(view.recent(), view.say), log=text_sections.lines(feed.logged(), view.say, "li"),
        help=COMMANDS.help, longest=LONGEST_WORDS, silent=not has_chat(table),
        sitting=player_list(table, feed, viewer), open_seats=open_seats(table, viewer.seat, viewer),
        chat=chat.panel(table, person, chat_filter, faces=False),
        people=usual.status_line(table, viewer, tables.registry.presences.get(table.id) or Presence()),
    )  # fmt: skip


@get("/table/{table_id:str}/text/events", opt=UNSEATED)
async def text_events(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: FromPath[str],
    version: FromQuery[int] = 0, away: FromQuery[bool] = False, seat: FromQuery[int | None] = None,
    chat_version: Annotated[int, QueryParameter(name="chat")] = 0,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
) -> Stream:  # fmt: skip
    """Stream events of a text-mode page: new sentences and the current sections."""
    return await streamed(request, person, tables, table_id, (version, away), last, IN_WORDS, seat, chat_version)


@post("/table/{table_id:str}/text/say")
async def typed_input(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: FromPath[str],
    data: URLEncodedBody[TypedPost],
) -> Template | Redirect | Response[ReadAloudPost]:  # fmt: skip
    """Carry out a typed command or choice. The page's script gets JSON."""
    table = await tables.registry.get(table_id)
    by_script = request.headers.get("accept") == "application/json"
    try:
        result = await tables.commits.retrying(table, lambda now: _carry_out(request, tables, now, person, data))
    except SparringError as problem:
        if by_script:
            raise
        refused = TypedAnswer(data.words, (explain(request, problem),), refused=True)
        return await _page(request, person, tables, await tables.registry.get(table_id), refused, problem.status)
    if by_script:
        return Response(result)
    ask = f"?{urlencode({'ask': data.words})}" if result.said and not result.version else ""
    return Redirect(f"/table/{table_id}/text{ask}", status_code=303)


async def _carry_out(
    request: AnyRequest, tables: Tables, table: Table, person: Person, data: TypedPost
) -> ReadAloudPost:
    view = await _view(table, person)
    command, rest = view.read(data.words)
    match command:
        case "":
            return ReadAloudPost([], await tables.choices.choose(table, person, data.version, data.words))
        case "back":
            return ReadAloudPost(
                [say("Choice taken back.")], await tables.choices.take_back(table, person, data.version)
            )
        case "redeal":
            return ReadAloudPost([], await tables.proposals.new_deal(table, person))
        case "hint":
            requester = requester_of(request, person)
            return ReadAloudPost([], await tables.hints.take(table, person, data.version, requester))
    return ReadAloudPost(view.answer(command, rest))
