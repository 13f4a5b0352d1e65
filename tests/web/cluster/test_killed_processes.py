"""Three processes and their workers under load, which are killed one after the other, and so is the database:
no acknowledged choice is lost or doubled, and everyone plays on."""

import asyncio
import os
import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from sparring.store import migrations
from sparring.store.database import Database
from web.cluster.load_clients import LoadClient, verify_stored
from web.postgres import Postgres

START = """
import sys
from pathlib import Path
from sparring.settings import Limits, Settings
from sparring.server_processes import serve_many
limits = Limits(connections_each=1000, requests_at_once=1_000_000, tables_at_once=10_000, tables_going_on=10_000)
settings = Settings.load(
    Path(sys.argv[1]), host="127.0.0.1", port=int(sys.argv[4]), slot=0.0, limits=limits, warming=False,
    database=sys.argv[2], jobs=sys.argv[3]
)
serve_many(settings, 3, browser=False)
"""


class ClusterProcess:
    """A server of three processes, and separately started workers if it gives jobs to any."""

    def __init__(self, folder: Path, database: str, jobs: str = "") -> None:
        self.database = database
        self._environment = {
            **os.environ, "PYTHONUNBUFFERED": "1", "SPARRING_DATA": str(folder), "SPARRING_JOBS": jobs,
        }  # fmt: skip
        self._order = ["-c", START, str(folder), database, jobs]
        self.process = self._start(*self._order, "0")
        self.url = self._line(self.process).split()[-1].rstrip("/")
        self.workers: list[subprocess.Popen[str]] = []

    def upgrade(self, prepare: Callable[[], None]) -> None:
        """Stop the server, prepare the database, and start the server again at its port."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=30)
        prepare()
        self.process = self._start(*self._order, self.url.rpartition(":")[2])
        self._line(self.process)

    def _start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen([sys.executable, *words], stdout=subprocess.PIPE, text=True, env=self._environment)

    def _line(self, process: subprocess.Popen[str]) -> str:
        """Return the first line of a process's output."""
        assert process.stdout is not None
        told = process.stdout.readline()
        if not told:
            process.communicate()
        assert told, "it did not start"
        return told

    def work(self) -> None:
        """Start another worker, and wait until it is connected to all processes."""
        self.workers.append(self._start("-m", "sparring", "work", "--places", "2"))
        while not self._line(self.workers[-1]).startswith("Working for "):
            pass

    def kill_worker(self) -> None:
        """Kill the oldest worker, after starting another one."""
        self.work()
        gone = self.workers.pop(0)
        gone.kill()
        gone.communicate()

    def children(self, kind: str) -> list[int]:
        """Return its processes of a kind, by the module that they run."""
        found, parents = [], {self.process.pid, *(worker.pid for worker in self.workers)}
        for _ in range(2):  # those of the server, and those of its bots
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

    def serving(self) -> list[int]:
        """Return the serving processes; a spare one may have started after them."""
        return sorted(self.children("sparring.server_processes"), key=_began)[:3]

    def stop(self) -> None:
        running = [process for process in (*self.workers, self.process) if process.poll() is None]
        try:
            for process in running:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=30)
        finally:
            for process in running:
                process.kill()  # left running after an unclean end


def _children(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/task/{process}/children").read_text().split()
    except OSError:
        return []


def _began(process: int) -> int:
    """Return when a process was started; it must be running."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return sys.maxsize


@pytest.fixture
def start_cluster(tmp_path: Path) -> Iterator[Callable[..., ClusterProcess]]:
    """Return a function that starts a server on a database, with or without workers."""
    started: list[ClusterProcess] = []

    def start(*where: str) -> ClusterProcess:
        started.append(ClusterProcess(tmp_path, *where))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@dataclass
class LoadResult:
    """Clients that played during kills, and the kills with their recoveries."""

    clients: list[LoadClient]
    killed: list[tuple[float, float]]

    def recovery_times(self) -> list[float]:
        """Return the time after each kill until all clients had a choice acknowledged."""
        return sorted(max(client.recovery_time(begin) for client in self.clients) for begin, _ in self.killed)


def under_load(server: ClusterProcess, kills: Sequence[Callable[[], None]], people: int, pause: float) -> LoadResult:
    """Let clients play during repeated kills."""

    async def play() -> LoadResult:
        clients, until = [LoadClient(server.url, number) for number in range(people)], asyncio.Event()
        killed = list[tuple[float, float]]()
        async with asyncio.TaskGroup() as playing:
            for client in clients:
                playing.create_task(client.play(until))
            for kill in kills:
                await asyncio.sleep(pause)
                begin = time.monotonic()
                await asyncio.to_thread(kill)
                killed.append((begin, time.monotonic()))
            await asyncio.sleep(2 * pause)
            while not all(client.times[-1] > killed[-1][1] for client in clients):  # noqa: ASYNC110 - they think
                await asyncio.sleep(0.1)
            until.set()
        return LoadResult(clients, killed)

    return asyncio.run(play())


def one_of(find: Callable[[], list[int]]) -> Callable[[], None]:
    """Return a function that kills a random one of the processes found."""
    chance = random.Random(1)

    def kill() -> None:
        for _ in range(200):
            if running := find():
                os.kill(chance.choice(running), signal.SIGKILL)
                return
            time.sleep(0.05)

    return kill


def check_and_summarize(load: LoadResult, server: ClusterProcess) -> str:
    """Compare what is stored with what clients remember; return a summary of recovery times."""
    server.stop()
    found = asyncio.run(verify_stored(server.database, load.clients))
    tables = sum(len(client.played) for client in load.clients)
    waits, down = load.recovery_times(), [end - begin for begin, end in load.killed]
    return (
        f"{tables} tables, {dict(found)}; everybody played again after {statistics.median(waits):.1f} s (median), "
        f"{waits[-1]:.1f} s at most; what was killed was away for {max(down):.1f} s at most; "
        f"load {os.getloadavg()[0]:.1f}"
    )


@pytest.mark.postgres
def test_kills_lose_no_data(start_cluster: Callable[..., ClusterProcess], postgres_server: Postgres) -> None:
    server = start_cluster(postgres_server.url, postgres_server.jobs)
    server.work()
    kills = [one_of(server.serving), restart(postgres_server), server.kill_worker]
    load = under_load(server, kills, people=4, pause=0.8)
    assert "'stored'" in check_and_summarize(load, server)  # otherwise no client played


@pytest.mark.postgres
def test_an_upgrade_loses_no_data(start_cluster: Callable[..., ClusterProcess], postgres_server: Postgres) -> None:
    """Stop, migrate, start, while people play: they have lost nothing and play on."""
    server = start_cluster(postgres_server.url)
    load = under_load(server, [lambda: server.upgrade(lambda: downgrade(server.database))], people=4, pause=2)
    summary = check_and_summarize(load, server)
    assert "'stored'" in summary
    print(summary)


def downgrade(url: str) -> None:
    """Bring a database to the schema before the newest, as if an older version had served it."""

    async def run() -> None:
        store = Database(url)
        async with store.engine.begin() as connection:
            await connection.run_sync(migrate_down)
        await store.close()

    def migrate_down(connection: Connection) -> None:
        config = Config()
        config.set_main_option("script_location", str(migrations.HERE).replace("%", "%%"))
        config.attributes["connection"] = connection
        command.downgrade(config, "-1")

    asyncio.run(run())


def restart(what: Postgres) -> Callable[[], None]:
    """Return a function that kills a service and starts it again."""

    def kill() -> None:
        what.kill()
        what.start()

    return kill


@pytest.mark.soak
@pytest.mark.postgres
@pytest.mark.parametrize(
    ("what", "workers"),
    [(what, workers) for what in ("process", "thinker", "postgres") for workers in (False, True)] + [("worker", True)],
)
def test_twenty_kills_lose_no_data(
    start_cluster: Callable[..., ClusterProcess], postgres_server: Postgres, what: str, *, workers: bool
) -> None:
    """A thinker is a process of the server's bots, a worker their host on another machine."""
    server = start_cluster(postgres_server.url, postgres_server.jobs if workers else "")
    if workers:
        server.work()
    kill = {
        "process": one_of(server.serving),
        "thinker": one_of(lambda: server.children("sparring.tables.workers.bot_worker")),
        "worker": server.kill_worker, "postgres": restart(postgres_server),
    }[what]  # fmt: skip
    load = under_load(server, 20 * [kill], people=10, pause=4)
    print(what, "with workers" if workers else "without workers", check_and_summarize(load, server))
