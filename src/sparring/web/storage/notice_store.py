"""Tables that were changed by a process that may not have them, or from the command line; who has them reads them anew.

A notice is written in the same commit as what it tells of, so that nothing changes without it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select

from .database import Database, change
from .schema import NoticeRow

#: What a notice says instead of a table where accounts were changed from the command line.
ACCOUNTS = "accounts"
#: How many notices are kept, and how far one may come after another that has a higher number.
KEPT, LATE = 10_000, 200


def tell(connection: Connection, tables: Iterable[str]) -> None:
    """Let the other processes know."""
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
        """Change a table that another process may have (as `Store.write`), and let that one know."""

        def work(connection: Connection) -> None:
            change(connection, table, edition, values)
            tell(connection, [table])

        await self._store.writer.write(work)

    async def since(self, newest: int) -> Mapping[int, str]:
        """Those after that number, and some before it: who begins to write first need not end first."""
        late = select(NoticeRow.number, NoticeRow.table).where(NoticeRow.number > newest - LATE)
        async with self._store.reading() as session:
            return {row.number: row.table for row in await session.execute(late.order_by(NoticeRow.number))}
