"""The spare process: it replaces one that ends, and the supervisor informs the others immediately."""

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable
from io import FileIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from litestar import Litestar

from sparring import supervisor
from sparring.app import create_app
from sparring.monitoring.fault_log import FaultLog, Loops
from sparring.server.cluster.membership import ClusterMembership
from sparring.server_process import PEER_ENDED, SERVE, SERVING, ParentListener
from sparring.settings import Settings
from sparring.store.cluster.lease_store import LeaseStore
from sparring.store.database import Database, NoDatabase
from web.app_server import RandomBots, settings


class Child:
    """A process as the supervisor sees it, controlled by the test."""

    def __init__(self) -> None:
        self.told: list[bytes] = []
        self.stdin = SimpleNamespace(write=self.told.append, close=lambda: self.end(0))
        self.stdout = asyncio.StreamReader()
        self.ended = asyncio.get_running_loop().create_future()

    def open(self, address: str) -> None:
        self.stdout.feed_data(SERVING + f"{address} /first\n".encode())

    def end(self, code: int) -> None:
        if not self.ended.done():
            self.stdout.feed_eof()
            self.ended.set_result(code)

    async def wait(self) -> int:
        return int(await self.ended)


def supervised(
    play: Callable[[list[Child], list[str]], Awaitable[None]], folder: Path, patch: pytest.MonkeyPatch
) -> None:
    """Run a supervisor with simulated children that wants two processes to serve."""

    async def run() -> None:
        children, said = list[Child](), list[str]()

        async def start(*_: object, **__: object) -> Child:
            children.append(Child())
            return children[-1]

        patch.setattr("asyncio.create_subprocess_exec", start)
        patch.setattr(supervisor, "PAUSE", 0)
        with socket.socket() as listener:
            made = supervisor._Supervisor(Settings.load(folder), listener, None, said.append)
            running = asyncio.create_task(made.run(2))
            await settle()
            await play(children, said)
            made._stop()
            await asyncio.wait_for(running, 20)

    asyncio.run(run())


async def settle() -> None:
    """Let all pending tasks run."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_the_spare_replaces_a_process_that_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(children: list[Child], said: list[str]) -> None:
        assert [child.told[1:] for child in children] == [[SERVE], [SERVE]], "the third waits until these serve"
        for number, child in enumerate(children[:2]):
            child.open(f"http://{number}")
            await settle()
        assert [child.told[1:] for child in children] == [[SERVE], [SERVE], []]
        assert said == ["/first"]
        children[0].end(-9)
        await settle()
        assert [child.told[1:] for child in children[1:]] == [[SERVE, PEER_ENDED + b"http://0\n"], [SERVE], []]
        children[3].end(-9)  # losing a spare affects no one
        await settle()
        assert children[1].told[2:] == [PEER_ENDED + b"http://0\n"]
        assert len(children) == 5

    supervised(play, tmp_path, monkeypatch)


@pytest.mark.parametrize(("young", "pauses"), [(20, [1, 2, 4, 6, 6]), (0, [1, 1, 1, 1, 1])])
def test_processes_that_die_at_start_are_replaced_ever_more_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, young: float, pauses: list[int]
) -> None:
    async def play(children: list[Child], _: list[str]) -> None:
        for name, value in (("PAUSE", 0.001), ("LONGEST_PAUSE", 0.006), ("YOUNG", young)):
            monkeypatch.setattr(supervisor, name, value)
        for number in range(1, 6):
            children[-1].end(1)  # the second one, and those that replace it
            while len(children) < 2 + number:  # noqa: ASYNC110 - the supervisor reports no start
                await asyncio.sleep(0.001)

    supervised(play, tmp_path, monkeypatch)
    said = [record.args[1] for record in caplog.records if isinstance(record.args, tuple)]
    assert [round(1000 * float(str(pause))) for pause in said] == pauses


def test_without_a_spare_a_new_process_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(children: list[Child], _: list[str]) -> None:
        children[0].end(1)
        await settle()
        assert [child.told[1:] for child in children] == [[SERVE], [SERVE], [SERVE]]

    supervised(play, tmp_path, monkeypatch)


def test_a_spare_serves_on_request_and_learns_which_process_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    async def listen() -> None:
        gone, ended, kill = list[str](), asyncio.Event(), list[tuple[int, int]]()

        async def miss(address: str) -> None:
            gone.append(address)
            raise RuntimeError("It cannot be let go.")

        def killed(process: int, number: int) -> None:
            kill.append((process, number))
            ended.set()

        monkeypatch.setattr(os, "kill", killed)
        loops = Loops(FaultLog())
        app: Any = SimpleNamespace(state=SimpleNamespace(cluster=SimpleNamespace(process_ended=miss), loops=loops))
        begin, end = os.pipe()
        standing_by = asyncio.create_task(ParentListener(FileIO(begin)).stand_by(app))
        os.write(end, PEER_ENDED + b"http://a\n")  # it has asked no process yet
        await asyncio.sleep(0.05)
        assert not standing_by.done()
        os.write(end, SERVE + PEER_ENDED + b"http://b\n" + PEER_ENDED + b"http://c\n")
        await asyncio.wait_for(standing_by, 20)
        os.close(end)
        await asyncio.wait_for(ended.wait(), 20)
        assert loops.failures.total() == 2
        assert (gone, kill) == (["http://b", "http://c"], [(os.getpid(), signal.SIGTERM)])

    asyncio.run(listen())


def test_a_spare_is_not_a_member_and_holds_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, open_store, seen = list[Database](), Database.open, list[tuple[int, bool]]()

    async def watched(store: Database, **how: bool) -> str:
        opened.append(store)
        return await open_store(store, **how)

    async def stand_by(app: Litestar) -> None:
        pool: Any = opened[0].engine.pool
        seen.append((pool.checkedin() + pool.checkedout(), hasattr(app.state.cluster, "node")))

    async def live() -> None:
        async with app.lifespan():
            seen.append((len(await LeaseStore(opened[0]).processes()), hasattr(app.state.cluster, "node")))

    monkeypatch.setattr(Database, "open", watched)
    app = create_app(settings(tmp_path, inside="http://127.0.0.1:1"), RandomBots(), stand_by)
    asyncio.run(live())
    assert seen == [(0, False), (1, True)]
    (tmp_path / "tables.sqlite3").unlink()
    with pytest.raises(ExceptionGroup) as refused:
        asyncio.run(live())
    assert refused.group_contains(NoDatabase), "only the process that starts it creates a database"
    assert not (tmp_path / "tables.sqlite3").exists()


def test_an_end_reported_while_joining_is_handled_afterwards(tmp_path: Path) -> None:
    async def hear() -> list[str]:
        settings = Settings.load(tmp_path, inside="http://127.0.0.1:1")
        others, heeded = ClusterMembership(settings, FaultLog()), list[str]()
        hearing = asyncio.create_task(others.process_ended("http://0"))
        await settle()
        assert not hearing.done()

        async def left(address: str) -> None:
            heeded.append(f"left {address}")

        made: Any = others  # the state after `join`
        made.proxy = SimpleNamespace(forget=lambda address: heeded.append(f"forget {address}"))
        made.node = SimpleNamespace(remove_at=left)
        made._joined.set()
        await hearing
        return heeded

    assert asyncio.run(hear()) == ["forget http://0", "left http://0"]
