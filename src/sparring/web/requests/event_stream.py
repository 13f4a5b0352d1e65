"""Event streams: a server-sent event for each version of the table that its viewer sees."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Annotated, NamedTuple, TypeVar, cast

from litestar import get
from litestar.params import FromPath, FromQuery, HeaderParameter, QueryParameter
from litestar.response import Stream

from sparring.engine.errors import SparringError
from sparring.web.accounts.accounts import Accounts
from sparring.web.api_tokens import is_valid
from sparring.web.identity import Person
from sparring.web.security.streams import StreamLimits
from sparring.web.tables import page_parts
from sparring.web.tables.chat import chat_panel as talk
from sparring.web.tables.chat.chat_log import ChatFilter
from sparring.web.tables.player_feed import FeedVersion, PlayerFeed
from sparring.web.tables.presence import Presence
from sparring.web.tables.shared_screens import Viewer
from sparring.web.tables.table import Table
from sparring.web.tables.tables import Tables

from .identity_and_errors import AnyRequest, Asker, TheTables, address_of

T = TypeVar("T")

#: The name of the event with the current table for a viewer who was away.
CATCHING_UP = "latest"

#: Proxies must not buffer events.
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

#: Comments: at the start, with the reconnection delay in ms, and heartbeats.
NOTHING_NEW, STILL_HERE = b": nothing new\r\nretry: 1000\r\n\r\n", b": still here\r\n\r\n"

#: Names of the events about presence and chat, which have no version.
PEOPLE, TALK = "people", "talk"


class EventRenderer(NamedTuple):
    """How events are rendered."""

    #: The next version, or the current table for a viewer who missed too much (None). The last argument: the viewer's
    #: seat has changed, so they don't have this log yet.
    event: Callable[[Table, PlayerFeed, Viewer, FeedVersion | None, bool], bytes]
    #: Presence.
    people: Callable[[Table, PlayerFeed, Viewer, Presence], bytes]
    #: The chat since an edition. The last argument: the viewer's mutes have changed, so they must discard the chat they
    #: have.
    talk: Callable[[Table, Person, ChatFilter, int, bool], bytes]


@get("/table/{table_id:str}/events", include_in_schema=False)
async def events(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: FromPath[str],
    version: FromQuery[int] = 0, away: FromQuery[bool] = False, seat: FromQuery[int | None] = None,
    edition: Annotated[int, QueryParameter(name="talk")] = 0,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
) -> Stream:  # fmt: skip
    """Stream a table's events to a person who has seen a version of it (0: none), from a seat if given.

    The id of an event is the version; its data are the play area at every beat and at rest, and new lines of the log. A
    viewer who was away (a reconnecting browser sends the header) gets the current table first, with every line of the
    log; then every version in order.
    """
    return await streamed(request, person, tables, table_id, (version, away), last, PAGE, seat, edition)


async def streamed(
    request: AnyRequest, person: Person, tables: Tables, table_id: str, seen: tuple[int, bool], last: str | None,
    teller: EventRenderer, seat: int | None = None, edition: int = 0,
) -> Stream:  # fmt: skip
    """Return the event stream of a table, as rendered by `teller`.

    `seen` is a version, and whether the viewer was away since; `seat` is the seat they saw it from; `edition` is the
    edition of the chat that they have.
    """
    await tables.visit(await tables.get(table_id), person)
    streams: StreamLimits = request.app.state.streams
    who = person.responsible, address_of(request)
    streams.check(*who)
    if last and last.isascii() and last.isdigit() and len(last) < 10:
        seen = int(last), True
    messages = stream(tables, table_id, person, *seen, teller, seat, edition)
    return until_revoked(request, person, listen(streams, who, messages, tables.presence(table_id), person))


async def listen(
    streams: StreamLimits, who: tuple[str, str], messages: AsyncIterator[T], company: Presence, person: Person
) -> AsyncGenerator[T]:
    """Yield the messages while counting the stream and the person's presence."""
    with streams.open(*who), company.present(person.id or f"stranger {id(messages)}"):
        async for message in messages:
            yield message


def until_revoked(request: AnyRequest, person: Person, messages: AsyncGenerator[bytes]) -> Stream:
    """Stream messages until the person's session is revoked or their token ends."""
    accounts: Accounts = request.app.state.accounts

    async def told() -> AsyncIterator[bytes]:
        async with aclosing(messages):
            async for message in messages:
                if not is_valid(person) or not await accounts.sessions.is_valid(person):
                    return
                yield message

    return Stream(told(), media_type="text/event-stream", headers=HEADERS)


async def stream(
    tables: Tables,
    table_id: str,
    person: Person,
    version: int,
    away: bool,
    teller: EventRenderer,
    seat: int | None = None,
    edition: int = 0,
) -> AsyncIterator[bytes]:
    """Yield events while the person may receive them; `seat` is the seat from which they have seen `version`."""
    company = tables.presence(table_id)
    changes = -1 if away else company.changes
    begun, public, heard = False, -1, ChatFilter(edition, await tables.muted(person))
    try:
        while is_valid(person):
            table = await tables.get(table_id)
            before, looker = seat, table.viewer_of(person)
            seat = looker.seat
            sight = await table.catch_up(seat)
            anew = before not in (None, seat)
            if anew:  # the seat has changed; where hands are hidden now, show everyone what led there if it is public
                version, away = (public, False) if not seat and sight.version != public else (-1, True)
            if not begun and sight.version == version:
                yield NOTHING_NEW
            begun = True
            with sight.listening():
                while (sight := table.feed(seat)).version != version:
                    news = None if away else sight.after(version)
                    version, away = news.version if news else sight.version, False
                    yield teller.event(table, sight, looker, news, anew)
                    anew = False
                away = False
                public = table.feed(0).version if looker.shares else -1
                talked, hearing = table.chat.changes, await tables.filter_for(table, person)
                others = hearing.muted != heard.muted
                since = 0 if others else heard.edition
                if others or hearing.to_describe != heard.to_describe or table.chat.visible(hearing, since):
                    yield teller.talk(table, person, hearing, since, others)
                heard = hearing
                try:
                    async with asyncio.timeout(tables.settings.heartbeat):
                        await table.wait_for_news(person, looker, version, company, changes, talked)
                    if company.changes != changes and is_valid(person):
                        changes = company.changes
                        yield teller.people(table, sight, looker, company)
                except TimeoutError:
                    yield STILL_HERE
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


# Events are encoded once for all who see the same.


def html_renderer(name: str, draw: Callable[..., str]) -> EventRenderer:
    """Return a renderer for a kind of page, whose events `draw` makes."""

    def event(table: Table, sight: PlayerFeed, looker: Viewer, news: FeedVersion | None, anew: bool) -> bytes:
        kept = name, (news.version, news.log[0]) if news else None, looker, anew
        if kept not in sight.drawn:
            told = news or sight.latest
            drawn = draw(table, sight, looker, told, anew=anew)
            sight.drawn[kept] = encode_event(drawn, "" if news else CATCHING_UP, told.version)
        return cast(bytes, sight.drawn[kept])

    return EventRenderer(event, _people, _talk)


def _people(table: Table, sight: PlayerFeed, looker: Viewer, company: Presence) -> bytes:
    """Render the presence."""
    kept = "people", company.changes, looker
    if kept not in sight.drawn:
        sight.drawn[kept] = encode_event(page_parts.status_line(table, looker, company), PEOPLE)
    return cast(bytes, sight.drawn[kept])


def _talk(table: Table, person: Person, hearing: ChatFilter, since: int, anew: bool) -> bytes:
    """Render the chat since an edition, as one person sees it."""
    return encode_event(talk.news(table, person, hearing, since, anew=anew), TALK)


#: The renderer of the graphical page.
PAGE = html_renderer("table", page_parts.event)
