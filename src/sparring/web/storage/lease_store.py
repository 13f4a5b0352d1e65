"""Which of several processes has a table, and which processes there are.

A process has one row, which it counts up as long as it lives. Who sees that a row stands still takes it away, and then
may take that process's tables. Nobody compares clocks. Whoever was only slow finds its row gone, and whatever it still
writes is refused, because taking a table is a new edition of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from .database import Database
from .group_commit import StaleWrite
from .schema import ServerRow, TableRow


@dataclass(frozen=True)
class NodeLease:
    """A process of a server: how it is called, where the others reach it, and how far it has counted."""

    id: str
    address: str
    beat: int


class LeaseStore:
    """Processes and what they have."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def join(self, process: str, address: str) -> None:
        """One more process is there."""

        def work(connection: Connection) -> None:
            connection.execute(insert(ServerRow).values(id=process, address=address, beat=0))

        await self._store.writer.write(work)

    async def beat(self, process: str) -> None:
        """A process still lives; Stale if it was taken for dead."""

        def work(connection: Connection) -> None:
            alive = update(ServerRow).where(ServerRow.id == process).values(beat=ServerRow.beat + 1)
            if not connection.execute(alive).rowcount:
                raise StaleWrite("The others took this process for dead.")

        await self._store.writer.write(work)

    async def bury(self, process: str) -> None:
        """A process is gone; what it had others may take."""

        def work(connection: Connection) -> None:
            connection.execute(delete(ServerRow).where(ServerRow.id == process))

        await self._store.writer.write(work)

    async def processes(self) -> Sequence[NodeLease]:
        """All that are there."""
        async with self._store.reading() as session:
            return [NodeLease(row.id, row.address, row.beat) for row in await session.scalars(select(ServerRow))]

    async def owner(self, table: str) -> str | None:
        """Which process has a table; none if nobody has it, or there is no such table."""
        async with self._store.reading() as session:
            return (await session.scalars(select(TableRow.owner).where(TableRow.id == table))).first()

    async def take(self, table: str, process: str, before: str | None) -> None:
        """Have a table that another process had; Stale if a third one was faster."""
        place = (TableRow.id == table) & TableRow.owner.is_not_distinct_from(before)

        def work(connection: Connection) -> None:
            taken = update(TableRow).where(place).values(owner=process, edition=TableRow.edition + 1)
            if not connection.execute(taken).rowcount:
                raise StaleWrite("Another process has this table.")

        await self._store.writer.write(work)
