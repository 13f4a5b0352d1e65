"""Concurrent writes, and a database that refuses them: one sentence, nothing lost, nothing half done."""

import asyncio
import contextlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select, text, update

from sparring.store.database import Database
from sparring.store.group_commit import GroupCommitWriter, StaleWrite, StoreError
from sparring.store.schema import TableRow
from web.app_server import StartServer

MANY = 40


def test_concurrent_choices_share_commits(start_server: StartServer) -> None:
    server = start_server()
    tables = [server.table("Anna", "Ben") for _ in range(MANY)]
    store = server.tables.store

    async def all_at_once() -> int:
        before = store.writer.commits
        rows = [await server.tables.registry.get(table) for table in tables]
        await asyncio.gather(*(store.write(row.id, row.row_version, choices=b"\1\0") for row in rows))
        return store.writer.commits - before

    assert server.run(all_at_once()) <= 3
    for table in tables:
        row = server.run(store.load(table))
        assert row is not None
        assert (row.choices, row.row_version) == (b"\1\0", 1)


def test_a_burst_of_writes_waits_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    commits: list[int] = []
    waits, go_on = asyncio.Event(), asyncio.Event()

    class RecordingWriter:
        async def run(self, work: Any) -> Any:
            commits.append(len(work.args[0]))
            return {}

        async def close(self) -> None: ...

    async def sleep(_: float) -> None:
        waits.set()
        await go_on.wait()

    async def write() -> None:
        monkeypatch.setattr("asyncio.sleep", sleep)
        writer = GroupCommitWriter(RecordingWriter())
        await writer.write(lambda _: None)
        assert not waits.is_set()  # a single player's writes don't wait
        await asyncio.gather(*(writer.write(lambda _: None) for _ in range(2)))
        async with asyncio.timeout(5):
            await waits.wait()
        more = [asyncio.create_task(writer.write(lambda _: None)) for _ in range(3)]
        asyncio.get_running_loop().call_soon(go_on.set)  # after they have arrived
        await asyncio.gather(*more)
        await writer.close()

    asyncio.run(write())
    assert commits == [1, 2, 3]


def test_a_failing_write_does_not_affect_others(start_server: StartServer) -> None:
    server = start_server()
    tables = [server.table("Anna", "Ben") for _ in range(4)]
    store: Database = server.tables.store

    def broken(connection: Connection) -> None:
        connection.execute(text("update tables set choices = 'half done'"))
        raise RuntimeError("a mistake of ours")

    async def all_at_once() -> tuple[object, ...]:
        return await asyncio.gather(
            store.write(tables[0], 0, over=True), store.write(tables[1], 7, over=True), store.writer.write(broken),
            store.write(tables[2], 0, over=True), store.write(tables[3], 7, None, {1: {"name": "Eve"}}),
            return_exceptions=True,
        )  # fmt: skip

    found = server.run(all_at_once())
    assert [type(response) for response in found] == [type(None), StaleWrite, RuntimeError, type(None), StaleWrite]
    rows = [server.run(store.load(table)) for table in tables]
    assert [(row.over, row.row_version, row.choices) for row in rows if row] == [
        (True, 1, b""), (False, 0, b""), (True, 1, b""), (False, 0, b""),
    ]  # fmt: skip
    assert rows[3]
    assert rows[3].seats[0].name == "Anna"


def test_a_cancelled_write_is_still_committed(start_server: StartServer) -> None:
    server = start_server()
    tables = [server.table("Anna", "Ben") for _ in range(2)]
    store = server.tables.store

    async def leave() -> None:
        over = update(TableRow).where(TableRow.id == tables[1]).values(over=True)
        tasks = [asyncio.create_task(store.write(tables[0], 0, over=True)), asyncio.create_task(store.execute(over))]
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(each) for each in found] == [asyncio.CancelledError] * 2
        await store.writer.finish()

    server.run(leave())
    assert [row.over for table in tables if (row := server.run(store.load(table)))] == [True, True]


def test_a_transaction_that_fails_changes_nothing(start_server: StartServer) -> None:
    server = start_server()
    table, store = server.table("Anna", "Ben"), server.tables.store

    def refuse(connection: Connection) -> None:
        connection.execute(update(TableRow).values(over=True))
        raise StaleWrite("Too late.")

    with pytest.raises(StaleWrite, match="Too late"):
        server.run(store.transaction(refuse))
    with pytest.raises(StoreError, match="can't be written to right now, so nothing was changed"):
        server.run(store.execute(text("update tables set unknown = 1")))
    row = server.run(store.load(table))
    assert row is not None
    assert not row.over


def test_what_a_transaction_has_read_no_other_program_changes(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server()
    server.table("Anna", "Ben")

    def read_and_decide(connection: Connection) -> bool:
        over = connection.scalar(select(TableRow.over))
        locked = pytest.raises(sqlite3.OperationalError, match="database is locked")
        with contextlib.closing(sqlite3.connect(tmp_path / "tables.sqlite3", timeout=0)) as other, locked:
            other.execute("update tables set over = 1")
        return connection.scalar(select(TableRow.over)) is over is False

    assert server.run(server.tables.store.transaction(read_and_decide))


def test_a_blocked_database_refuses_writes_and_changes_nothing(
    start_server: StartServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = start_server()
    tables = [server.table("Anna", "Ben") for _ in range(5)]
    anna = server.person("Anna")
    before = [anna.look(table) for table in tables]
    lock = sqlite3.connect(tmp_path / "tables.sqlite3", isolation_level=None)
    lock.execute("begin immediate")
    try:
        with ThreadPoolExecutor(6) as people:  # each waits for two seconds
            form = {"name": "Eve", "seat1": "me", "seat2": "random"}
            eve = people.submit(lambda: server.stranger().post("/games/hush", data=form))
            responses = list(people.map(lambda table: anna.choose(table, "done", 1), tables))
            opening = eve.result()
        assert [anna.look(table) for table in tables] == before
    finally:
        lock.execute("rollback")
        lock.close()
    assert {response.status_code for response in responses} == {503}
    (reason,) = {response.json()["reason"] for response in responses}
    refusal = "The database can't be written to right now, so nothing was changed. Please try again soon. (Log entry "
    entry = reason.removeprefix(refusal).removesuffix(")")
    assert reason == f"{refusal}{entry})"
    assert opening.status_code == 503
    assert f"(Log entry {entry})" in opening.text
    assert f"[{entry}] {refusal.removesuffix('. (Log entry ')}: OperationalError: database is locked" in caplog.messages
    server.app.state.faults.tidy(closing=True)
    assert any(entry in message and message.endswith(": 6 times within a minute") for message in caplog.messages)
    assert not [record for record in caplog.records if record.exc_info]
    assert [anna.choose(table, "done", 1).status_code for table in tables] == [200] * 5
