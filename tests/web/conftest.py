"""The toy game Hush, installed for tests, and servers on new databases."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sparring.engine.game import games
from sparring.people import passwords
from sparring.server.requests import identity
from sparring.tables.workers import uploads
from web.app_server import AppServer, Client, SetClock, StartServer, settings
from web.browser.visits import visit
from web.postgres import postgres, postgres_server
from web.postgres_servers import start_on_postgres
from web.table_pages import open_table
from web.worker_thread import WorkerThread

__all__ = ["open_table", "postgres", "postgres_server", "start_on_postgres", "visit"]  # fixtures

TOY = Path(__file__).parent / "toy"


@pytest.fixture(scope="module", autouse=True)
def toy() -> Iterator[None]:
    """Install the toy game Hush for the tests of a file."""
    sys.path.insert(0, str(TOY))
    usual = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(TOY), usual]))  # for child processes
    games.cache_clear()
    yield
    if usual is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = usual
    sys.path.remove(str(TOY))
    games.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def real_password_cost() -> Iterator[tuple[int, ...]]:
    """Make password hashing nearly free; return the real cost (kilobytes, rounds, lanes)."""
    with pytest.MonkeyPatch.context() as patch:
        dear = passwords.MEMORY, passwords.ROUNDS, passwords.LANES
        patch.setattr(passwords, "MEMORY", 64)
        patch.setattr(passwords, "ROUNDS", 1)
        yield dear


@pytest.fixture(scope="module", autouse=True)
def sandboxes() -> Iterator[None]:
    """Let threads do the work of the sandboxes: starting a process for each server takes a second.

    Tests of their limits override this with the real ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(uploads, "WorkerProcess", WorkerThread)
        yield


@pytest.fixture
def toy_path() -> str:
    """Return the path where other processes find the toy game."""
    return str(TOY)


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Return a function that starts a server on the test's database; it can be closed and started again."""
    opened: list[AppServer] = []

    def opener(**more: object) -> AppServer:
        opened.append(AppServer(settings(tmp_path, **more)))
        return opened[-1]

    yield opener
    for server in opened:
        if server._thread.is_alive():
            server.close()


@pytest.fixture
def same_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give all forms the same key, for tests that compare pages."""
    monkeypatch.setattr(identity, "random_id", lambda _: "key")


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Return a function that sets the machine's clock forward or back by some seconds."""
    usual, ahead = time.time, [0.0]
    monkeypatch.setattr(time, "time", lambda: usual() + ahead[0])
    monkeypatch.setattr(time, "time_ns", lambda: int(1e9 * time.time()))

    def by(seconds: float) -> None:
        ahead[0] += seconds

    return by


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """Start a server for all tests of a file; tests that kill it override this with a process, which takes seconds."""
    started = AppServer(settings(tmp_path_factory.mktemp("server")))
    yield started
    started.close()


@pytest.fixture
def table(server: AppServer) -> str:
    """Create a table of Hush for Anna and Ben."""
    return server.table("Anna", "Ben")


@pytest.fixture
def anna(server: AppServer) -> Client:
    return server.person("Anna")


@pytest.fixture
def ben(server: AppServer) -> Client:
    return server.person("Ben")


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AppServer, AppServer]]:
    """Start two servers with the same address: one for each state."""
    one, two = (
        AppServer(settings(tmp_path_factory.mktemp("server"), friends="http://table.example")) for _ in range(2)
    )
    yield one, two
    one.close()
    two.close()
