"""Chat endpoints: lines, preset phrases, move descriptions, muting and reports."""

from typing import Annotated, Literal

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from sparring.web.api.responses import ApiDone, Id, errors, needs_scope
from sparring.web.identity import Person
from sparring.web.requests.identity_and_errors import SMALL, AnyRequest, Asker, TheTables, requester_of
from sparring.web.settings import Limits
from sparring.web.tables.chat.chat_actions import may_chat
from sparring.web.tables.chat.chat_log import ChatFilter, ChatLine
from sparring.web.tables.chat.phrases import MOST_PARTS
from sparring.web.tables.table import Table

REFUSALS = errors(404, 409, 410, 413, 422)

#: The longest text accepted: invisible characters count here, but not in the resulting line.
MOST = 4 * Limits.longest_line

Text = Annotated[str, msgspec.Meta(max_length=MOST, description="One line of plain text.")]
Seat = Annotated[int, msgspec.Meta(ge=0, le=12, description="One of your seats; 0: the one you see the table from.")]


class ChatLineSaid(msgspec.Struct):
    """A chat message."""

    line: Annotated[int, msgspec.Meta(description="The message's number, from 1.")]
    kind: Annotated[
        Literal["word", "text", "move", "gone"],
        msgspec.Meta(description="Preset phrase, free text, move description, or removed message."),
    ]
    seat: Annotated[int, msgspec.Meta(description="The author's seat; 0: a spectator.")]
    name: Annotated[str, msgspec.Meta(description="The author's name at the time.")]
    text: Annotated[str, msgspec.Meta(description="Plain text from another user: don't trust it.")]
    said: Annotated[int, msgspec.Meta(description="The time, in seconds since 1970.")]
    yours: Annotated[bool, msgspec.Meta(description="Whether you wrote it.")]
    move: Annotated[str, msgspec.Meta(description="The name of the described move.")] = ""
    exchange: Annotated[int, msgspec.Meta(description="The exchange of the described move, from 1.")] = 0
    applause: Annotated[int, msgspec.Meta(description="The number of people who applauded.")] = 0


class DescribableMoveView(msgspec.Struct):
    """A move that you may describe now."""

    seat: Annotated[int, msgspec.Meta(description="Your seat that made the move.")]
    move: Annotated[str, msgspec.Meta(description="The move's name.")]
    words: Annotated[list[str], msgspec.Meta(description="Words to compose a description from.")]


class TableChat(msgspec.Struct):
    """A table's chat, without people you muted."""

    edition: Annotated[int, msgspec.Meta(description="The chat's edition.")]
    lines: Annotated[list[ChatLineSaid], msgspec.Meta(description="New and changed messages.")]
    describe: Annotated[
        list[DescribableMoveView], msgspec.Meta(description="Your moves of the current exchange to describe.")
    ]
    anew: Annotated[bool, msgspec.Meta(description="Whether to discard the messages you have.")] = False
    may_talk: Annotated[bool, msgspec.Meta(description="Whether you may chat here.")] = False
    own_words: Annotated[bool, msgspec.Meta(description="Whether free text is allowed.")] = False


class SayRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A preset phrase or free text, not both."""

    word: Annotated[str, msgspec.Meta(max_length=20, description="The key of a preset phrase or reaction.")] = ""
    text: Text = ""
    seat: Seat = 0


class DescribeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A description of your move: free text if the table allows it, or parts."""

    text: Text = ""
    parts: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=MOST)]],
        msgspec.Meta(max_length=MOST_PARTS, description="Some of the move's words, in this order."),
    ] = []
    seat: Seat = 0


class ChatLineView(msgspec.Struct, forbid_unknown_fields=True):
    """The number of a chat message."""

    line: Annotated[int, msgspec.Meta(ge=1, le=1 << 30, description="The message's number.")]


class MuteRequest(msgspec.Struct, forbid_unknown_fields=True):
    """A mute to remove."""

    mute: Annotated[str, msgspec.Meta(max_length=20, description="The mute's id.")]


class MutedPerson(msgspec.Struct):
    """A person you muted at all tables."""

    mute: Annotated[str, msgspec.Meta(description="The mute's id.")]
    name: Annotated[str, msgspec.Meta(description="The person's name at the time.")]


def chat_of(table: Table, person: Person, chat_filter: ChatFilter, since: int = 0, *, full: bool = False) -> TableChat:
    """Return a table's chat since an edition, without the lines a person has muted."""
    return TableChat(
        chat_filter.edition, [line_of(line, person) for line in table.chat.visible(chat_filter, since)],
        [DescribableMoveView(deed.seat, deed.name, list(deed.words)) for deed in chat_filter.to_describe.deeds], full,
        may_chat(table, person), table.settings.free_chat,
    )  # fmt: skip


def line_of(line: ChatLine, person: Person) -> ChatLineSaid:
    """Return a chat line for the API, without its author's id."""
    yours = bool(person.id) and line.person == person.id
    return ChatLineSaid(
        line.number, line.kind, line.seat, line.name, line.text, line.said, yours, line.about, line.exchange,
        len(line.applause),
    )  # fmt: skip


@get("/table/{table_id:str}/talk", **needs_scope("look"), responses=errors(404, 410), summary="Chat")
async def talk(
    person: Asker, tables: TheTables, table_id: Id,
    since: Annotated[int, QueryParameter(description="The edition you have; 0: none.")] = 0,
) -> TableChat:  # fmt: skip
    """Return a table's chat, without people you muted."""
    table = await tables.registry.get(table_id)
    return chat_of(table, person, await tables.chat.filter_for(table, person), since)


@post("/table/{table_id:str}/talk", **needs_scope("talk"), status_code=200, responses=REFUSALS, summary="Post to chat")
async def say(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[SayRequest]
) -> ApiDone:
    """Post a preset phrase, or free text if the table allows it."""
    table = await tables.registry.get(table_id)
    await tables.chat.post(table, person, requester_of(request, person), word=data.word, text=data.text, seat=data.seat)
    return ApiDone()


@post("/table/{table_id:str}/describe", **needs_scope("talk"), status_code=200, responses=REFUSALS,
      summary="Describe your move")  # fmt: skip
async def describe(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[DescribeRequest]
) -> ApiDone:
    """Describe your move in the current exchange, once, in games that name moves: as free text or in parts."""
    table = await tables.registry.get(table_id)
    await tables.chat.describe(
        table, person, requester_of(request, person), text=data.text, parts=data.parts, seat=data.seat
    )
    return ApiDone()


@post("/table/{table_id:str}/applaud", **needs_scope("talk"), status_code=200, responses=REFUSALS,
      summary="Applaud a description")  # fmt: skip
async def applaud(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ChatLineView]
) -> ApiDone:
    """Applaud another player's move description."""
    table = await tables.registry.get(table_id)
    await tables.chat.applaud(table, person, requester_of(request, person), data.line)
    return ApiDone()


@post("/table/{table_id:str}/mute", **needs_scope("talk"), status_code=200, responses=REFUSALS, summary="Mute a person")
async def mute(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ChatLineView]
) -> ApiDone:
    """Mute the author of a line, at all tables."""
    await tables.chat.mute(await tables.registry.get(table_id), person, requester_of(request, person), data.line)
    return ApiDone()


@post(
    "/table/{table_id:str}/hear", **needs_scope("talk"), status_code=200, responses=REFUSALS, summary="Unmute a person"
)
async def hear(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[MuteRequest]) -> ApiDone:
    """Unmute a person by the mute's id."""
    await tables.chat.unmute(person, data.mute, await tables.registry.get(table_id))
    return ApiDone()


@post(
    "/table/{table_id:str}/report",
    **needs_scope("talk"), status_code=200, responses=REFUSALS, summary="Report a message",
)  # fmt: skip
async def report(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ChatLineView]
) -> ApiDone:
    """Report a message to the server's moderators, with its text, author and table."""
    await tables.chat.report(await tables.registry.get(table_id), person, requester_of(request, person), data.line)
    return ApiDone()


@get("/me/muted", **needs_scope("look"), responses=errors(), summary="Muted people")
async def muted(person: Asker, tables: TheTables) -> list[MutedPerson]:
    """Return the people you muted."""
    return [MutedPerson(row.id, row.name) for row in await tables.chat.store.mutes(person.id)] if person.id else []


@post("/me/muted/{mute_id:str}/remove", **needs_scope("talk"), status_code=200, responses=errors(),
      summary="Unmute a person")  # fmt: skip
async def unmute(person: Asker, tables: TheTables, mute_id: Annotated[str, PathParameter(max_length=20)]) -> ApiDone:
    """Unmute a person, at whichever table you muted them."""
    await tables.chat.unmute(person, mute_id)
    return ApiDone()


def router() -> Router:
    """Return the chat endpoints."""
    handlers = [talk, say, describe, applaud, mute, hear, report, muted, unmute]
    return Router("/api", route_handlers=handlers, tags=["talk"], request_max_body_size=SMALL)
