"""Live updates: a stream of server-sent events, one for each version of the table that its viewer sees."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, TypeVar

from litestar import get
from litestar.params import FromPath, FromQuery, HeaderParameter
from litestar.response import ServerSentEvent, ServerSentEventMessage

from sparring.engine.errors import SparringError

from . import drawing
from .door import Door
from .exchange import AnyRequest, Asker, TheTables, address_of
from .people import Person
from .table import Log
from .tables import Tables

T = TypeVar("T")


@get("/table/{table_id:str}/events", include_in_schema=False)
async def events(
    request: AnyRequest, person: Asker, tables: TheTables, table_id: FromPath[str],
    version: FromQuery[int] = 0,
    last: Annotated[str | None, HeaderParameter(name="Last-Event-ID")] = None,
) -> ServerSentEvent:  # fmt: skip
    """The stream of a table for a person who has seen a version of it (0: none).

    Each event's id is the version, its data the play area and the lines of the log that are new. Whoever is slow or was
    away gets the latest state and loses no line.
    """
    await tables.welcome(await tables.get(table_id), person)
    door: Door = request.app.state.door
    who = person.id or address_of(request)
    door.check_stream(who)
    known = int(last) if last and last.isascii() and last.isdigit() and len(last) < 10 else version
    messages = listen(door, who, stream(tables, table_id, person, known))
    return ServerSentEvent(messages, headers={"Cache-Control": "no-store"})


async def listen(door: Door, who: str, messages: AsyncIterator[T]) -> AsyncIterator[T]:
    """The same messages; meanwhile somebody counts as listening."""
    with door.stream(who):
        async for message in messages:
            yield message


async def stream(tables: Tables, table_id: str, person: Person, version: int) -> AsyncIterator[ServerSentEventMessage]:
    """Events for as long as somebody listens."""
    log: Log | None = None
    seat = None
    try:
        while True:
            table = await tables.get(table_id)
            viewer, shown = table.seat_of(person), table.shown
            if shown.versions[viewer] != version or seat not in (None, viewer):
                yield ServerSentEventMessage(id=shown.versions[viewer], data=drawing.news(table, viewer, log))
            elif log is None:
                yield ServerSentEventMessage(comment="nothing new", data=None, retry=1000)
            seat, version, log = viewer, shown.versions[viewer], shown.logs[viewer]
            try:
                async with asyncio.timeout(tables.settings.heartbeat):
                    await table.news(viewer, version)
            except TimeoutError:
                yield ServerSentEventMessage(comment="still here", data=None)
    except SparringError:
        return  # the table went away; whoever asks again is told why
