"""Notices: tables changed by a process that may not own them, or from the command line, which the owner has to reload.

A notice is written in the same transaction as its change. PostgreSQL announces it when that is committed (NOTIFY).
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from sparring.store.database import PATIENCE, is_sqlite
from sparring.store.group_commit import StoreError
from sparring.store.schema import NoticeRow
from sparring.store.transactions import Store

#: The notice that accounts were changed from the command line.
ACCOUNTS = "accounts"
#: The channel of announcements. They say nothing, because everyone who may connect to the database can listen.
CHANNEL = "sparring_notices"
#: How many notices are kept, and by how many numbers a notice may become visible late.
KEPT, LATE = 10_000, 200


def notify(connection: Connection, tables: Iterable[str]) -> None:
    """Write notices for the other processes."""
    rows = [{"table": table} for table in tables]
    if rows:
        connection.execute(insert(NoticeRow), rows)
        newest = connection.scalar(select(func.max(NoticeRow.number))) or 0
        connection.execute(delete(NoticeRow).where(NoticeRow.number <= newest - KEPT))
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"NOTIFY {CHANNEL}"))


class NoticeStore(Store):
    """The notices in the database of a server."""

    @property
    def announced(self) -> bool:
        """Return whether the database announces notices; SQLite doesn't."""
        return not is_sqlite(self._store.engine)

    async def listen(self, heard: Callable[[], None]) -> None:
        """Call `heard` now and at each announcement, until the connection breaks; raise StoreError if there is none."""
        from asyncpg import InterfaceError, PostgresError  # type: ignore[import-untyped]

        engine = create_async_engine(self._store.engine.url, poolclass=NullPool, connect_args=self._store.limits)
        try:
            async with engine.connect() as connection:
                raw: Any = (await connection.get_raw_connection()).driver_connection
                broken = asyncio.Event()
                raw.add_termination_listener(lambda _: broken.set())
                try:
                    await raw.add_listener(CHANNEL, lambda *_: heard())
                    heard()  # there may be notices from before
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

    async def since(self, newest: int) -> Mapping[int, str]:
        """Return notices after a number and some before it, since transactions may commit out of order."""
        query = select(NoticeRow.number, NoticeRow.table).where(NoticeRow.number > newest - LATE)
        async with self._store.reading() as session:
            return {row.number: row.table for row in await session.execute(query.order_by(NoticeRow.number))}
