"""New PostgreSQL databases to measure with, and what their server has executed."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from sparring.settings.secrets import random_id

#: The statements that a server has executed in a database, and the transactions that it has committed.
EXECUTED = """
select (select coalesce(sum(calls), 0) from pg_stat_statements where dbid = stat.datid), xact_commit
from pg_stat_database as stat where datname = :name
"""
BACKENDS = "select pid from pg_stat_activity where datname = :name"


@contextlib.contextmanager
def postgres(url: str = "") -> Iterator[str]:
    """Yield the URL of a PostgreSQL server: a given one, which counts statements, or a new one.

    A new one is started as for tests, so `PYTHONPATH=tests` is needed.
    """
    if url:
        yield url
        return
    from web.postgres import Postgres

    with tempfile.TemporaryDirectory(prefix="sparring-postgres-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder))
        try:
            asyncio.run(execute(server.url, "alter system set shared_preload_libraries = pg_stat_statements"))
            server.stop()
            server.start()
            asyncio.run(execute(server.url, "create extension pg_stat_statements"))
            yield server.url
        finally:
            server.stop()


async def execute(url: str, statement: str, **values: str) -> Sequence[Any]:
    """Execute a statement outside of transactions; return its rows, if it has any."""
    engine = create_async_engine(url, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            result = await connection.execute(text(statement), values)
            return result.all() if result.returns_rows else []
    finally:
        await engine.dispose()


@contextlib.asynccontextmanager
async def new_database(server: str) -> AsyncIterator[str]:
    """Create an empty database at a server and yield its URL; drop it afterwards."""
    name = f"sparring-{random_id(6)}"
    await execute(server, f'create database "{name}"')
    try:
        yield make_url(server).set(database=name).render_as_string(hide_password=False)
    finally:
        await execute(server, f'drop database "{name}" with (force)')


async def executed(server: str, database: str) -> tuple[int, int]:
    """Return how many statements a server has executed in a database, and how many transactions it has committed."""
    name = make_url(database).database or ""
    [(statements, transactions)] = await execute(server, EXECUTED, name=name)
    return int(statements), int(transactions)


async def backends(server: str, database: str) -> list[int]:
    """Return the processes of a server on this machine that serve a database."""
    rows = await execute(server, BACKENDS, name=make_url(database).database or "")
    return [process for (process,) in rows]
