"""Kill a process before its n-th SQL statement, for many n: `python -m web.storage.kills WHAT FOLDER STEP`.

Each attempt is a fork with a copy of FOLDER. After the kill, a second fork does the work again, which must succeed.
"""

import asyncio
import importlib
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Engine, event

from sparring.store.backup import restore
from sparring.store.database import Database


def start(folder: Path) -> None:
    """Open the database as a server does when it starts."""

    async def opened() -> None:
        store = Database(f"sqlite+aiosqlite:///{folder / 'tables.sqlite3'}")
        await store.open()
        await store.close()

    asyncio.run(opened())


def restore_backup(folder: Path) -> None:
    """Restore the backup in the folder."""
    asyncio.run(restore(f"sqlite+aiosqlite:///{folder / 'tables.sqlite3'}", folder / "backup", lambda _: None))


WORK = {"start": start, "restore": restore_backup}


def in_fork(work: Callable[[], None]) -> int:
    """Do something in a fork of this process; return its wait status."""
    if child := os.fork():
        return os.waitpid(child, 0)[1]
    try:
        work()
        os._exit(0)
    except BaseException as problem:  # noqa: BLE001 - the fork must not return
        print(f"{type(problem).__name__}: {problem}", flush=True)
        os._exit(1)


def killed_before(number: int, work: Callable[[], None]) -> bool:
    """Kill the work before a statement or commit; return False if it ended earlier."""
    count = 0

    def die(*_: object) -> None:
        nonlocal count
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)

    def run() -> None:
        event.listen(Engine, "before_cursor_execute", die)
        event.listen(Engine, "commit", die)
        work()

    return in_fork(run) == signal.SIGKILL


def main(what: str, original: Path, step: int) -> None:
    """Print for each kill whether the work succeeds afterwards, and which files are left."""
    importlib.import_module("alembic.command")  # once, not in each fork
    number, work, copy = 1, WORK[what], original.with_name("copy")
    while True:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(original, copy)
        if not killed_before(number, lambda: work(copy)):
            break
        again = "fails" if in_fork(lambda: work(copy)) else "works"
        print(number, again, *sorted(file.name for file in copy.iterdir()), flush=True)
        number += step


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
