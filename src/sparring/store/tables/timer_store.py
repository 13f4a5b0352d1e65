"""Timers in the database: when the next timer of each table fires, and the server's downtime. All times are ms."""

from collections.abc import Sequence
from typing import cast

from sqlalchemy import Connection, insert, select, update

from sparring.store.database import Database
from sparring.store.schema import HeartbeatRow, TableRow

#: The most timers to return at once.
AT_ONCE = 200


class TimerStore:
    """The timers in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def due_times(self) -> Sequence[tuple[str, int]]:
        """Return the next timers: table id and due time."""
        query = select(TableRow.id, TableRow.due).where(TableRow.due.is_not(None)).order_by(TableRow.due)
        async with self._store.reading() as session:
            return [(table, cast(int, due)) for table, due in await session.execute(query.limit(AT_ONCE))]

    async def delete(self, table: str) -> None:
        """Delete a table's timer, since the table can't be played on."""

        def work(connection: Connection) -> None:
            connection.execute(update(TableRow).where(TableRow.id == table).values(due=None))

        await self._store.writer.write(work)

    async def heartbeat(self, now: int) -> None:
        """Record that a server is running."""

        def work(connection: Connection) -> None:
            if not connection.execute(update(HeartbeatRow).values(at=now)).rowcount:
                connection.execute(insert(HeartbeatRow).values(id=1, at=now))

        await self._store.writer.write(work)

    async def add_downtime(self, now: int, usual: int) -> None:
        """At a server's start, move all running turns by its downtime, if that is longer than `usual`.

        Turns begun before the clock was set back move back, so that no player and no bot waits until it has caught up.
        """

        def work(connection: Connection) -> None:
            downtime = now - (connection.execute(select(HeartbeatRow.at)).scalar() or now)
            if downtime > usual or downtime < -100 * usual:
                statement = update(TableRow).where(TableRow.due.is_not(None))
                connection.execute(statement.values(since=TableRow.since + downtime, due=TableRow.due + downtime))

        await self._store.writer.write(work)
