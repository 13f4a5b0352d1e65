"""The changes of tables in PostgreSQL, for all processes that have a table open (`tables/state/changes.py`).

A table's row version counts them. What bypasses them raises the row version, too (`reload`): who finds no change for
a row version reads the table's rows again.
"""

import time
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from .notice_store import NOTIFY, TableVersions, notify
from .schema import ChangeRow, SeatRow, TableRow
from .transactions import Store

#: How long changes are kept (seconds): a process that has missed older ones reads the table again.
KEPT = 3600
ADD = insert(ChangeRow).values({name: bindparam(name) for name in ("table", "row_version", "body", "at")})
#: The same in PostgreSQL, with a notice in one statement.
ADD_AND_NOTIFY = NOTIFY.add_cte(ADD.cte("change"))

#: The changes of a table after a row version; the versions of tables. Both are asked for each choice.
AFTER = (
    select(ChangeRow.row_version, ChangeRow.body)
    .where(ChangeRow.table_id == bindparam("known"), ChangeRow.row_version > bindparam("known_row_version"))
    .order_by(ChangeRow.row_version)
)
VERSIONS = select(TableRow.id, TableRow.row_version, TableRow.chat_version).where(
    TableRow.id.in_(bindparam("ids", expanding=True))
)


def add_change(connection: Connection, table: str, row_version: int, body: str, at: int) -> None:
    """Write the change that leads to a row version, and tell the other processes of it."""
    values = {"table": table, "row_version": row_version, "body": body, "at": at}
    if connection.dialect.name == "postgresql":
        connection.execute(ADD_AND_NOTIFY, {**values, "ids": [table]})
    else:  # in tests, where several processes share SQLite's file
        connection.execute(ADD, values)


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
        async with self._store.connected() as connection:
            rows = await connection.execute(AFTER, {"known": table, "known_row_version": row_version})
            return [(row.row_version, row.body) for row in rows]

    async def versions(self, tables: Collection[str]) -> Mapping[str, TableVersions]:
        """Return the versions of those of these tables that exist."""
        async with self._store.connected() as connection:
            rows = await connection.execute(VERSIONS, {"ids": [*tables]})
            return {row.id: TableVersions(row.row_version, row.chat_version) for row in rows}

    async def delete_old(self) -> None:
        """Delete changes that no process needs any more."""
        await self._store.execute(delete(ChangeRow).where(ChangeRow.at < time.time() - KEPT))

    async def seat(self, table: str, seat: int) -> SeatRow | None:
        """Return the row of a seat; None if the table was deleted."""
        return await self._get(SeatRow, (table, seat))
