"""Chat endpoints: a table's messages, and the people you muted."""

from typing import Annotated, Literal

import msgspec
from litestar import Router, get, post
from litestar.params import PathParameter, QueryParameter

from sparring.server.requests.identity import SMALL, CurrentPerson, TablesDep
from sparring.store.person import Person
from sparring.tables.play.chat_actions import may_chat
from sparring.tables.state.chat_log import ChatFilter, ChatLine
from sparring.tables.state.table import Table

from .responses import ApiDone, Id, errors, needs_scope


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

    chat_version: Annotated[int, msgspec.Meta(description="The chat's version.")]
    lines: Annotated[list[ChatLineSaid], msgspec.Meta(description="New and changed messages.")]
    describe: Annotated[
        list[DescribableMoveView], msgspec.Meta(description="Your moves of the current exchange to describe.")
    ]
    full: Annotated[
        bool, msgspec.Meta(description="Whether this is the whole chat: discard the messages you have.")
    ] = False
    may_chat: Annotated[bool, msgspec.Meta(description="Whether you may chat here.")] = False
    own_words: Annotated[bool, msgspec.Meta(description="Whether free text is allowed.")] = False


class MutedPerson(msgspec.Struct):
    """A person you muted at all tables."""

    mute: Annotated[str, msgspec.Meta(description="The mute's id.")]
    name: Annotated[str, msgspec.Meta(description="The person's name at the time.")]


def chat_of(table: Table, person: Person, chat_filter: ChatFilter, since: int = 0, *, full: bool = False) -> TableChat:
    """Return a table's chat since a version, without the lines a person has muted."""
    return TableChat(
        chat_filter.chat_version, [line_of(line, person) for line in table.chat.visible(chat_filter, since)],
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


@get("/table/{table_id:str}/chat", **needs_scope("look"), responses=errors(404, 410), summary="Chat")
async def chat(
    person: CurrentPerson, tables: TablesDep, table_id: Id,
    since: Annotated[int, QueryParameter(description="The chat version you have; 0: none.")] = 0,
) -> TableChat:  # fmt: skip
    """Return a table's chat, without people you muted."""
    table = await tables.registry.get(table_id)
    return chat_of(table, person, await tables.chat.filter_for(table, person), since)


@get("/me/muted", **needs_scope("look"), responses=errors(), summary="Muted people")
async def muted(person: CurrentPerson, tables: TablesDep) -> list[MutedPerson]:
    """Return the people you muted."""
    return [MutedPerson(row.id, row.name) for row in await tables.chat.store.mutes(person.id)] if person.id else []


@post("/me/muted/{mute_id:str}/remove", **needs_scope("talk"), status_code=200, responses=errors(),
      summary="Unmute a person")  # fmt: skip
async def unmute(
    person: CurrentPerson, tables: TablesDep, mute_id: Annotated[str, PathParameter(max_length=20)]
) -> ApiDone:
    """Unmute a person, at whichever table you muted them."""
    await tables.chat.unmute(person, mute_id)
    return ApiDone()


def router() -> Router:
    """Return the chat endpoints."""
    handlers = [chat, muted, unmute]
    return Router("/api", route_handlers=handlers, tags=["chat"], request_max_body_size=SMALL)
