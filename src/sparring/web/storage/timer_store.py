"""The moments at which something is to happen at tables, and for how long no server was there. All are milliseconds."""

from collections.abc import Sequence
from typing import cast

from sqlalchemy import Connection, func, insert, select, update

from .database import Database
from .schema import HeartbeatRow, TableRow

#: As many tables are looked for at once.
AT_ONCE = 200


class TimerStore:
    """Moments in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def coming(self) -> Sequence[tuple[str, int]]:
        """The tables at which something is to happen next, each with its moment."""
        found = select(TableRow.id, TableRow.due).where(TableRow.due.is_not(None)).order_by(TableRow.due)
        async with self._store.reading() as session:
            return [(table, cast(int, due)) for table, due in await session.execute(found.limit(AT_ONCE))]

    async def forget(self, table: str) -> None:
        """Nothing is to happen at a table any more: it cannot be played on."""

        def work(connection: Connection) -> None:
            connection.execute(update(TableRow).where(TableRow.id == table).values(due=None))

        await self._store.writer.write(work)

    async def pulse(self, now: int) -> None:
        """A server is at work."""

        def work(connection: Connection) -> None:
            if not connection.execute(update(HeartbeatRow).values(at=now)).rowcount:
                connection.execute(insert(HeartbeatRow).values(id=1, at=now))

        await self._store.writer.write(work)

    async def wake(self, now: int, usual: int) -> None:
        """A server begins: the time since the last sign of one counts for nobody, if it is longer than usual."""

        def work(connection: Connection) -> None:
            pulse = connection.execute(select(func.max(HeartbeatRow.at))).scalar() or 0
            written = connection.execute(select(func.max(TableRow.changed))).scalar() or 0
            gone = now - max(pulse, 1000 * written)
            if gone > usual:
                waiting = update(TableRow).where(TableRow.due.is_not(None))
                connection.execute(waiting.values(since=TableRow.since + gone, due=TableRow.due + gone))

        await self._store.writer.write(work)
