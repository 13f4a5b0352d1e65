"""The changes of tables in PostgreSQL, for all processes that have a table open (`tables/state/changes.py`).

A table's row version counts them. What bypasses them raises the row version, too (`reload`): who finds no change for
a row version reads the table's rows again.

PostgreSQL tells all processes which tables have changed, when the change is committed (NOTIFY). A notice has the
versions of a table, and instead of its id a keyed hash: everyone who may connect to the database can listen. Notices
aren't stored. Who listens again compares the versions in the database.
"""

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ARRAY, Connection, String, bindparam, cast, delete, func, insert, select, true, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from .database import PATIENCE
from .group_commit import StoreError
from .schema import ChangeRow, SeatRow, ServerIdRow, TableRow
from .transactions import Store

#: The channel of notices, and the length of a table's key in them.
CHANNEL, KEY = "sparring_changes", 16
#: The tables that have changed, as a parameter.
CHANGED = func.unnest(cast(bindparam("ids"), ARRAY(String))).table_valued("id", name="changed").render_derived()
_KEY = func.substr(func.encode(func.sha256(func.convert_to(ServerIdRow.value + CHANGED.c.id, "UTF8")), "hex"), 1, KEY)
_VERSIONS = (cast(func.coalesce(column, -1), String) for column in (TableRow.row_version, TableRow.chat_version))
#: Send a notice of tables, as they are in this transaction.
NOTIFY = (
    select(func.pg_notify(CHANNEL, func.concat_ws(" ", _KEY, *_VERSIONS)))
    .select_from(ServerIdRow)
    .join(CHANGED, true())
    .outerjoin(TableRow, TableRow.id == CHANGED.c.id)
)


class TableVersions(NamedTuple):
    """The versions of a table's row and of its chat."""

    row_version: int
    chat_version: int


#: The versions of a table that doesn't exist any more.
DELETED = TableVersions(-1, -1)


def read(notice: str) -> tuple[str, TableVersions]:
    """Return the key of the table in a notice, and its versions."""
    key, row_version, chat_version = notice.split(" ")
    return key, TableVersions(int(row_version), int(chat_version))


def key_of(server_id: str, table: str) -> str:
    """Return the key of a table in notices."""
    return hashlib.sha256((server_id + table).encode()).hexdigest()[:KEY]


def notify(connection: Connection, tables: Iterable[str]) -> None:
    """Tell the other processes of tables whose rows this transaction has changed; with SQLite there are none."""
    if (ids := [*tables]) and connection.dialect.name == "postgresql":
        connection.execute(NOTIFY, {"ids": ids})


class NoticeStore(Store):
    """The notices in the database of a server."""

    async def listen(self, began: Callable[[], None], heard: Callable[[str, TableVersions], None]) -> None:
        """Call `began` now, and `heard` with each notice, until the connection breaks; raise StoreError without one."""
        from asyncpg import InterfaceError, PostgresError  # type: ignore[import-untyped]

        engine = create_async_engine(self._store.engine.url, poolclass=NullPool, connect_args=self._store.limits)
        try:
            async with engine.connect() as connection:
                raw: Any = (await connection.get_raw_connection()).driver_connection
                broken = asyncio.Event()
                raw.add_termination_listener(lambda _: broken.set())
                try:
                    await raw.add_listener(CHANNEL, lambda _connection, _process, _name, said: heard(*read(said)))
                    began()  # something may have changed before
                    while not broken.is_set():
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(broken.wait(), PATIENCE)
                        await raw.execute("SELECT 1", timeout=PATIENCE)  # one that died silently announces nothing
                finally:
                    raw.terminate()  # a graceful end could wait for ever
        except (SQLAlchemyError, InterfaceError, PostgresError, OSError) as problem:
            raise StoreError("The database doesn't announce changes right now.") from problem
        finally:
            await engine.dispose()


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
