"""Talking for programs, and for our own script: lines and quick words, descriptions of moves, muting and reports."""

from typing import Annotated, Literal

import msgspec
from litestar import Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter

from sparring.web.identity import Person
from sparring.web.requests.identity_and_errors import SMALL, AnyRequest, Asker, TheTables, asking
from sparring.web.settings import Limits
from sparring.web.tables.chat.chat_actions import may_talk
from sparring.web.tables.chat.chat_log import ChatFilter, ChatLine
from sparring.web.tables.table import Table

from .responses import ApiDone, Id, allowed, refusals

REFUSALS = refusals(404, 409, 410, 413, 422)

#: What is read of what somebody writes: signs that cannot be seen count there, and not in the line that is made of it.
MOST = 4 * Limits.longest_line

Text = Annotated[str, msgspec.Meta(max_length=MOST, description="One plain line in your own words.")]
Seat = Annotated[int, msgspec.Meta(ge=0, le=12, description="Which of your seats; 0: the one that you look from.")]


class ChatLineSaid(msgspec.Struct):
    """Something that was said at a table."""

    line: Annotated[int, msgspec.Meta(description="Its number, from 1.")]
    kind: Annotated[
        Literal["word", "text", "move", "gone"],
        msgspec.Meta(description="A quick word; words of somebody's own; a description of a move; or taken away."),
    ]
    seat: Annotated[int, msgspec.Meta(description="Who said it; 0: somebody who watches.")]
    name: Annotated[str, msgspec.Meta(description="What they were called.")]
    text: Annotated[str, msgspec.Meta(description="What they said: plain text, which is nobody's to trust.")]
    said: Annotated[int, msgspec.Meta(description="When, in seconds since 1970.")]
    yours: Annotated[bool, msgspec.Meta(description="Whether you said it.")]
    move: Annotated[str, msgspec.Meta(description="Of a description: the name of the move.")] = ""
    exchange: Annotated[int, msgspec.Meta(description="Of a description: which exchange of the match, from 1.")] = 0
    applause: Annotated[int, msgspec.Meta(description="How many applaud a description.")] = 0


class DescribableMoveView(msgspec.Struct):
    """A move of yours that you may describe now."""

    seat: Annotated[int, msgspec.Meta(description="Whose it is, of several seats of yours.")]
    move: Annotated[str, msgspec.Meta(description="Its name.")]


class TableChat(msgspec.Struct):
    """What is said at a table, as you hear it."""

    edition: Annotated[int, msgspec.Meta(description="How often something has changed in it.")]
    lines: Annotated[list[ChatLineSaid], msgspec.Meta(description="Lines that are new or have changed.")]
    describe: Annotated[list[DescribableMoveView], msgspec.Meta(description="Moves of the last exchange to describe.")]
    anew: Annotated[bool, msgspec.Meta(description="Whether what you heard before counts no more.")] = False
    may_talk: Annotated[bool, msgspec.Meta(description="Whether you may talk here.")] = False
    own_words: Annotated[bool, msgspec.Meta(description="Whether more than quick words may be said here.")] = False


class SayRequest(msgspec.Struct, forbid_unknown_fields=True):
    """One of both: a quick word, or words of your own."""

    word: Annotated[str, msgspec.Meta(max_length=20, description="The key of a quick word or reaction.")] = ""
    text: Text = ""
    seat: Seat = 0


class DescribeRequest(msgspec.Struct, forbid_unknown_fields=True):
    """How you describe a move of yours."""

    text: Text
    seat: Seat = 0


class ChatLineView(msgspec.Struct, forbid_unknown_fields=True):
    """A line that was said."""

    line: Annotated[int, msgspec.Meta(ge=1, le=1 << 30, description="Its number.")]


class MuteRequest(msgspec.Struct, forbid_unknown_fields=True):
    """Somebody whom you do not hear."""

    mute: Annotated[str, msgspec.Meta(max_length=20, description="The id of that mute.")]


class MutedPerson(msgspec.Struct):
    """Somebody whom you do not hear, at any table."""

    mute: Annotated[str, msgspec.Meta(description="The id of that mute.")]
    name: Annotated[str, msgspec.Meta(description="What they were called then.")]


def talk_of(table: Table, person: Person, hearing: ChatFilter, since: int = 0, *, anew: bool = False) -> TableChat:
    """What was said at a table since an edition, as somebody hears it."""
    return TableChat(
        hearing.edition, [line_of(line, person) for line in table.chat.heard(hearing, since)],
        [DescribableMoveView(deed.seat, deed.name) for deed in hearing.to_describe.deeds], anew, may_talk(table,
            person),
        table.terms.own_words,
    )  # fmt: skip


def line_of(line: ChatLine, person: Person) -> ChatLineSaid:
    """A line as programs are told it; nobody's id."""
    yours = bool(person.id) and line.person == person.id
    return ChatLineSaid(
        line.number, line.kind, line.seat, line.name, line.text, line.said, yours, line.about, line.exchange,
        len(line.applause),
    )  # fmt: skip


@get("/table/{table_id:str}/talk", **allowed("look"), responses=refusals(404, 410), summary="What people say")
async def talk(
    person: Asker, tables: TheTables, table_id: Id,
    since: Annotated[int, QueryParameter(description="The edition that you know; 0: none.")] = 0,
) -> TableChat:  # fmt: skip
    """What was said at a table, without those whom you muted."""
    table = await tables.get(table_id)
    return talk_of(table, person, await tables.hearing(table, person), since)


@post("/table/{table_id:str}/talk", **allowed("talk"), status_code=200, responses=REFUSALS, summary="Say something")
async def say(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[SayRequest]
) -> ApiDone:
    """Say a quick word, or something of your own where the table allows that."""
    table = await tables.get(table_id)
    await tables.say(table, person, asking(request, person), word=data.word, text=data.text, seat=data.seat)
    return ApiDone()


@post("/table/{table_id:str}/describe", **allowed("talk"), status_code=200, responses=REFUSALS,
      summary="Describe your move")  # fmt: skip
async def describe(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[DescribeRequest]
) -> ApiDone:
    """Tell your move of the last exchange in your own words, once; in games that name what was done."""
    table = await tables.get(table_id)
    await tables.describe(table, person, asking(request, person), text=data.text, seat=data.seat)
    return ApiDone()


@post("/table/{table_id:str}/applaud", **allowed("talk"), status_code=200, responses=REFUSALS,
      summary="Applaud a description")  # fmt: skip
async def applaud(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ChatLineView]
) -> ApiDone:
    """Applaud how somebody else described a move."""
    table = await tables.get(table_id)
    await tables.applaud(table, person, asking(request, person), data.line)
    return ApiDone()


@post("/table/{table_id:str}/mute", **allowed("talk"), status_code=200, responses=REFUSALS, summary="Mute somebody")
async def mute(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ChatLineView]) -> ApiDone:
    """Hear nothing any more of whoever said a line, at any table."""
    await tables.mute(await tables.get(table_id), person, data.line)
    return ApiDone()


@post("/table/{table_id:str}/hear", **allowed("talk"), status_code=200, responses=REFUSALS, summary="Hear them again")
async def hear(person: Asker, tables: TheTables, table_id: Id, data: JSONBody[MuteRequest]) -> ApiDone:
    """Hear somebody again, by the id of that mute."""
    await tables.unmute(person, data.mute, await tables.get(table_id))
    return ApiDone()


@post("/table/{table_id:str}/report", **allowed("talk"), status_code=200, responses=REFUSALS, summary="Report a line")
async def report(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id, data: JSONBody[ChatLineView]
) -> ApiDone:
    """Tell whoever runs the server of a line, with the words, who said it, and where."""
    await tables.report(await tables.get(table_id), person, asking(request, person), data.line)
    return ApiDone()


@get("/me/muted", **allowed("look"), responses=refusals(), summary="Whom you do not hear")
async def muted(person: Asker, tables: TheTables) -> list[MutedPerson]:
    """The people whom you muted, by name."""
    return [MutedPerson(row.id, row.name) for row in await tables.talk.mutes(person.id)] if person.id else []


@post("/me/muted/{mute_id:str}/remove", **allowed("talk"), status_code=200, responses=refusals(),
      summary="Hear somebody again")  # fmt: skip
async def unmute(person: Asker, tables: TheTables, mute_id: Annotated[str, PathParameter(max_length=20)]) -> ApiDone:
    """The same for whom you muted at whichever table."""
    await tables.unmute(person, mute_id)
    return ApiDone()


def router() -> Router:
    """What can be said."""
    handlers = [talk, say, describe, applaud, mute, hear, report, muted, unmute]
    return Router("/api", route_handlers=handlers, tags=["talk"], request_max_body_size=SMALL)
