"""Live updates: a stream of server-sent events, one for each version of the table that its viewer sees."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, TypeVar, cast

from litestar import get
from litestar.params import FromPath, FromQuery, HeaderParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage

from sparring.engine.errors import SparringError
from sparring.web.guard.door import Door
from sparring.web.people import Person
from sparring.web.tables import drawing
from sparring.web.tables.company import Company
from sparring.web.tables.sight import News, Sight
from sparring.web.tables.table import Table
from sparring.web.tables.tables import Tables

from .exchange import AnyRequest, Asker, TheTables, address_of

T = TypeVar("T")

#: What an event is called that brings the table at rest to somebody who was away.
CATCHING_UP = "latest"

#: What an event is called that says who is at the table; it has no version.
PEOPLE = "people"


@get("/table/{table_id:str}/events", include_in_schema=False)
async def events(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: FromPath[str],
    version: FromQuery[int] = 0, away: FromQuery[bool] = False,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
) -> ServerSentEvent:  # fmt: skip
    """The stream of a table for a person who has seen a version of it (0: none).

    Each event's id is the version, its data the play area at every beat and at rest, and the lines of the log that are
    new. Whoever was away (a browser that connects again says so by the header) gets the latest state, and no line is
    lost; then every version comes in its order.
    """
    await tables.welcome(await tables.get(table_id), person)
    door: Door = request.app.state.door
    who = person.id or address_of(request)
    door.check_stream(who)
    if last and last.isascii() and last.isdigit() and len(last) < 10:
        version, away = int(last), True
    messages = listen(door, who, stream(tables, table_id, person, version, away), tables.company(table_id), person)
    return ServerSentEvent(messages, headers={"Cache-Control": "no-store"})


async def listen(
    door: Door, who: str, messages: AsyncIterator[T], company: Company, person: Person
) -> AsyncIterator[T]:
    """The same messages; meanwhile somebody counts as listening, and is at the table."""
    with door.stream(who), company.present(person.id or f"stranger {id(messages)}"):
        async for message in messages:
            yield message


async def stream(
    tables: Tables, table_id: str, person: Person, version: int, away: bool
) -> AsyncIterator[ServerSentEventMessage]:
    """Events for as long as somebody listens."""
    viewer: int | None = None
    company = tables.company(table_id)
    changes = -1 if away else company.changes
    try:
        while True:
            table = await tables.get(table_id)
            before, viewer = viewer, table.seat_of(person)
            if before not in (None, viewer):
                version, away = -1, True  # who sits down sees with other eyes
            sight = await table.look(viewer)
            if before is None and sight.version == version:
                yield ServerSentEventMessage(comment="nothing new", data=None, retry=1000)
            with sight.heard():
                while (sight := table.sight(viewer)).version != version:
                    news = None if away else sight.after(version)
                    version, away = news.version if news else sight.version, False
                    yield _event(table, sight, news)
                away = False
                try:
                    async with asyncio.timeout(tables.settings.heartbeat):
                        await table.news(viewer, version, company, changes)
                    if company.changes != changes:
                        changes = company.changes
                        yield ServerSentEventMessage(event=PEOPLE, data=str(drawing.people(table, viewer, company)))
                except TimeoutError:
                    yield ServerSentEventMessage(comment="still here", data=None)
    except SparringError:
        return  # the table went away; whoever asks again is told why


class Event(ServerSentEventMessage):
    """A message that is made into bytes once for all who hear it."""

    sent: bytes | None = None

    def encode(self) -> bytes:
        """What goes through the wire."""
        if self.sent is None:
            self.sent = super().encode()
        return self.sent


def _event(table: Table, sight: Sight, news: News | None) -> Event:
    """The next version; without one the table as it stands, for somebody who has missed too much."""
    kept = f"message {news.version} {news.log[0]}" if news else "message of the latest"
    if kept not in sight.drawn:
        told = news or sight.latest
        sight.drawn[kept] = Event(
            id=told.version, event=None if news else CATCHING_UP, data=drawing.news(table, sight, told)
        )
    return cast(Event, sight.drawn[kept])
