"""Notices: PostgreSQL tells all processes which tables have changed, when the change is committed (NOTIFY).

A notice has the versions of a table, and instead of its id a keyed hash: everyone who may connect to the database can
listen. Notices aren't stored. Who listens again compares the versions in the database (`change_store.py`).
"""

import asyncio
import contextlib
import hashlib
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from sqlalchemy import ARRAY, Connection, String, bindparam, cast, func, select, true
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from sparring.store.database import PATIENCE
from sparring.store.group_commit import StoreError
from sparring.store.schema import ServerIdRow, TableRow
from sparring.store.transactions import Store

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
