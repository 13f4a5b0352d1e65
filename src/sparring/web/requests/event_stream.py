"""Live updates: a stream of server-sent events, one for each version of the table that its viewer sees."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Annotated, NamedTuple, TypeVar, cast

from litestar import get
from litestar.params import FromPath, FromQuery, HeaderParameter, QueryParameter
from litestar.response import Stream

from sparring.engine.errors import SparringError
from sparring.web.accounts.accounts import Accounts
from sparring.web.api_tokens import holds
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

#: What an event is called that brings the table at rest to somebody who was away.
CATCHING_UP = "latest"

#: No proxy keeps events back to send several at once.
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

#: What is sent where nothing has happened: at the beginning, with how soon to come back (milliseconds), and later.
NOTHING_NEW, STILL_HERE = b": nothing new\r\nretry: 1000\r\n\r\n", b": still here\r\n\r\n"

#: What events are called that say who is at the table, and what was said there; they have no version.
PEOPLE, TALK = "people", "talk"


class EventRenderer(NamedTuple):
    """How events are told."""

    #: The next version; without one the table as it stands, for somebody who has missed too much.
    #: The last says whether its viewer has looked with other eyes so far, and so knows nothing of this log.
    event: Callable[[Table, PlayerFeed, Viewer, FeedVersion | None, bool], bytes]
    #: Who is at the table.
    people: Callable[[Table, PlayerFeed, Viewer, Presence], bytes]
    #: What was said since an edition of the talk; the last says whether what they heard before counts no more, since
    #: they have muted somebody or hear them again.
    talk: Callable[[Table, Person, ChatFilter, int, bool], bytes]


@get("/table/{table_id:str}/events", include_in_schema=False)
async def events(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: FromPath[str],
    version: FromQuery[int] = 0, away: FromQuery[bool] = False, seat: FromQuery[int | None] = None,
    edition: Annotated[int, QueryParameter(name="talk")] = 0,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
) -> Stream:  # fmt: skip
    """The stream of a table for a person who has seen a version of it (0: none), from a seat if that is said.

    Each event's id is the version, its data the play area at every beat and at rest, and the lines of the log that are
    new. Whoever was away (a browser that connects again says so by the header) gets the latest state, and no line is
    lost; then every version comes in its order.
    """
    return await streamed(request, person, tables, table_id, (version, away), last, PAGE, seat, edition)


async def streamed(
    request: AnyRequest, person: Person, tables: Tables, table_id: str, seen: tuple[int, bool], last: str | None,
    teller: EventRenderer, seat: int | None = None, edition: int = 0,
) -> Stream:  # fmt: skip
    """The stream of a table, as a teller tells it.

    `seen` is a version, and whether its viewer was away since then; `seat` with whose eyes they saw it; `edition` says
    how much of the talk they have heard.
    """
    await tables.welcome(await tables.get(table_id), person)
    streams: StreamLimits = request.app.state.streams
    who = person.answers, address_of(request)
    streams.check(*who)
    if last and last.isascii() and last.isdigit() and len(last) < 10:
        seen = int(last), True
    messages = stream(tables, table_id, person, *seen, teller, seat, edition)
    return while_known(request, person, listen(streams, who, messages, tables.company(table_id), person))


async def listen(
    streams: StreamLimits, who: tuple[str, str], messages: AsyncIterator[T], company: Presence, person: Person
) -> AsyncGenerator[T]:
    """The same messages; meanwhile somebody counts as listening, and is at the table."""
    with streams.open(*who), company.present(person.id or f"stranger {id(messages)}"):
        async for message in messages:
            yield message


def while_known(request: AnyRequest, person: Person, messages: AsyncGenerator[bytes]) -> Stream:
    """A stream of these messages, until somebody signs out everywhere or their token ends: then nothing more comes."""
    accounts: Accounts = request.app.state.accounts

    async def told() -> AsyncIterator[bytes]:
        async with aclosing(messages):
            async for message in messages:
                if not holds(person) or not await accounts.epochs.holds(person):
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
    """Events for as long as somebody listens, and may; `seat`: with whose eyes they have seen that version."""
    company = tables.company(table_id)
    changes = -1 if away else company.changes
    begun, public, heard = False, -1, ChatFilter(edition, await tables.muted(person))
    try:
        while holds(person):
            table = await tables.get(table_id)
            before, looker = seat, table.looker(person)
            seat = looker.seat
            sight = await table.look(seat)
            anew = before not in (None, seat)
            if anew:  # with other eyes; where hands are covered now, everybody sees what led there if it can be seen
                version, away = (public, False) if not seat and sight.version != public else (-1, True)
            if not begun and sight.version == version:
                yield NOTHING_NEW
            begun = True
            with sight.heard():
                while (sight := table.sight(seat)).version != version:
                    news = None if away else sight.after(version)
                    version, away = news.version if news else sight.version, False
                    yield teller.event(table, sight, looker, news, anew)
                    anew = False
                away = False
                public = table.sight(0).version if looker.shares else -1
                talked, hearing = table.chat.changes, await tables.hearing(table, person)
                others = hearing.muted != heard.muted
                since = 0 if others else heard.edition
                if others or hearing.to_describe != heard.to_describe or table.chat.heard(hearing, since):
                    yield teller.talk(table, person, hearing, since, others)
                heard = hearing
                try:
                    async with asyncio.timeout(tables.settings.heartbeat):
                        await table.news(person, looker, version, company, changes, talked)
                    if company.changes != changes and holds(person):
                        changes = company.changes
                        yield teller.people(table, sight, looker, company)
                except TimeoutError:
                    yield STILL_HERE
    except SparringError:
        return  # the table went away; whoever asks again is told why


def written(data: str, event: str = "", version: int = 0) -> bytes:
    """An event as it goes through the wire."""
    if "\r" in data:
        data = data.replace("\r\n", "\n").replace("\r", "\n")
    if "\n" in data:
        data = data.replace("\n", "\r\ndata: ")
    number, name = f"id: {version}\r\n" if version else "", f"event: {event}\r\n" if event else ""
    return b"".join([f"{number}{name}data: ".encode(), data.encode(), b"\r\n\r\n"])


# Both are made into bytes once for all who hear them.


def in_html(name: str, draw: Callable[..., str]) -> EventRenderer:
    """Tells a page of this name, whose events `draw` makes."""

    def event(table: Table, sight: PlayerFeed, looker: Viewer, news: FeedVersion | None, anew: bool) -> bytes:
        kept = name, (news.version, news.log[0]) if news else None, looker, anew
        if kept not in sight.drawn:
            told = news or sight.latest
            drawn = draw(table, sight, looker, told, anew=anew)
            sight.drawn[kept] = written(drawn, "" if news else CATCHING_UP, told.version)
        return cast(bytes, sight.drawn[kept])

    return EventRenderer(event, _people, _talk)


def _people(table: Table, sight: PlayerFeed, looker: Viewer, company: Presence) -> bytes:
    """Who is at the table."""
    kept = "people", company.changes, looker
    if kept not in sight.drawn:
        sight.drawn[kept] = written(page_parts.people(table, looker, company), PEOPLE)
    return cast(bytes, sight.drawn[kept])


def _talk(table: Table, person: Person, hearing: ChatFilter, since: int, anew: bool) -> bytes:
    """What was said since then, as one person hears it."""
    return written(talk.news(table, person, hearing, since, anew=anew), TALK)


#: As the page of a table is told.
PAGE = in_html("table", page_parts.news)
