"""A start, an upgrade or a restore that is killed, or that finds a full disk, can be repeated."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sparring.store import migrations
from sparring.store.backup import back_up
from sparring.store.database import Database
from sparring.store.group_commit import StoreError
from sparring.store.migrations import INITIAL, ServerRuns, create, locked, migrate
from web.play_command import PLAY, environment
from web.postgres import Postgres
from web.storage.kills import start
from web.upgrades.samples import unpacked

TESTS = Path(__file__).parent.parent.parent
FILE = "tables.sqlite3"


def kill(what: str, folder: Path, step: int = 3) -> list[list[str]]:
    """Kill it before every third statement or so; return for each kill whether it worked again, and the files."""
    command = [sys.executable, "-m", "web.storage.kills", what, str(folder), str(step)]
    done = subprocess.run(command, cwd=TESTS, stdout=subprocess.PIPE, text=True, check=True)
    return [line.split()[1:] for line in done.stdout.splitlines()]


@pytest.mark.server
def test_a_killed_first_start_can_be_repeated(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    attempts = kill("start", tmp_path / "new")
    assert len(attempts) > 40
    assert attempts == [["works", FILE]] * len(attempts)


@pytest.mark.server
@pytest.mark.parametrize("stage", ["schema-0001", INITIAL, "schema-0021"])
def test_a_killed_upgrade_can_be_repeated(tmp_path: Path, stage: str) -> None:
    (tmp_path / "old").mkdir()
    if stage == INITIAL:
        create(tmp_path / "old" / FILE, lambda connection: migrate(connection, INITIAL))
    else:
        (tmp_path / "old" / FILE).write_bytes(unpacked(stage, "sqlite"))
    attempts = kill("start", tmp_path / "old")
    assert len(attempts) > 10
    assert attempts == [["works", FILE, f"{FILE}.before-upgrade"]] * len(attempts)


@pytest.mark.server
def test_a_killed_restore_can_be_repeated(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / FILE).write_bytes(unpacked("schema-0021", "sqlite"))

    async def make() -> None:
        store = Database(f"sqlite+aiosqlite:///{tmp_path / FILE}")
        await store.open()
        await back_up(store, tmp_path / "old" / "backup", ["key"])
        await store.close()

    asyncio.run(make())
    attempts = kill("restore", tmp_path / "old", step=20)
    assert len(attempts) > 10
    assert attempts == [["works", "backup", FILE]] * len(attempts)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a small file system, which only root can do."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "tmpfs", disk], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("only root can mount a small disk")
    yield disk
    subprocess.run(["umount", disk], check=True)


def check(folder: Path) -> None:
    """Check that a database is complete, as operator commands do."""

    async def opened() -> None:
        store = Database(f"sqlite+aiosqlite:///{folder / FILE}")
        await store.open(create=False)
        await store.close()

    asyncio.run(opened())


@pytest.mark.skipif(sys.platform != "linux", reason="tmpfs is Linux's")
@pytest.mark.parametrize("stage", ["", "schema-0021"])
def test_on_a_full_disk_the_next_start_works(small_disk: Path, stage: str) -> None:
    old, refused = unpacked(stage, "sqlite") if stage else b"", 0
    for more in range(0, 2_000_000, 100_000):
        for file in small_disk.iterdir():
            file.unlink()
        subprocess.run(["mount", "-o", f"remount,size={len(old) + more + 40_000}", small_disk], check=True)
        if old:
            (small_disk / FILE).write_bytes(old)
        try:
            start(small_disk)
        except StoreError:
            refused += 1
        subprocess.run(["mount", "-o", "remount,size=20m", small_disk], check=True)
        start(small_disk)
        check(small_disk)
    assert 3 <= refused < 20


def test_an_upgrade_keeps_a_copy_of_the_old_database(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(unpacked("schema-0021", "sqlite"))
    with pytest.raises(StoreError, match="of an earlier version"):
        check(tmp_path)
    start(tmp_path)
    check(tmp_path)
    (tmp_path / f"{FILE}.before-upgrade").replace(tmp_path / FILE)
    with pytest.raises(StoreError, match="of an earlier version"):
        check(tmp_path)


LOCK = """
import sys
from pathlib import Path
from sparring.store.migrations import locked
with locked(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.read()
"""


def test_two_servers_never_use_one_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrations, "LOCK_WAIT", 0.1)
    words = [sys.executable, "-c", LOCK, str(tmp_path / FILE)]
    for _ in range(2):  # the second one starts after a kill
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
            assert other.stdout
            assert other.stdout.readline() == "locked\n"
            with (
                pytest.raises(ServerRuns, match=rf"Another server uses .* \(process {other.pid}\)"),
                locked(tmp_path / FILE),
            ):
                pass
            other.kill()
    with locked(tmp_path / FILE):
        assert (tmp_path / f"{FILE}.lock").read_text() == f"{os.getpid()}\n"


@pytest.mark.server
def test_a_server_and_commands_start_together_on_a_new_folder(tmp_path: Path, toy_path: str) -> None:
    words = [["play", "--no-browser", "--port", "0"], ["admin", "init"], ["admin", "tables"], ["admin", "init"]]
    started = [
        subprocess.Popen(
            [sys.executable, "-c", PLAY, *each], env=environment(tmp_path / "new", toy_path), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )
        for each in words
    ]  # fmt: skip
    server, *commands = started
    said = [command.communicate()[0] for command in commands]
    assert server.stdout
    assert "Sparring is running at" in server.stdout.readline()
    assert "Another server uses" in said[0] or "database" in said[0]
    assert "No tables found" in said[1] or "There is no server's database at" in said[1]
    assert "No tables found" in subprocess.run(
        [sys.executable, "-c", PLAY, "admin", "tables"], env=environment(tmp_path / "new", toy_path), text=True,
        stdout=subprocess.PIPE, check=True,
    ).stdout  # fmt: skip
    server.send_signal(signal.SIGHUP)  # the terminal is closed
    refused = subprocess.run(
        [sys.executable, "-c", PLAY, *words[0]], env=environment(tmp_path / "new", toy_path), text=True,
        stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    assert (refused.returncode, server.poll()) == (2, None)
    assert f"(process {server.pid})" in refused.stderr
    server.send_signal(signal.SIGINT)
    assert server.communicate(timeout=30)
    assert server.returncode == 0


OPEN = """
import asyncio, sys
from sparring.store.database import Database
async def open():
    store = Database(sys.argv[1])
    await store.open()
    await store.close()
asyncio.run(open())
"""


def test_two_servers_start_together_on_a_new_postgresql_database(postgres_server: Postgres) -> None:
    words = [sys.executable, "-c", OPEN, postgres_server.url]
    started = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [(each.communicate()[1], each.returncode) for each in started] == [("", 0)] * 3
