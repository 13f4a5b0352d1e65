"""Three processes under load, of which one after the other is killed, and the database, too: nothing that was
acknowledged is lost or doubled, and everybody plays on."""

import asyncio
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from web.many.crowd import Somebody, proof
from web.postgres import NEEDS_POSTGRES, Postgres, postgres_server

__all__ = ["postgres_server"]  # a fixture

START = """
import sys
from pathlib import Path
from sparring.web.settings import Limits, Settings
from sparring.web.supervisor import serve_many
limits = Limits(connections_each=1000, tables_at_once=10_000, tables_going_on=10_000)
settings = Settings.usual(Path(sys.argv[1]), host="127.0.0.1", port=0, slot=0.0, limits=limits, database=sys.argv[2])
serve_many(settings, 3, browser=False)
"""


class Several:
    """A server of three processes."""

    def __init__(self, folder: Path, database: str) -> None:
        self.database = database
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, str(folder), database], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        assert self.process.stdout is not None
        told = self.process.stdout.readline()
        if not told:
            self.process.communicate()
        assert told, "the server did not start"
        self.url = told.split()[-1].rstrip("/")

    def children(self, kind: str) -> list[int]:
        """The processes of a kind that it runs on, by the module that they run."""
        found, parents = [], {self.process.pid}
        for _ in range(2):  # those of the server, and those in which its bots think
            for status in Path("/proc").glob("[0-9]*"):
                try:
                    parent = int((status / "stat").read_text().rpartition(")")[2].split()[1])
                    words = (status / "cmdline").read_bytes().decode().split("\0")
                except (OSError, ValueError):
                    continue
                if parent in parents and kind in words:
                    found.append(int(status.name))
            parents |= {int(child) for parent in parents for child in _children(parent)}
        return sorted(set(found))

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=30)


def _children(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []


@pytest.fixture
def several(tmp_path: Path) -> Iterator[Callable[[str], Several]]:
    """Starts a server on a database."""
    started: list[Several] = []

    def start(database: str) -> Several:
        started.append(Several(tmp_path, database))
        return started[-1]

    yield start
    for server in started:
        if server.process.poll() is None:
            server.stop()


@dataclass
class Load:
    """People who played while something was killed at these moments, each until it was running again."""

    crowd: list[Somebody]
    killed: list[tuple[float, float]]

    def waits(self) -> list[float]:
        """How long it took after each kill until everybody played again."""
        return sorted(max(somebody.again(begin) for somebody in self.crowd) for begin, _ in self.killed)


def under_load(server: Several, kill: Callable[[], None], kills: int, people: int, pause: float) -> Load:
    """People play while something is killed again and again."""

    async def play() -> Load:
        crowd, until = [Somebody(server.url, number) for number in range(people)], asyncio.Event()
        playing = [asyncio.create_task(somebody.play(until)) for somebody in crowd]
        killed = list[tuple[float, float]]()
        for _ in range(kills):
            await asyncio.sleep(pause)
            begin = time.monotonic()
            await asyncio.to_thread(kill)
            killed.append((begin, time.monotonic()))
        await asyncio.sleep(2 * pause)
        while not all(somebody.times[-1] > killed[-1][1] for somebody in crowd):  # noqa: ASYNC110 - they think
            await asyncio.sleep(0.1)
        until.set()
        await asyncio.gather(*playing)
        return Load(crowd, killed)

    return asyncio.run(play())


def one_of(server: Several, module: str) -> Callable[[], None]:
    """Kills a process, any of those that run a module."""
    chance = random.Random(1)

    def kill() -> None:
        for _ in range(200):
            if running := server.children(module):
                os.kill(chance.choice(running), signal.SIGKILL)
                return
            time.sleep(0.05)

    return kill


def told(load: Load, server: Several) -> str:
    """What is stored, held against what everybody remembers; and how long people waited."""
    server.stop()
    found = asyncio.run(proof(server.database, load.crowd))
    tables = sum(len(somebody.played) for somebody in load.crowd)
    waits, down = load.waits(), [end - begin for begin, end in load.killed]
    return (
        f"{tables} tables, {dict(found)}; everybody played again after {statistics.median(waits):.1f} s (median), "
        f"{waits[-1]:.1f} s at most; what was killed was away for {max(down):.1f} s at most; "
        f"load {os.getloadavg()[0]:.1f}"
    )


def test_killed_processes_lose_nothing(several: Callable[[str], Several], tmp_path: Path) -> None:
    server = several(f"sqlite+aiosqlite:///{tmp_path / 'tables.sqlite3'}")
    load = under_load(server, one_of(server, "sparring.web.process"), kills=1, people=4, pause=1.5)
    assert "'stored'" in told(load, server)  # or else nobody played


@pytest.mark.soak
@NEEDS_POSTGRES
@pytest.mark.parametrize("what", ["sparring.web.process", "sparring.web.bots.worker", "postgres"])
def test_twenty_kills_lose_nothing(several: Callable[[str], Several], postgres_server: Postgres, what: str) -> None:
    def again() -> None:
        postgres_server.kill()
        postgres_server.start()

    server = several(postgres_server.url)
    kill = again if what == "postgres" else one_of(server, what)
    load = under_load(server, kill, kills=20, people=10, pause=4)
    print(what, told(load, server))
