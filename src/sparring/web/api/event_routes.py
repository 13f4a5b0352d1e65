"""Streams of events for programs: what happens at a table, and at which tables of somebody anything happens."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from typing import Annotated, cast

import msgspec
from litestar import Router, get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from sparring.engine.errors import SparringError
from sparring.web.api_tokens import holds
from sparring.web.identity import Person
from sparring.web.requests.event_stream import (
    CATCHING_UP,
    NOTHING_NEW,
    PEOPLE,
    STILL_HERE,
    TALK,
    EventRenderer,
    streamed,
    while_known,
    written,
)
from sparring.web.requests.identity_and_errors import AnyRequest, Asker, TheTables, address_of
from sparring.web.security.streams import StreamLimits
from sparring.web.tables.chat.chat_log import ChatFilter
from sparring.web.tables.lobby import MINE
from sparring.web.tables.notifications import NotificationListener
from sparring.web.tables.page_parts import scene_at
from sparring.web.tables.player_feed import FeedVersion, PlayerFeed, beginning, sentences
from sparring.web.tables.presence import Presence
from sparring.web.tables.registry import OnOtherNode
from sparring.web.tables.shared_screens import Viewer
from sparring.web.tables.table import NotYours, Table
from sparring.web.tables.tables import Tables

from .chat_routes import talk_of
from .responses import Id, allowed, refusals
from .table_routes import PossibleChoice, TableStatus, here, possible, standing

#: Of how many tables is remembered, for one who listens, how they stood.
REMEMBERED = 1000
#: How often somebody's tables in other processes are looked for (seconds).
OFTEN = 1.0


class ApiBeat(msgspec.Struct):
    """The table at one of the moments on the way from one version to the next."""

    told: Annotated[list[str], msgspec.Meta(description="What led there, sentence by sentence.")]
    scene: Annotated[str, msgspec.Meta(description="The table then, in lines of text.")]


class ApiEvent(msgspec.Struct):
    """What is sent for every version of a table; the id of the event is the version too."""

    version: Annotated[int, msgspec.Meta(description="The version that you see now.")]
    asked: Annotated[bool, msgspec.Meta(description="Whether you are to choose now.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]
    choices: Annotated[list[PossibleChoice], msgspec.Meta(description="What you may choose now.")]
    beats: Annotated[list[ApiBeat], msgspec.Meta(description="What was to be seen on the way, in order.")]
    scene: Annotated[str, msgspec.Meta(description="The table in lines of text.")]
    keep: Annotated[int, msgspec.Meta(description="How many sentences of the log still stand as you know them.")]
    log: Annotated[list[str], msgspec.Meta(description="The sentences that come after those.")]


#: What is said of a stream in the description: its body has no end, and so no schema of its own.
EVENTS = {
    200: ResponseSpec(
        str, media_type="text/event-stream", generate_examples=False,
        description="Server-sent events, and comments as a heartbeat, until you go.",
    )
}  # fmt: skip


@get("/table/{table_id:str}/events", **allowed("look"), responses={**EVENTS, **refusals(404, 410)},
     summary="What happens at a table", media_type="text/event-stream")  # fmt: skip
async def events(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: Id,
    version: Annotated[int, QueryParameter(description="The version that you know; 0: none.")] = 0,
    edition: Annotated[
        int, QueryParameter(name="talk", description="The edition of the talk that you know; 0: none.")
    ] = 0,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID", description="As browsers send it.")] = None,
) -> Stream:  # fmt: skip
    """An event for every version of the table that your seat sees; `people` and `talk` say who is there, who says what.

    Its data is JSON: `version`, `asked`, `over`, `choices`, `beats`, `scene`, `keep` and `log`. Who comes again with
    `Last-Event-ID` gets the table as it stands (`latest`), with the whole log, and then every version in its order.
    """
    return await streamed(request, person, tables, table_id, (version, False), last, PROGRAM, edition=edition)


def _event(table: Table, sight: PlayerFeed, looker: Viewer, news: FeedVersion | None, anew: bool) -> bytes:
    told = news or sight.latest
    kept = f"json {told.version} {told.log[0]} {bool(news)} {anew}"
    if kept not in sight.drawn:
        data = msgspec.json.encode(event_of(table, sight, told, anew=anew)).decode()
        sight.drawn[kept] = written(data, "" if news else CATCHING_UP, told.version)
    return cast(bytes, sight.drawn[kept])


def event_of(table: Table, sight: PlayerFeed, news: FeedVersion, *, anew: bool = False) -> ApiEvent:
    """A version as a viewer was shown it, `anew` with all of the log; one that others have followed asks nothing."""
    latest, keep = news.version == sight.version, 0 if anew else beginning(sight.log, news.log[0])
    *beats, rest = news.beats
    asked = latest and 0 < sight.viewer == table.chooser
    return ApiEvent(
        version=news.version, asked=asked, over=latest and table.shown.over,
        choices=possible(rest.view) if asked else [],
        beats=[ApiBeat([*map(str, beat.lines)], str(sight.scene_of(beat.view.passed))) for beat in beats],
        scene=str(scene_at(table, sight, rest.view, latest=latest)),
        keep=len(sentences(sight.log[:keep])), log=[str(line) for _, line in sentences(sight.log[: news.log[1]], keep)],
    )  # fmt: skip


def _people(table: Table, sight: PlayerFeed, looker: Viewer, company: Presence) -> bytes:
    return written(msgspec.json.encode(here(table, company)).decode(), PEOPLE)


def _talk(table: Table, person: Person, hearing: ChatFilter, since: int, anew: bool) -> bytes:
    return written(msgspec.json.encode(talk_of(table, person, hearing, since, anew=anew)).decode(), TALK)


#: As programs are told.
PROGRAM = EventRenderer(_event, _people, _talk)


@get("/me/events", **allowed("look"), responses={**EVENTS, **refusals()}, summary="What happens at your tables",
     media_type="text/event-stream")  # fmt: skip
async def my_events(request: AnyRequest, person: Asker, tables: TheTables) -> Stream:
    """An event whenever one of your tables stands otherwise for you: it is your turn there, it is new, it is over.

    It begins with the tables that go on. The data is JSON: `table`, `game`, `seat`, `version`, `asked` and `over`.
    """
    if not person.id:
        raise NotYours("Tables are somebody's: come with a token, or with the cookie of your browser.")
    streams: StreamLimits = request.app.state.streams
    address = address_of(request)
    streams.check(person.answers, address)
    return while_known(request, person, turns(streams, tables, person, address))


async def turns(streams: StreamLimits, tables: Tables, person: Person, address: str) -> AsyncGenerator[bytes]:
    """How the tables of somebody stand, for as long as they listen, and may."""
    told = OrderedDict[str, TableStatus]()
    with streams.open(person.answers, address), tables.bell.heard(person.id) as ear:
        editions: dict[str, int] = {}
        await _look_for(tables, person, ear, editions)
        yield NOTHING_NEW
        clock, wait = asyncio.get_running_loop().time, tables.settings.heartbeat
        silent = clock() + wait
        while holds(person):
            try:
                others = clock() + OFTEN if tables.owners.id else silent
                async with asyncio.timeout_at(min(silent, others)):  # what somebody may not see moves no heartbeat
                    rung = await ear.take()
            except TimeoutError:
                if tables.owners.id:
                    await _look_for(tables, person, ear, editions)
                if clock() >= silent:
                    yield STILL_HERE
                    silent = clock() + wait
                continue
            for table in rung:
                if (now := await _stands(tables, table, person)) and told.get(table) != now and holds(person):
                    told[table] = now
                    yield written(msgspec.json.encode(now).decode())
                    silent = clock() + wait
            while len(told) > REMEMBERED:
                told.popitem(last=False)


async def _look_for(tables: Tables, person: Person, ear: NotificationListener, editions: dict[str, int]) -> None:
    """Hear of the tables that were written since somebody last looked, in whichever process."""
    for row in reversed(await tables.lists.of(person.id, MINE)):
        if editions.get(row.id, -1 if not row.over else row.edition) != row.edition:
            ear.hear(row.id)
        editions[row.id] = row.edition


async def _stands(tables: Tables, table: str, person: Person) -> TableStatus | None:
    """How a table stands; None if it cannot be had any more, or is somebody else's now."""
    try:
        try:
            found = await tables.get(table)
        except OnOtherNode:
            found = await tables.peek(table)
    except SparringError:
        return None
    return standing(found, person) if found.seats_of(person) else None


def router() -> Router:
    """The streams."""
    return Router("/api", route_handlers=[events, my_events], tags=["events"])
