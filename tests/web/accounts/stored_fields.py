"""Every field that a server has stored."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, select

from sparring.store.schema import Base
from web.app_server import AppServer


def everything(connection: Connection) -> Iterator[tuple[str, str, Any]]:
    """Yield every stored field with its table and column."""
    for table in Base.metadata.sorted_tables:
        for row in connection.execute(select(table)).mappings():
            yield from ((table.name, column, value) for column, value in row.items())


async def stored(server: AppServer) -> list[tuple[str, str, Any]]:
    async with server.tables.store.engine.connect() as connection:
        return await connection.run_sync(lambda sync: list(everything(sync)))
