"""Backups: complete, made while the server runs, and restored completely or not at all."""

import asyncio
import contextlib
import gzip
import sqlite3
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest

from sparring.store.backup import BadBackup, back_up, check, restore
from sparring.store.migrations import newest
from web.app_server import AppServer, StartServer


def rows_of(file: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return all rows of a database."""
    with sqlite3.connect(file) as database:
        names = [name for (name,) in database.execute("select name from sqlite_master where type = 'table'")]
        return {name: sorted(database.execute(f"select * from {name}"), key=repr) for name in names}


def play_match(start_server: StartServer) -> AppServer:
    """Start a server and create a table and a set."""
    server = start_server()
    table = server.table("Anna", "bot")
    anna = server.person("Anna")
    anna.choose(table, anna.look(table)["choices"][0]["choice"])
    assert anna.post("/studio", data={"game": "five-circles", "name": "Anna", "from": "own"}).status_code == 303
    return server


def file_of(database: str) -> Path:
    return Path(database.removeprefix("sqlite+aiosqlite:///"))


def test_a_backup_of_a_running_server_is_complete(start_server: StartServer, tmp_path: Path) -> None:
    server = play_match(start_server)
    counts = server.run(back_up(server.tables.store, tmp_path / "backup", ["known", "older"])).counts
    before = rows_of(file_of(server.settings.database))
    server.table("Ben", "bot")  # isn't in the backup
    assert stat.S_IMODE((tmp_path / "backup").stat().st_mode) == 0o600

    secrets: list[str] = []
    told: list[tuple[int, int]] = []
    fresh = tmp_path / "fresh.sqlite3"
    restored = asyncio.run(
        restore(f"sqlite+aiosqlite:///{fresh}", tmp_path / "backup", secrets.extend, lambda *far: told.append(far))
    )
    assert restored.counts == check(tmp_path / "backup")[1].counts == counts
    assert counts["tables"] == 1
    assert counts["sets"] == 1
    assert rows_of(fresh) == before
    assert secrets == ["known", "older"]
    assert told[-1] == (sum(counts.values()),) * 2


def restored(folder: Path, revision: str, **more: object) -> tuple[object, ...]:
    """Restore a backup of an older schema with one table; return some columns of it."""
    old, fresh = folder / "old", folder / "fresh.sqlite3"
    head = {"type": "Head", "revision": revision, "made": 1, "rows": 1, "secrets": []}
    table = {"id": "t", "game": "hush", "game_version": 1, "options": "{}", "seed": 3, "choices": b"", "versions": b"",
             "edition": 0, "over": False, "created": 1, "changed": 1, **more}  # fmt: skip
    rows = {"type": "Rows", "table": "tables", "columns": list(table), "rows": [list(table.values())]}
    write(old, head, rows, {"type": "Foot", "counts": {"tables": 1}})
    asyncio.run(restore(f"sqlite+aiosqlite:///{fresh}", old, lambda secrets: None))
    with contextlib.closing(sqlite3.connect(fresh)) as database:
        [row] = database.execute("select seed, settings, host, thinking_times from tables")
    return tuple(row)


def test_an_older_backup_is_upgraded(tmp_path: Path) -> None:
    assert restored(tmp_path, "0001") == (3, "{}", None, b"")


def test_a_backup_with_text_in_byte_columns_is_restored(tmp_path: Path) -> None:
    """Before schema 0022 SQLite kept the empty times of older tables as text, and backups hold that text."""
    assert restored(tmp_path, "0021", spent="")[-1] == b""


def write(file: Path, *frames: Mapping[str, object]) -> None:
    """Write a backup of these frames."""
    bodies = [msgspec.msgpack.encode(frame) for frame in frames]
    with gzip.open(file, "wb") as written:
        written.write(b"".join(len(body).to_bytes(4, "little") + body for body in bodies))


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        (lambda whole: whole[: len(whole) // 2], "is incomplete or damaged"),
        (lambda whole: whole[:-8] + b"\0\0\0\0" + whole[-4:], "is incomplete or damaged"),
        (lambda whole: b"{}", "isn't a Sparring backup"),
        (lambda whole: b"", "isn't a Sparring backup"),
        (lambda whole: gzip.compress(gzip.decompress(whole)[:-40]), "is incomplete or damaged"),
        (lambda whole: gzip.compress(gzip.decompress(whole).replace(newest().encode(), b"9999")), "a newer version"),
    ],
)
def test_a_damaged_backup_is_refused_and_leaves_no_files(
    start_server: StartServer, tmp_path: Path, harm: Callable[[bytes], bytes], sentence: str
) -> None:
    server = play_match(start_server)
    server.run(back_up(server.tables.store, tmp_path / "backup", []))
    broken = tmp_path / "broken"
    broken.write_bytes(harm((tmp_path / "backup").read_bytes()))
    secrets: list[list[str]] = []
    with pytest.raises(BadBackup, match=sentence):
        check(broken)
    with pytest.raises(BadBackup, match=sentence):
        asyncio.run(restore(f"sqlite+aiosqlite:///{tmp_path / 'fresh.sqlite3'}", broken, secrets.append))
    assert not [*tmp_path.glob("fresh*")]
    assert secrets == []


def test_a_restore_never_overwrites_existing_tables(start_server: StartServer, tmp_path: Path) -> None:
    server = play_match(start_server)
    server.run(back_up(server.tables.store, tmp_path / "backup", []))
    before = rows_of(file_of(server.settings.database))
    with pytest.raises(BadBackup, match="already in use"):
        asyncio.run(restore(server.settings.database, tmp_path / "backup", lambda secrets: None))
    assert rows_of(file_of(server.settings.database)) == before
    with pytest.raises(BadBackup, match="already exists"):
        server.run(back_up(server.tables.store, tmp_path / "backup", []))
