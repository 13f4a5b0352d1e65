"""Event streams: a server-sent event for each version of the table that its viewer sees."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractContextManager, aclosing, nullcontext
from typing import NamedTuple

import msgspec
from litestar.response import Stream

from sparring.engine.errors import SparringError
from sparring.settings.requests import ApiRefusal
from sparring.store.group_commit import StoreError
from sparring.store.person import Person
from sparring.tables.state.chat_log import ChatFilter
from sparring.tables.state.player_feed import FeedVersion, PlayerFeed
from sparring.tables.state.players import Viewer
from sparring.tables.state.presence import Presence
from sparring.tables.state.table import Table
from sparring.tables.tables import Tables

from .errors import explain_late
from .identity import AnyRequest, address_of, wants_json
from .server_state import server_state

#: The name of the event with the current table for a viewer who was away.
LATEST = "latest"

#: Proxies must not buffer events.
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

#: Comments in the stream: its start, with the reconnection delay in ms, and the heartbeat.
STREAM_START, HEARTBEAT = b": nothing new\r\nretry: 1000\r\n\r\n", b": still here\r\n\r\n"

#: Names of the events about presence and chat, which have no version.
PEOPLE, CHAT = "people", "chat"

#: The name of a stream's last event if something failed: its data is the sentence, for programs a refusal.
FAILED = "failed"


class EventRenderer(NamedTuple):
    """How events are rendered."""

    #: The next version, or the current table for a viewer who missed too much (None). The last argument: the viewer's
    #: seat has changed, so they don't have this log yet.
    event: Callable[[Table, PlayerFeed, Viewer, FeedVersion | None, bool], bytes]
    #: Presence.
    people: Callable[[Table, PlayerFeed, Viewer, Presence], bytes]
    #: The chat since a version. The last argument: the viewer's mutes have changed, so they must discard the chat they
    #: have.
    chat: Callable[[Table, Person, ChatFilter, int, bool], bytes]


async def streamed(
    request: AnyRequest, person: Person, tables: Tables, table_id: str, seen: tuple[int, bool], last: str | None,
    renderer: EventRenderer, seat: int | None = None, chat_version: int = 0,
) -> Stream:  # fmt: skip
    """Return the event stream of a table, as rendered by `renderer`.

    `seen` is a version, and whether the viewer was away since; `seat` is the seat they saw it from; `chat_version` is
    the version of the chat that they have.
    """
    await tables.choices.visit(await tables.registry.get(table_id), person)
    if last and last.isascii() and last.isdigit() and len(last) < 10:
        seen = int(last), True
    messages = stream(tables, table_id, person, *seen, renderer, seat, chat_version)
    return until_revoked(request, person, messages, tables.registry.presence(table_id).present(person.id))


def until_revoked(
    request: AnyRequest, person: Person, messages: AsyncGenerator[bytes],
    present: AbstractContextManager[None] | None = None,
) -> Stream:  # fmt: skip
    """Stream messages until the person's session is revoked, their token ends, they are banned, or something fails.

    Meanwhile the stream is counted, and the person is `present`.
    """
    state, people, address = server_state(request.app), {person.id, person.responsible}, address_of(request)
    state.streams.check(person.responsible, address)

    async def checked() -> AsyncGenerator[bytes]:
        try:
            with state.streams.open(person.responsible, address), present or nullcontext():
                async with aclosing(messages):
                    async for message in messages:
                        if not person.may_act or not await state.accounts.sessions.is_valid(person):
                            return
                        if state.bans.is_banned(people, address):
                            return
                        yield message
        except Exception as problem:  # noqa: BLE001 - the status is sent already, so no handler could answer
            sentence = explain_late(request, problem)
            data = msgspec.json.encode(ApiRefusal(sentence)).decode() if wants_json(request) else sentence
            yield encode_event(data, FAILED)

    return Stream(checked(), media_type="text/event-stream", headers=HEADERS)


async def stream(
    tables: Tables,
    table_id: str,
    person: Person,
    version: int,
    away: bool,
    renderer: EventRenderer,
    seat: int | None = None,
    chat_version: int = 0,
) -> AsyncGenerator[bytes]:
    """Yield events while the person may receive them; `seat` is the seat from which they have seen `version`."""
    presence = tables.registry.presence(table_id)
    announcements = -1 if away else presence.changes
    started, public_version, chat_seen = False, -1, ChatFilter(chat_version, await tables.chat.muted(person))
    try:
        while person.may_act:
            table = await tables.registry.get(table_id, newest=not started)
            previous, viewer = seat, table.viewer_of(person)
            seat = viewer.seat
            feed = await table.catch_up(seat)
            seat_changed = previous not in (None, seat)
            if seat_changed:  # if all hands are hidden now, show the beats that led there, provided they are public
                version, away = (public_version, False) if not seat and feed.version != public_version else (-1, True)
            if not started and feed.version == version:
                yield STREAM_START
            started = True
            with feed.listening():
                while (feed := table.feed(seat)).version != version:
                    update = None if away else feed.after(version)
                    version, away = update.version if update else feed.version, False
                    yield renderer.event(table, feed, viewer, update, seat_changed)
                    seat_changed = False
                away = False
                public_version = table.feed(0).version if viewer.shares else -1
                chat_changes, chat_filter = table.chat.changes, await tables.chat.filter_for(table, person)
                mutes_changed = chat_filter.muted != chat_seen.muted
                since = 0 if mutes_changed else chat_seen.chat_version
                if (
                    mutes_changed
                    or chat_filter.to_describe != chat_seen.to_describe
                    or (table.chat.chat_version > since and table.chat.visible(chat_filter, since))
                ):
                    yield renderer.chat(table, person, chat_filter, since, mutes_changed)
                chat_seen = chat_filter
                try:
                    async with asyncio.timeout(tables.settings.heartbeat):
                        await table.wait_for_update(person, viewer, version, presence, announcements, chat_changes)
                    if presence.changes != announcements and person.may_act:
                        announcements = presence.changes
                        yield renderer.people(table, feed, viewer, presence)
                except TimeoutError:
                    yield HEARTBEAT
    except StoreError:
        raise
    except SparringError:
        return  # the table was evicted; the next request learns why


def encode_event(data: str, event: str = "", version: int = 0) -> bytes:
    """Return an event in wire format."""
    if "\r" in data:
        data = data.replace("\r\n", "\n").replace("\r", "\n")
    if "\n" in data:
        data = data.replace("\n", "\r\ndata: ")
    number, name = f"id: {version}\r\n" if version else "", f"event: {event}\r\n" if event else ""
    return b"".join([f"{number}{name}data: ".encode(), data.encode(), b"\r\n\r\n"])
