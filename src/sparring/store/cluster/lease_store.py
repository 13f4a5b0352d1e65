"""Leases: which process owns a table, and which processes are alive.

Each process has one row with a heartbeat counter. A process that sees a counter stand still deletes the row, and may
then claim that process's tables. No clocks are compared. A process that was only slow finds its row gone, and its
pending writes fail, because claiming a table increments its row version.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, delete, insert, select, update

from sparring.store.group_commit import StaleWrite
from sparring.store.schema import ServerRow, TableRow
from sparring.store.transactions import Store, transaction


@dataclass(frozen=True)
class NodeLease:
    """A process of a server: its id, its address, and its heartbeat counter."""

    id: str
    address: str
    beat: int


class LeaseStore(Store):
    """Processes and the tables they own."""

    async def join(self, process: str, address: str) -> None:
        """Register a process."""
        await self._store.execute(insert(ServerRow).values(id=process, address=address, beat=0))

    @transaction
    def heartbeat(self, connection: Connection, process: str) -> None:
        """Increment a process's heartbeat; raise StaleWrite if it was declared dead."""
        alive = update(ServerRow).where(ServerRow.id == process).values(beat=ServerRow.beat + 1)
        if not connection.execute(alive).rowcount:
            raise StaleWrite("The other processes declared this one dead.")

    async def remove(self, process: str) -> None:
        """Delete a dead process's lease so that other processes can claim its tables."""
        await self._store.execute(delete(ServerRow).where(ServerRow.id == process))

    async def processes(self) -> Sequence[NodeLease]:
        """Return all registered processes."""
        async with self._store.reading() as session:
            return [NodeLease(row.id, row.address, row.beat) for row in await session.scalars(select(ServerRow))]

    async def owner(self, table: str) -> str | None:
        """Return the process that owns a table; None if there is no owner or no such table."""
        async with self._store.reading() as session:
            return (await session.scalars(select(TableRow.owner).where(TableRow.id == table))).first()

    @transaction
    def claim(self, connection: Connection, table: str, process: str, before: str | None) -> None:
        """Claim a table from its previous owner; raise StaleWrite if another process was faster."""
        condition = (TableRow.id == table) & TableRow.owner.is_not_distinct_from(before)
        statement = update(TableRow).where(condition).values(owner=process, row_version=TableRow.row_version + 1)
        if not connection.execute(statement).rowcount:
            raise StaleWrite("Another process owns this table.")
