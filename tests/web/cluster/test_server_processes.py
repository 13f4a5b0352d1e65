"""The processes of a server: a spare replaces one that ends, and an order contains all settings."""

import asyncio
import os
import signal
import socket
from collections.abc import Awaitable, Callable
from dataclasses import replace
from io import FileIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from litestar import Litestar

from sparring import server_processes
from sparring.app import create_app
from sparring.monitoring import FaultLog, Loops
from sparring.serve import FirstTable
from sparring.server_processes import SERVE, SERVING, ParentListener, ProcessOrder
from sparring.settings import Limits, MailSettings, PushSettings, Settings
from sparring.store.database import Database, NoDatabase
from sparring.tables.state.players import Player
from web.app_server import RandomBots, settings


class Child:
    """A process as the supervisor sees it, controlled by the test."""

    def __init__(self) -> None:
        self.told: list[bytes] = []
        self.stdin = SimpleNamespace(write=self.told.append, close=lambda: self.end(0))
        self.stdout = asyncio.StreamReader()
        self.ended = asyncio.get_running_loop().create_future()

    def open(self) -> None:
        self.stdout.feed_data(SERVING + b"/first\n")

    def end(self, code: int) -> None:
        if not self.ended.done():
            self.stdout.feed_eof()
            self.ended.set_result(code)

    async def wait(self) -> int:
        return int(await self.ended)


def supervised(play: Callable[[list[Child], list[str]], Awaitable[None]]) -> Callable[..., None]:
    """Make a test of a supervisor with simulated children that wants two processes to serve."""

    async def run(folder: Path, patch: pytest.MonkeyPatch) -> None:
        children, said = list[Child](), list[str]()

        async def start(*_: object, **__: object) -> Child:
            children.append(Child())
            return children[-1]

        patch.setattr("asyncio.create_subprocess_exec", start)
        patch.setattr(server_processes, "PAUSE", 0)
        with socket.socket() as listener:
            made = server_processes._Supervisor(Settings.load(folder), listener, None, said.append)
            running = asyncio.create_task(made.run(2))
            await settle()
            await play(children, said)
            made._stop()
            await asyncio.wait_for(running, 20)

    def test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        asyncio.run(run(tmp_path, monkeypatch))

    return test


async def settle() -> None:
    """Let all pending tasks run."""
    for _ in range(20):
        await asyncio.sleep(0)


@supervised
async def test_the_spare_replaces_a_process_that_ends(children: list[Child], said: list[str]) -> None:
    assert [child.told[1:] for child in children] == [[SERVE], [SERVE]], "the third waits until these serve"
    for child in children[:2]:
        child.open()
        await settle()
    assert [child.told[1:] for child in children] == [[SERVE], [SERVE], []]
    assert said == ["/first"]
    children[0].end(-9)
    await settle()
    assert [child.told[1:] for child in children[1:]] == [[SERVE], [SERVE], []]
    children[3].end(-9)  # losing a spare affects no one
    await settle()
    assert len(children) == 5


@pytest.mark.parametrize(("young", "pauses"), [(20, [1, 2, 4, 6, 6]), (0, [1, 1, 1, 1, 1])])
def test_processes_that_die_at_start_are_replaced_ever_more_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, young: float, pauses: list[int]
) -> None:
    async def play(children: list[Child], _: list[str]) -> None:
        for name, value in (("PAUSE", 0.001), ("LONGEST_PAUSE", 0.006), ("YOUNG", young)):
            monkeypatch.setattr(server_processes, name, value)
        for number in range(1, 6):
            children[-1].end(1)  # the second one, and those that replace it
            while len(children) < 2 + number:  # noqa: ASYNC110 - the supervisor reports no start
                await asyncio.sleep(0.001)

    supervised(play)(tmp_path, monkeypatch)
    said = [record.args[1] for record in caplog.records if isinstance(record.args, tuple)]
    assert [round(1000 * float(str(pause))) for pause in said] == pauses


@supervised
async def test_without_a_spare_a_new_process_is_started(children: list[Child], said: list[str]) -> None:
    children[0].end(1)
    await settle()
    assert [child.told[1:] for child in children] == [[SERVE], [SERVE], [SERVE]]


def test_a_spare_serves_on_request_and_ends_with_its_supervisor(monkeypatch: pytest.MonkeyPatch) -> None:
    async def listen() -> None:
        ended, kill = asyncio.Event(), list[tuple[int, int]]()

        def killed(process: int, number: int) -> None:
            kill.append((process, number))
            ended.set()

        monkeypatch.setattr(os, "kill", killed)
        app: Any = SimpleNamespace(state=SimpleNamespace(loops=Loops(FaultLog())))
        begin, end = os.pipe()
        standing_by = asyncio.create_task(ParentListener(FileIO(begin)).stand_by(app))
        await settle()
        assert not standing_by.done()
        os.write(end, SERVE)
        await asyncio.wait_for(standing_by, 20)
        assert not kill
        os.close(end)
        await asyncio.wait_for(ended.wait(), 20)
        assert kill == [(os.getpid(), signal.SIGTERM)]

    asyncio.run(listen())


def test_a_spare_holds_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, open_store, seen = list[Database](), Database.open, list[int]()

    async def watched(store: Database, **how: bool) -> str:
        opened.append(store)
        return await open_store(store, **how)

    async def stand_by(_: Litestar) -> None:
        pool: Any = opened[0].engine.pool
        seen.append(pool.checkedin() + pool.checkedout())

    async def live() -> None:
        async with app.lifespan():
            pass

    monkeypatch.setattr(Database, "open", watched)
    app = create_app(settings(tmp_path), RandomBots(), stand_by)
    asyncio.run(live())
    assert seen == [0]
    (tmp_path / "tables.sqlite3").unlink()
    with pytest.raises(ExceptionGroup) as refused:
        asyncio.run(live())
    assert refused.group_contains(NoDatabase), "only the process that starts it creates a database"
    assert not (tmp_path / "tables.sqlite3").exists()


def test_a_process_order_contains_all_settings(tmp_path: Path) -> None:
    settings = replace(
        Settings.load(tmp_path),
        names=("a.example", "b.example"),
        older_secrets=("old",),
        limits=Limits(streams=7),
        mail=MailSettings(server="mail.example:25", sender="play@table.example", site="https://table.example"),
        push=PushSettings(services=("push.example",)),
        slot=0.5,
    )
    first = FirstTable(game="mace", players=[Player("", "Ada", "random"), Player()], options={"round_limit": 9})
    told = msgspec.json.decode(msgspec.json.encode(ProcessOrder.of(settings, first)), type=ProcessOrder)
    assert told.read() == settings
    assert told.first == first
