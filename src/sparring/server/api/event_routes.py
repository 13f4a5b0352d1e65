"""Event streams for programs: one table's events, and turns at all the person's tables."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from typing import Annotated

import msgspec
from litestar import get
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter, QueryParameter
from litestar.response import Stream

from sparring.engine.errors import SparringError
from sparring.server.requests.event_stream import (
    CHAT,
    HEARTBEAT,
    LATEST,
    PEOPLE,
    STREAM_START,
    EventRenderer,
    encode_event,
    streamed,
    until_revoked,
)
from sparring.server.requests.identity import UNSEATED, AnyRequest, CurrentPerson, TablesDep
from sparring.store.group_commit import StoreError
from sparring.store.person import Person
from sparring.tables.lobby import MINE
from sparring.tables.play.registry import NotificationListener
from sparring.tables.play.table_view import PossibleChoice, legal_choices, scene_at
from sparring.tables.state.chat_log import ChatFilter
from sparring.tables.state.player_feed import FeedVersion, PlayerFeed
from sparring.tables.state.players import Viewer
from sparring.tables.state.presence import Presence
from sparring.tables.state.table import Table, check_identity
from sparring.tables.tables import Tables

from .responses import Id, endpoint
from .table_routes import TableStatus, chat_of, presence_at, table_status

#: The most tables whose last status a stream remembers.
MOST_TABLES = 1000
#: The interval between checks for tables in other processes, in seconds.
OFTEN = 1.0


class ApiBeat(msgspec.Struct):
    """One animation step between two versions of a table."""

    sentences: Annotated[list[str], msgspec.Meta(description="What happened, sentence by sentence.")]
    scene: Annotated[str, msgspec.Meta(description="The table at this step, in lines of text.")]


class ApiEvent(msgspec.Struct):
    """A new version of a table; the event's id is the version, too."""

    version: Annotated[int, msgspec.Meta(description="The new version.")]
    is_turn: Annotated[bool, msgspec.Meta(description="Whether it is your turn to choose.")]
    over: Annotated[bool, msgspec.Meta(description="Whether the match has ended.")]
    choices: Annotated[list[PossibleChoice], msgspec.Meta(description="Your legal choices.")]
    beats: Annotated[list[ApiBeat], msgspec.Meta(description="The animation steps, in order.")]
    scene: Annotated[str, msgspec.Meta(description="The table in lines of text.")]
    keep: Annotated[int, msgspec.Meta(description="The number of log sentences that stay the same.")]
    log: Annotated[list[str], msgspec.Meta(description="The log sentences that follow them.")]


#: The documented response of a stream, whose endless body has no schema.
EVENTS = {
    200: ResponseSpec(
        str, media_type="text/event-stream", generate_examples=False,
        description="Server-sent events, with comments as heartbeats, until you disconnect.",
    )
}  # fmt: skip


@get("/table/{table_id:str}/events", **endpoint("look", "A table's events", 404, 410, also=EVENTS, newcomers=UNSEATED),
     media_type="text/event-stream")  # fmt: skip
async def events(
    request: AnyRequest, person: CurrentPerson, tables: TablesDep, table_id: Id,
    version: Annotated[int, QueryParameter(description="The version you have; 0: none.")] = 0,
    chat_version: Annotated[
        int, QueryParameter(name="chat", description="The chat version you have; 0: none.")
    ] = 0,
    last: Annotated[
        str | None, HeaderParameter(name="Last-Event-ID", description="The last version received, when you reconnect.")
    ] = None,
) -> Stream:  # fmt: skip
    """Stream an event for each version of the table that your seat sees, `people` for presence and `chat` for the chat.

    The data is JSON: `version`, `is_turn`, `over`, `choices`, `beats`, `scene`, `keep` and `log`. After reconnecting
    with `Last-Event-ID`, you get the current table with the whole log (`latest`), then every version in order.
    """
    return await streamed(request, person, tables, table_id, (version, False), last, PROGRAM, chat_version=chat_version)


def _event(table: Table, feed: PlayerFeed, viewer: Viewer, update: FeedVersion | None, full: bool) -> bytes:
    version = update or feed.latest
    key = f"json {version.version} {version.log[0]} {bool(update)} {full}"

    def rendered() -> bytes:
        data = msgspec.json.encode(event_of(table, feed, version, full=full)).decode()
        return encode_event(data, "" if update else LATEST, version.version)

    return feed.once(key, rendered)


def event_of(table: Table, feed: PlayerFeed, version: FeedVersion, *, full: bool = False) -> ApiEvent:
    """Return the event of a version. Only the latest has choices; `full` includes the whole log."""
    latest, (keep, news) = version.version == feed.version, feed.news(version, full=full)
    *beats, rest = version.beats
    is_turn = latest and 0 < feed.viewer == table.chooser
    return ApiEvent(
        version=version.version, is_turn=is_turn, over=latest and table.shown.over,
        choices=legal_choices(rest.view) if is_turn else [],
        beats=[ApiBeat([*map(str, beat.lines)], str(feed.scene_of(beat.view.past))) for beat in beats],
        scene=str(scene_at(table, feed, rest.view, latest=latest)),
        keep=keep, log=[*map(str, news)],
    )  # fmt: skip


def _people(table: Table, feed: PlayerFeed, viewer: Viewer, presence: Presence) -> bytes:
    return encode_event(msgspec.json.encode(presence_at(table, presence, viewer)).decode(), PEOPLE)


def _chat(table: Table, person: Person, chat_filter: ChatFilter, since: int, full: bool) -> bytes:
    return encode_event(msgspec.json.encode(chat_of(table, person, chat_filter, since, full=full)).decode(), CHAT)


#: The event format for programs.
PROGRAM = EventRenderer(_event, _people, _chat)


@get("/me/events", **endpoint("look", "Events of your tables", also=EVENTS), media_type="text/event-stream")
async def my_events(request: AnyRequest, person: CurrentPerson, tables: TablesDep) -> Stream:
    """Stream an event whenever the status of one of your tables changes: a new table, your turn or the end.

    The stream starts with your unfinished tables. The data is JSON: `table`, `game`, `seat`, `version`, `is_turn` and
    `over`.
    """
    check_identity(person, "see your tables")
    return until_revoked(request, person, turns(tables, person))


async def turns(tables: Tables, person: Person) -> AsyncGenerator[bytes]:
    """Yield the status of a person's tables, as long as their token or cookie is valid."""
    sent = OrderedDict[str, TableStatus]()
    with tables.registry.notifications.listen(person.id) as listener:
        row_versions: dict[str, int] = {}
        await _queue_changes(tables, person, listener, row_versions)
        yield STREAM_START
        clock, wait = asyncio.get_running_loop().time, tables.settings.heartbeat
        next_heartbeat = clock() + wait
        while person.may_act:
            try:
                next_check = clock() + OFTEN if tables.store.shared else next_heartbeat
                # A fixed time, so that hidden changes don't delay the heartbeat.
                async with asyncio.timeout_at(min(next_heartbeat, next_check)):
                    changed = await listener.take()
            except TimeoutError:
                if tables.store.shared:
                    await _queue_changes(tables, person, listener, row_versions)
                if clock() >= next_heartbeat:
                    yield HEARTBEAT
                    next_heartbeat = clock() + wait
                continue
            for table in changed:
                if (status := await _status_of(tables, table, person)) and sent.get(table) != status and person.may_act:
                    sent[table] = status
                    yield encode_event(msgspec.json.encode(status).decode())
                    next_heartbeat = clock() + wait
            while len(sent) > MOST_TABLES:
                sent.popitem(last=False)


async def _queue_changes(
    tables: Tables, person: Person, listener: NotificationListener, row_versions: dict[str, int]
) -> None:
    """Queue the tables changed since the last check, in any process."""
    for row in reversed(await tables.lists.of(person.id, MINE)):
        if row_versions.get(row.id, -1 if not row.over else row.row_version) != row.row_version:
            listener.add(row.id)
        row_versions[row.id] = row.row_version


async def _status_of(tables: Tables, table: str, person: Person) -> TableStatus | None:
    """Return a table's status, or None if it is unavailable or the person no longer sits there."""
    try:
        found = await tables.registry.get(table)
    except StoreError:
        raise
    except SparringError:
        return None
    return table_status(found, person) if found.seats_of(person) else None
