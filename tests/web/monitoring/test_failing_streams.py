"""Streams and downloads whose database fails after they have begun: a sentence at their end, one entry in the log."""

import json
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from sparring.tables.play.registry import TableRegistry
from web.app_server import AppServer, Client, StartServer

SENTENCE = "The database can't be read right now. Please try again soon."


def no_connection() -> None:
    raise OperationalError("select", (), OSError("disk I/O error"))


def forget(server: AppServer, table: str) -> None:
    """Drop what the server has in memory about a table and about sessions, and notify the table's players."""

    async def work() -> None:
        server.app.state.accounts.sessions._known._entries.clear()
        registry: TableRegistry = server.tables.registry
        found = await registry.get(table)
        registry.evict(found)
        registry.notifications.notify(found)

    server.run(work())


def opened(server: AppServer) -> tuple[Client, str, str]:
    """Return Anna with a table and a set."""
    anna = server.person("Anna")
    made = anna.post("/api/sets", json={"game": "five-circles", "name": "Red"}).raise_for_status().json()
    return anna, server.table("Anna", "Ben"), made["id"]


@pytest.mark.parametrize("path", [
    "/table/{table}/events", "/table/{table}/text/events", "/api/table/{table}/events", "/api/me/events",
    *(pytest.param(f"{path}/card-values{end}", marks=pytest.mark.server)
      for path, end in (("/studio/{set_id}", ""), ("/api/sets/{set_id}", "/events"))),
])  # fmt: skip
def test_a_stream_ends_in_a_sentence_and_the_log_has_one_entry(
    path: str, start_server: StartServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = start_server(heartbeat=0.01, measuring=True)
    anna, table, set_id = opened(server)
    with anna.http.stream("GET", path.format(table=table, set_id=set_id)) as response:
        chunks = response.iter_raw()
        next(chunks)
        with monkeypatch.context() as patch:
            patch.setattr(server.tables.registry.store, "_reads", SimpleNamespace(connect=no_connection))
            forget(server, table)
            *_, event, data = (b"".join(chunks)).decode().rstrip().split("\r\n")
    (entry,) = {message.partition("]")[0][1:] for message in caplog.messages if SENTENCE[:-1] in message}
    said: Any = data.removeprefix("data: ")
    said = json.loads(said)["reason"] if path.startswith("/api") else said
    assert (event, said) == ("event: failed", f"{SENTENCE} (Log entry {entry})")
    assert not any(record.exc_info for record in caplog.records)
    assert anna.get(f"/table/{table}").status_code == 200


@pytest.mark.parametrize("path", ["/me/data", "/api/me/data"])
def test_a_download_ends_in_a_sentence(
    path: str, server: AppServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    anna = opened(server)[0]
    store = server.app.state.personal_data.sets
    monkeypatch.delattr(type(store), "of")
    text = anna.get(path).text
    assert text.splitlines()[-1].startswith("This file is incomplete. Something went wrong on the server.")
    assert len([record for record in caplog.records if record.exc_info]) == 1
