"""The changes of tables in PostgreSQL, for all processes that have a table open (`tables/state/changes.py`).

A table's row version counts them. What bypasses them raises the row version, too (`reload`): who finds no change for
a row version reads the table's rows again.
"""

import time
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection, delete, insert, select, update

from .notice_store import TableVersions, notify
from .schema import ChangeRow, SeatRow, TableRow
from .transactions import Store

#: How long changes are kept (seconds): a process that has missed older ones reads the table again.
KEPT = 3600


def add_change(connection: Connection, table: str, row_version: int, body: str, at: int) -> None:
    """Write the change that leads to a row version, and tell the other processes of it."""
    values = {"table": table, "row_version": row_version, "body": body, "at": at}
    connection.execute(insert(ChangeRow).values(values))
    notify(connection, [table])


def reload(connection: Connection, tables: Collection[str]) -> None:
    """Let all processes read tables again whose rows this transaction has changed, without a change."""
    if tables:
        newer = {"row_version": TableRow.row_version + 1}
        connection.execute(update(TableRow).where(TableRow.id.in_(tables)).values(newer))
        notify(connection, tables)


class ChangeStore(Store):
    """The changes in the database of a server."""

    async def after(self, table: str, row_version: int) -> Sequence[tuple[int, str]]:
        """Return the changes after a row version, in order: the row version that each leads to, and its JSON."""
        query = select(ChangeRow.row_version, ChangeRow.body).where(
            ChangeRow.table_id == table, ChangeRow.row_version > row_version
        )
        async with self._store.reading() as session:
            return [(row.row_version, row.body) for row in await session.execute(query.order_by(ChangeRow.row_version))]

    async def versions(self, tables: Collection[str]) -> Mapping[str, TableVersions]:
        """Return the versions of those of these tables that exist."""
        query = select(TableRow.id, TableRow.row_version, TableRow.chat_version).where(TableRow.id.in_(tables))
        async with self._store.reading() as session:
            return {row.id: TableVersions(row.row_version, row.chat_version) for row in await session.execute(query)}

    async def delete_old(self) -> None:
        """Delete changes that no process needs any more."""
        await self._store.execute(delete(ChangeRow).where(ChangeRow.at < time.time() - KEPT))

    async def seat(self, table: str, seat: int) -> SeatRow | None:
        """Return the row of a seat; None if the table was deleted."""
        async with self._store.reading() as session:
            return await session.get(SeatRow, (table, seat))
