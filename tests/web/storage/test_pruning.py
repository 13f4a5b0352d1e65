"""Deleting tables beside a running server: short transactions, a short journal, and a file that gets shorter."""

import asyncio
import contextlib
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, create_engine, insert, update

from sparring.store import migrations
from sparring.store.database import Database
from sparring.store.migrations import migrate
from sparring.store.retention import AT_ONCE, Retention
from sparring.store.schema import CheckpointRow, ContentRow, TableRow
from web.app_server import settings

#: How many old tables there are, and the bytes of each.
OLD, BYTES = 400, 10_000
ROW: dict[str, Any] = {
    "game": "hush", "game_version": 1, "options": "{}", "seed": 1, "choices": b"", "versions": b"", "created": 1,
    "over": True,
}  # fmt: skip
FOREVER = 2e9


def address(folder: Path) -> str:
    return f"sqlite+aiosqlite:///{folder / 'tables.sqlite3'}"


def size(folder: Path, ending: str = "") -> int:
    file = folder / f"tables.sqlite3{ending}"
    return file.stat().st_size if file.exists() else 0


def add_tables(connection: Connection) -> None:
    """Add old tables with a content file each, and one that people play at now."""
    old = [{**ROW, "id": f"old {number}", "changed": 1, "content": f"{number}"} for number in range(OLD)]
    connection.execute(insert(ContentRow), [{"digest": row["content"], "toml": "x = 1"} for row in old])
    connection.execute(insert(TableRow), [*old, {**ROW, "id": "now", "changed": FOREVER, "content": "1"}])
    checkpoints = [{"table": row["id"], "number": 1, "courses": b"x" * BYTES} for row in old]
    connection.execute(insert(CheckpointRow), checkpoints)


def choose(connection: Connection) -> None:
    """Write as a choice does."""
    connection.execute(update(TableRow).where(TableRow.id == "now").values(row_version=TableRow.row_version + 1))


def test_a_server_writes_between_the_steps_and_the_disk_gets_its_space_back(tmp_path: Path) -> None:
    left, journal = list[int](), list[int]()

    async def live() -> None:
        server, command = Database(address(tmp_path)), Database(address(tmp_path))
        await server.open()
        await command.open()
        await server.transaction(add_tables)
        assert size(tmp_path) > OLD * BYTES

        async def play() -> None:
            while True:
                await server.writer.write(choose)
                left.append(await server.count(TableRow))
                journal.append(size(tmp_path, "-wal"))

        playing = asyncio.create_task(play())
        assert (await Retention(settings(tmp_path), command).expire_now(TableRow)).total() == OLD
        await command.shrink()
        playing.cancel()
        assert await server.count(ContentRow) == await server.count(TableRow) == 1
        await command.close()
        await server.close()

    asyncio.run(live())
    assert len(set(left)) > 5, "the server saw the tables go in steps"
    assert {(OLD + 1 - count) % AT_ONCE for count in left} == {0}
    assert max(journal) < migrations.JOURNAL
    assert size(tmp_path) < OLD * BYTES / 4


def test_a_long_journal_gets_short_again(tmp_path: Path) -> None:
    async def live() -> None:
        store = Database(address(tmp_path))
        await store.open()
        await store.transaction(add_tables)
        reader = sqlite3.connect(tmp_path / "tables.sqlite3", isolation_level=None)
        reader.execute("begin")  # as a backup does, which keeps the journal from starting again
        reader.execute("select count(*) from tables").fetchone()
        for number in range(4):
            await store.execute(update(CheckpointRow).values(courses=bytes([number]) * BYTES))
        assert size(tmp_path, "-wal") > migrations.JOURNAL
        reader.close()
        for _ in range(3):
            await store.writer.write(choose)
        assert size(tmp_path, "-wal") <= migrations.JOURNAL
        await store.close()

    asyncio.run(live())


@pytest.mark.parametrize("begun", ["new", "old"])
def test_new_and_upgraded_databases_can_shrink(tmp_path: Path, begun: str) -> None:
    if begun == "old":
        engine = create_engine(f"sqlite:///{tmp_path / 'tables.sqlite3'}")
        with engine.begin() as connection:
            migrate(connection, "0032")
        engine.dispose()

    async def opened() -> None:
        store = Database(address(tmp_path))
        await store.open()
        await store.close()

    asyncio.run(opened())
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.sqlite3")) as file:
        assert file.execute("pragma auto_vacuum").fetchone() == (2,)
