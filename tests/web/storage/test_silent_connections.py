"""Connections to PostgreSQL that die silently: a proxy stops forwarding, and play goes on over new connections."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from sparring.server import database_watch
from sparring.store import change_store, database
from web.app_server import AppServer, Client, settings
from web.postgres import Postgres
from web.postgres_servers import new_database


class SilentProxy:
    """Forwards connections to PostgreSQL, until some of them fall silent without being closed."""

    def __init__(self, postgres: Postgres) -> None:
        self._socket = f"{postgres.folder}/.s.PGSQL.5432"
        self._speaking = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self.loop = asyncio.new_event_loop()
        self._server = self.loop.run_until_complete(asyncio.start_server(self._accept, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]
        self._speaking.set()
        self._thread = threading.Thread(target=self.loop.run_forever)
        self._thread.start()

    async def _accept(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        self._writers.add(to_client)
        server, to_server = await asyncio.open_unix_connection(self._socket)
        self._writers.add(to_server)
        speaking = self._speaking
        ways = ((client, to_server), (server, to_client))
        with contextlib.suppress(asyncio.CancelledError):  # by the proxy's end
            await asyncio.gather(*(self._forward(*way, speaking) for way in ways))

    async def _forward(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, speaking: asyncio.Event
    ) -> None:
        try:
            while data := await reader.read(65536):
                await speaking.wait()
                writer.write(data)
        finally:
            writer.close()

    def silence(self) -> None:
        """Stop forwarding on all connections so far; new ones work."""
        self.loop.call_soon_threadsafe(self._silence)

    def _silence(self) -> None:
        self._speaking.clear()
        self._speaking = asyncio.Event()
        self._speaking.set()

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self.loop).result(20)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    async def _end(self) -> None:
        self._server.close()
        tasks = asyncio.all_tasks(self.loop) - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # What isn't closed when the loop ends fails a later test with a ResourceWarning.
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)


@pytest.fixture
def silent_proxy(postgres_server: Postgres) -> Iterator[SilentProxy]:
    proxy = SilentProxy(postgres_server)
    yield proxy
    proxy.close()


def choose(table: str, *players: Client) -> bool:
    """Make the next choice at a table; return whether that succeeded."""
    for player in players:
        response = player.get(f"/api/table/{table}")
        if response.is_success and (seen := response.json())["is_turn"]:
            return player.choose(table, seen["choices"][0]["choice"], seen["version"]).is_success
    return False


@pytest.fixture
def server(
    postgres_server: Postgres, silent_proxy: SilentProxy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[AppServer]:
    """Start a server whose connections go through the proxy, with short limits."""
    monkeypatch.setitem(database.LIMITS, "command_timeout", 1.0)
    monkeypatch.setitem(database.SERVER_LIMITS, "lock_timeout", "500")
    monkeypatch.setattr(change_store, "PATIENCE", 0.5)
    monkeypatch.setattr(database_watch, "PROBE_INTERVAL", 0.2)
    url = asyncio.run(new_database(postgres_server, tmp_path.name))
    through = url.replace("@/", f"@127.0.0.1:{silent_proxy.port}/").partition("?")[0]
    started = AppServer(replace(settings(tmp_path), database=through))
    yield started
    started.close()


def test_play_goes_on_after_connections_died_silently(
    server: AppServer, silent_proxy: SilentProxy, caplog: pytest.LogCaptureFixture
) -> None:
    table = server.table("Anna", "Ben", name="make-your-moves")
    players = server.person("Anna"), server.person("Ben")
    for _ in range(3):
        silent_proxy.silence()
        assert any(choose(table, *players) for _ in range(50)), "play doesn't go on"
    server.wait_until(lambda: "ChangeListener.listen failed and starts again" in caplog.text)
    server.wait_until(lambda: not server.app.state.probe.entry)
    assert "TimeoutError" in caplog.text


def test_a_lock_does_not_stop_play_for_ever(server: AppServer, postgres_server: Postgres, tmp_path: Path) -> None:
    table = server.table("Anna", "Ben", name="make-your-moves")
    players = server.person("Anna"), server.person("Ben")

    async def hold(name: str) -> None:
        engine = create_async_engine(postgres_server.url.replace("/postgres?", f"/{name}?"))
        async with engine.begin() as connection:
            await connection.execute(text("lock table tables in share mode"))
            assert not await asyncio.to_thread(choose, table, *players)
        await engine.dispose()

    asyncio.run(hold(tmp_path.name))
    assert any(choose(table, *players) for _ in range(50))
