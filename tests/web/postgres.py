"""PostgreSQL, if it is installed: a server for the tests of a file that import the fixture."""

import os
import shutil
import subprocess
import tempfile
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
    BIN is None or find_spec("asyncpg") is None, reason="PostgreSQL is not installed here, or asyncpg is not"
)


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """A server that only this machine's own socket leads to; the address of its database."""
    with tempfile.TemporaryDirectory(prefix="sparring-postgres-") as folder:
        shutil.chown(folder, "postgres") if os.getuid() == 0 else None  # it refuses to run as root
        as_whom = {"user": "postgres", "group": "postgres", "extra_groups": []} if os.getuid() == 0 else {}

        def do(program: str, *words: str) -> None:
            subprocess.run([f"{BIN}/{program}", *words], check=True, cwd=folder, stdout=subprocess.DEVNULL, **as_whom)  # type: ignore[call-overload]

        do("initdb", "-D", f"{folder}/data", "-U", "sparring", "-A", "trust", "--no-sync")
        how = f"-k {folder} -h '' -c fsync=off -c dynamic_shared_memory_type=mmap"
        do("pg_ctl", "-D", f"{folder}/data", "-o", how, "-l", f"{folder}/log", "-w", "start")
        try:
            yield f"postgresql+asyncpg://sparring@/postgres?host={folder}"
        finally:
            do("pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "-w", "stop")
