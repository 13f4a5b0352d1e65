"""Concurrent writes, and a database that refuses them: one sentence, nothing lost, nothing half done."""

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from sparring.store.database import Database
from sparring.store.group_commit import GroupCommitWriter, StaleWrite, Work
from web.app_server import StartServer

MANY = 40


def test_concurrent_choices_share_commits(start_server: StartServer) -> None:
    server = start_server()
    tables = [server.table("Anna", "Ben") for _ in range(MANY)]
    store = server.tables.store

    async def all_at_once() -> int:
        before = store.writer.commits
        rows = [await server.tables.registry.get(table) for table in tables]
        await asyncio.gather(*(store.write(row.id, row.edition, choices=b"\1\0") for row in rows))
        return store.writer.commits - before

    assert server.run(all_at_once()) <= 3
    for table in tables:
        row = server.run(store.load(table))
        assert row is not None
        assert (row.choices, row.edition) == (b"\1\0", 1)


def test_a_burst_of_writes_waits_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    commits: list[int] = []
    waits, go_on = asyncio.Event(), asyncio.Event()

    class RecordingWriter:
        async def commit(self, works: Sequence[Work]) -> dict[int, StaleWrite]:
            commits.append(len(works))
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


def test_frequent_single_writes_wait_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = list[float]()

    class InstantWriter:
        async def commit(self, works: Sequence[Work]) -> dict[int, StaleWrite]:
            return {}

        async def close(self) -> None: ...

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async def write(pieces: int, apart: float) -> int:
        monkeypatch.setattr("asyncio.sleep", sleep)
        waited.clear()
        loop, begin = asyncio.get_running_loop(), asyncio.get_running_loop().time()
        writer = GroupCommitWriter(InstantWriter())
        for number in range(pieces):
            monkeypatch.setattr(loop, "time", lambda number=number: begin + number * apart)
            await writer.write(lambda _: None)
        await writer.close()
        return len(waited)

    assert asyncio.run(write(15, 0.001)) == 0
    assert asyncio.run(write(30, 0.05)) == 0  # a single player who plays fast
    assert asyncio.run(write(17, 0.001)) > 0


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
    assert [(row.over, row.edition, row.choices) for row in rows if row] == [
        (True, 1, b""), (False, 0, b""), (True, 1, b""), (False, 0, b""),
    ]  # fmt: skip
    assert rows[3]
    assert rows[3].seats[0].name == "Anna"


def test_a_cancelled_write_is_still_committed(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    store = server.tables.store

    async def leave() -> None:
        task = asyncio.create_task(store.write(table, 0, over=True))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await store.writer.finish()

    server.run(leave())
    row = server.run(store.load(table))
    assert row is not None
    assert row.over


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
