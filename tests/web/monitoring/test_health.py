"""Health and readiness: what they say about a database that fails, and about faults. Access log."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from sparring.app import SERVICES, AppState
from sparring.server import database_watch
from sparring.server.database_watch import FAILS
from sparring.server.requests.server_state import ServerState
from sparring.store.group_commit import GroupCommitWriter
from web.app_server import AppServer, StartServer


def probed(server: AppServer) -> None:
    server.run(server.app.state.probe.probe())


def test_the_probe_notices_a_locked_database(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server()
    client = server.stranger()
    assert client.get("/ready").json()["says"] == "Everything works."
    lock = sqlite3.connect(tmp_path / "tables.sqlite3", isolation_level=None)
    lock.execute("begin immediate")
    probed(server)
    entry = server.app.state.probe.entry
    health, ready = client.get("/health"), client.get("/ready")
    assert (health.status_code, ready.status_code) == (200, 503)
    assert health.json() == ready.json()
    assert health.json()["says"].startswith(f"{FAILS} (Log entry {entry})")
    # The server's own probe may have written meanwhile, so the entry counts one fault or more.
    (fault,) = (fault for fault in health.json()["faults"] if fault["entry"] == entry)
    assert (fault["what"], fault["times"] > 0) == (FAILS.rstrip("."), True)
    lock.execute("rollback")
    lock.close()
    probed(server)
    assert client.get("/ready").json()["database"]


def test_the_probe_and_health_do_not_wait_for_a_database_that_hangs(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = start_server()
    hangs = asyncio.Event()

    async def hang(*_: Any) -> None:
        await hangs.wait()

    monkeypatch.setattr(database_watch, "PATIENCE", 0.05)
    monkeypatch.setattr(GroupCommitWriter, "transaction", hang)
    client = server.stranger()

    async def begin() -> asyncio.Task[None]:
        return asyncio.create_task(server.app.state.probe.probe())

    probing = server.run(begin())
    while not server.app.state.probe.entry:
        server.run(asyncio.sleep(0.01))
    assert (client.get("/health").status_code, client.get("/ready").status_code) == (200, 503)
    assert "there was no answer within" in caplog.text
    probing.cancel()


def test_health_names_what_failed_lately(server: AppServer) -> None:
    entry = server.app.state.faults.report("Dispatcher.run failed and starts again", "a secret cause")
    state = server.stranger().get("/health").json()
    assert state["says"] == (
        f"In the last two minutes: 1 × Dispatcher.run failed and starts again (log entry {entry})."
    )
    assert "secret" not in str(state)


def test_every_declared_part_of_the_state_is_set(server: AppServer) -> None:
    declared = {*ServerState.__annotations__, *AppState.__annotations__}
    assert (set(server.app.state), set(SERVICES) - declared) == (declared, set())


def test_a_bug_shows_the_entry_of_the_log(server: AppServer, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    monkeypatch.delattr(server.app.state, "lobby")
    page = server.stranger().get("/").text
    (entry,) = {message.partition("]")[0][1:] for message in caplog.messages if message.startswith("[")}
    assert f"(Log entry {entry})" in page


def test_the_access_log_is_off_unless_chosen_and_leaves_out_queries(
    start_server: StartServer, server: AppServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "sparring.access")
    server.stranger().get("/health")
    assert not caplog.messages
    logs = start_server(access_log=True)
    logs.stranger().get("/mail/confirm%0A?token=secret")
    while not caplog.messages:  # the line is written after the answer
        logs.run(asyncio.sleep(0.01))
    (line,) = caplog.messages
    assert line.startswith("127.0.0.1 GET /mail/confirm%0A 404 ")
    assert line.endswith(" ms")
