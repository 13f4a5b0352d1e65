"""PostgreSQL, if installed: a server for the test files that import the fixture."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import programs

INITDB = programs.find("initdb")
BIN = Path(INITDB).resolve().parent if INITDB else None


def has_postgres() -> bool:
    return BIN is not None and find_spec("asyncpg") is not None


class Postgres:
    """A database server on a local socket, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        programs.needs_marker("postgres")
        assert BIN is not None, "PostgreSQL is not installed"
        self.folder = folder
        self.url = f"postgresql+asyncpg://sparring@/postgres?host={folder}"
        #: The same database for jobs.
        self.jobs = f"postgresql://sparring@/postgres?host={folder}"
        # It refuses to run as root.
        self._as_whom = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        if self._as_whom:
            shutil.chown(folder, "postgres")
        self._do("initdb", "-D", f"{folder}/data", "-U", "sparring", "-A", "trust", "--no-sync")
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers; after a kill it recovers first."""
        how = f"-k {self.folder} -h '' -c fsync=off -c dynamic_shared_memory_type=mmap"
        self._do("pg_ctl", "-D", f"{self.folder}/data", "-o", how, "-l", f"{self.folder}/log", "-w", "start")

    def kill(self) -> None:
        """Kill it like a power failure; its child processes end with it."""
        (head, *_) = (self.folder / "data" / "postmaster.pid").read_text(encoding="ascii").split()
        others = Path(f"/proc/{head}/task/{head}/children").read_text(encoding="ascii").split()
        os.kill(int(head), signal.SIGKILL)
        for _ in range(1000):
            if not any(Path(f"/proc/{other}/stat").exists() for other in others):
                return
            time.sleep(0.01)

    def stop(self) -> None:
        """Shut it down."""
        self._do("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")

    def _do(self, program: str, *words: str) -> None:
        subprocess.run(
            [f"{BIN}/{program}", *words], check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **self._as_whom
        )  # type: ignore[call-overload]


@pytest.fixture(scope="module")
def postgres_server() -> Iterator[Postgres]:
    """Start a database server for the tests of a file."""
    with tempfile.TemporaryDirectory(prefix="sparring-postgres-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder))
        yield server
        server.stop()


@pytest.fixture(scope="module")
def postgres(postgres_server: Postgres) -> str:
    """Return the URL of its database."""
    return postgres_server.url
