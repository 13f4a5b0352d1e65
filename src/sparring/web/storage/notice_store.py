"""Notices: tables changed by a process that may not own them, or from the command line, which the owner has to reload.

A notice is written in the same transaction as its change.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from .database import Database, change
from .schema import NoticeRow

#: The notice that accounts were changed from the command line.
ACCOUNTS = "accounts"
#: How many notices are kept, and by how many numbers a notice may become visible late.
KEPT, LATE = 10_000, 200


def notify(connection: Connection, tables: Iterable[str]) -> None:
    """Write notices for the other processes."""
    rows = [{"table": table} for table in tables]
    if rows:
        connection.execute(insert(NoticeRow), rows)
        newest = connection.scalar(select(func.max(NoticeRow.number))) or 0
        connection.execute(delete(NoticeRow).where(NoticeRow.number <= newest - KEPT))


class NoticeStore:
    """The notices in the database of a server."""

    def __init__(self, store: Database) -> None:
        self._store = store

    async def write(self, table: str, edition: int, **values: Any) -> None:
        """Update a table that another process may own (like `Database.write`), and notify that process."""

        def work(connection: Connection) -> None:
            change(connection, table, edition, values)
            notify(connection, [table])

        await self._store.writer.write(work)

    async def since(self, newest: int) -> Mapping[int, str]:
        """Return notices after a number and some before it, since transactions may commit out of order."""
        query = select(NoticeRow.number, NoticeRow.table).where(NoticeRow.number > newest - LATE)
        async with self._store.reading() as session:
            return {row.number: row.table for row in await session.execute(query.order_by(NoticeRow.number))}
