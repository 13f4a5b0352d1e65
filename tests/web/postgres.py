"""PostgreSQL, if it is installed: a server for the tests of a file that import the fixture."""

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


def programs() -> Path | None:
    """Where the programs of PostgreSQL are; Debian keeps them out of the way."""
    found = shutil.which("initdb")
    kept = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return Path(found).resolve().parent if found else kept[-1].parent if kept else None


BIN = programs()
NEEDS_POSTGRES = pytest.mark.skipif(
    not os.environ.get("CI") and (BIN is None or find_spec("asyncpg") is None),
    reason="PostgreSQL is not installed here, or asyncpg is not",
)


class Postgres:
    """A database server that only this machine's own socket leads to; it can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        assert BIN is not None, "PostgreSQL is not installed"
        self.folder = folder
        self.url = f"postgresql+asyncpg://sparring@/postgres?host={folder}"
        # It refuses to run as root.
        self._as_whom = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}
        if self._as_whom:
            shutil.chown(folder, "postgres")
        self._do("initdb", "-D", f"{folder}/data", "-U", "sparring", "-A", "trust", "--no-sync")
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers; after a kill it first repairs itself."""
        how = f"-k {self.folder} -h '' -c fsync=off -c dynamic_shared_memory_type=mmap"
        self._do("pg_ctl", "-D", f"{self.folder}/data", "-o", how, "-l", f"{self.folder}/log", "-w", "start")

    def kill(self) -> None:
        """As when the power fails; what it started sees that, and ends with it."""
        (head, *_) = (self.folder / "data" / "postmaster.pid").read_text(encoding="ascii").split()
        others = Path(f"/proc/{head}/task/{head}/children").read_text(encoding="ascii").split()
        os.kill(int(head), signal.SIGKILL)
        for _ in range(1000):
            if not any(Path(f"/proc/{other}/stat").exists() for other in others):
                return
            time.sleep(0.01)

    def stop(self) -> None:
        """End, and leave nothing behind that is still to be written."""
        self._do("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")

    def _do(self, program: str, *words: str) -> None:
        subprocess.run(
            [f"{BIN}/{program}", *words], check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **self._as_whom
        )  # type: ignore[call-overload]


@pytest.fixture(scope="module")
def postgres_server() -> Iterator[Postgres]:
    """A database server for the tests of a file."""
    with tempfile.TemporaryDirectory(prefix="sparring-postgres-", ignore_cleanup_errors=True) as folder:
        server = Postgres(Path(folder))
        yield server
        server.stop()


@pytest.fixture(scope="module")
def postgres(postgres_server: Postgres) -> str:
    """The address of its database."""
    return postgres_server.url
