"""Servers on new PostgreSQL databases."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from web.app_server import AppServer, StartServer, settings
from web.postgres import Postgres


async def new_database(postgres: Postgres, name: str) -> str:
    """Create an empty database and return its URL."""
    engine = create_async_engine(postgres.url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(f'create database "{name}"'))
    await engine.dispose()
    return postgres.url.replace("/postgres?", f"/{name}?")


@pytest.fixture
def start_on_postgres(postgres_server: Postgres, tmp_path: Path) -> Iterator[StartServer]:
    """Return a function that starts servers on a new database."""
    database = asyncio.run(new_database(postgres_server, tmp_path.name))
    opened: list[AppServer] = []

    def opener(**more: Any) -> AppServer:
        opened.append(AppServer(replace(settings(tmp_path, **more), database=database)))
        return opened[-1]

    yield opener
    for server in opened:
        if server._thread.is_alive():
            server.close()
