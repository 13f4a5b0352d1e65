"""Timers in the database: when the next timer of each table fires, and the server's downtime. All times are ms."""

from collections.abc import Sequence
from typing import cast

from sqlalchemy import Connection, insert, select, update

from sparring.store.schema import HeartbeatRow, TableRow
from sparring.store.transactions import Store, transaction

#: The most timers to return at once.
AT_ONCE = 200


class TimerStore(Store):
    """The timers in the database of a server."""

    async def due_times(self) -> Sequence[tuple[str, int]]:
        """Return the next timers: table id and due time."""
        query = select(TableRow.id, TableRow.due).where(TableRow.due.is_not(None)).order_by(TableRow.due)
        async with self._store.reading() as session:
            return [(table, cast(int, due)) for table, due in await session.execute(query.limit(AT_ONCE))]

    async def delete(self, table: str) -> None:
        """Delete a table's timer, since the table can't be played on."""
        await self._store.execute(update(TableRow).where(TableRow.id == table).values(due=None))

    @transaction
    def heartbeat(self, connection: Connection, now: int) -> None:
        """Record that a server is running."""
        if not connection.execute(update(HeartbeatRow).values(at=now)).rowcount:
            connection.execute(insert(HeartbeatRow).values(id=1, at=now))

    @transaction
    def add_downtime(self, connection: Connection, now: int, usual: int) -> None:
        """At a server's start, move all running turns by its downtime, if that is longer than `usual`.

        Turns begun before the clock was set back move back, so that no player and no bot waits until it has caught up.
        """
        downtime = now - (connection.execute(select(HeartbeatRow.at)).scalar() or now)
        if downtime > usual or downtime < -100 * usual:
            statement = update(TableRow).where(TableRow.due.is_not(None))
            connection.execute(statement.values(since=TableRow.since + downtime, due=TableRow.due + downtime))
