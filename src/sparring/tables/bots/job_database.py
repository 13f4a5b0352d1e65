"""The PostgreSQL database through which servers give jobs to workers: a queue of Procrastinate, and who is connected.

Servers and workers know each other by the names of their connections. A connection of a process that dies is closed.
"""

import contextlib
import hashlib
import logging
from collections.abc import AsyncIterator
from functools import cache
from importlib.metadata import version
from typing import Any

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ProcrastinateException
from psycopg import AsyncConnection, Error

from sparring.engine.game import games
from sparring.engine.plugins import entry_points

#: The errors while the database is away.
UNAVAILABLE = (ProcrastinateException, Error, OSError)
#: How often servers and workers look who is connected, and the pause before connecting again (seconds).
BEAT, PAUSE = 1.0, 0.5
#: How long to wait for a connection (seconds), and how many there are besides the listening one.
PATIENCE, CONNECTIONS = 2, 4
#: The name of the only task.
TASK = "answer"
#: The first word of the name of a connection.
SERVER, WORKER = "sparring-server", "sparring-worker"

# It would log the arguments of failed jobs, which contain what single seats may know.
logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # callers handle lost connections


@cache
def compatibility_id() -> str:
    """Return the name of the queue, shared by servers and workers with the same games, rules versions and bots."""
    words = [version("sparring"), *sorted(f"{game.name} {game.version}" for game in games().values())]
    words += sorted(f"{bot.name} {bot.value}" for bot in entry_points("sparring.bots"))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=8).hexdigest()


def _connecting(name: str) -> dict[str, Any]:
    """Return the options of a connection. It notices within seconds that the other machine is gone."""
    alive = {"tcp_keepalives_idle": 2, "tcp_keepalives_interval": 1, "tcp_keepalives_count": 3}
    options = {"search_path": _schema(), "synchronous_commit": "off", **alive}
    return {
        "application_name": name, "connect_timeout": PATIENCE, "keepalives_idle": 2, "keepalives_interval": 1,
        "keepalives_count": 3, "options": " ".join(f"-c {key}={value}" for key, value in options.items()),
    }  # fmt: skip


@cache
def _schema() -> str:
    """Return the schema of this version of Procrastinate: a new version starts with a new one, as jobs don't last."""
    return f"jobs_{version('procrastinate').replace('.', '_')}"


@contextlib.asynccontextmanager
async def open_queue(url: str) -> AsyncIterator[App]:
    """Connect to the queue, which is created if necessary."""
    connector = PsycopgConnector(
        conninfo=url, kwargs=_connecting("sparring"), min_size=1, max_size=CONNECTIONS, timeout=PATIENCE
    )
    app = App(connector=connector)
    async with app.open_async():
        async with connector.pool.connection() as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [_schema()])
            await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_schema()}")
            if not await app.check_connection_async():
                await connection.execute(app.schema_manager.get_schema())
        yield app


@contextlib.asynccontextmanager
async def presence(url: str, name: str) -> AsyncIterator[AsyncConnection[Any]]:
    """Keep a connection with a name while the context lasts."""
    async with await AsyncConnection.connect(url, autocommit=True, **_connecting(name)) as connection:
        yield connection


async def present(connection: AsyncConnection[Any], kind: str) -> list[str]:
    """Return the last words of the names of connections of a kind, which work on the same queue."""
    prefix = f"{kind} {compatibility_id()} "
    found = await connection.execute(
        "SELECT application_name FROM pg_stat_activity"
        " WHERE datname = current_database() AND starts_with(application_name, %s)",
        [prefix],
    )
    rows = await found.fetchall()
    return [str(name).removeprefix(prefix) for (name,) in rows]
