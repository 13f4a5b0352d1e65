"""Migrations, and files of SQLite databases: create, upgrade and lock them, so that a killed process harms nothing."""

import contextlib
import errno
import os
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, inspect, text

from sparring.engine.errors import SparringError
from sparring.engine.folders import access_problem, match_owner

#: The folder of Alembic's `env.py` and `versions`.
HERE = Path(__file__).parent
#: The schema of the first release. Databases and backups of earlier schemas are brought to it in one step.
INITIAL = "0019"
#: PostgreSQL's lock that lets one process at a time migrate: a number that nothing else uses.
UPGRADE_LOCK = 5_772_156_649


def newest() -> str:
    """Return the newest schema revision."""
    return max(file.name for file in (HERE / "versions").glob("[0-9]*.py")).partition("_")[0]


def revision_of(connection: Connection) -> str | None:
    """Return the schema revision of the database; None if it has none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("select version_num from alembic_version")).scalar()


def migrate(connection: Connection, revision: str = "head") -> None:
    """Migrate a database to a revision: INITIAL or later, by default the newest."""
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":  # SQLite's transaction excludes others from its beginning
        connection.execute(text(f"select pg_advisory_xact_lock({UPGRADE_LOCK})"))
    if (revision_of(connection) or INITIAL) < INITIAL:
        connection.execute(text("delete from alembic_version"))  # the initial migration adds what is missing

    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


T = TypeVar("T")

#: What belongs to a database: its file, and its journal with an index while it is open.
ENDINGS = ("", "-wal", "-shm")
#: How many seconds a migration waits for other writers to end.
LOCK_TIMEOUT = 60
#: How many seconds a server waits for another one to end, or for `admin init`.
LOCK_WAIT = 3.0
#: An upgrade copies the database first if the disk has room for this many more of its size: it needs room itself.
ROOM = 3
#: Above this size (bytes) the journal is cut when it starts again; SQLite writes it into the database from 4 MB on.
JOURNAL = 8_000_000
#: How many pages of 4 kB are given back to the disk at once, which takes some milliseconds.
PAGES = 100
#: Many writes one after the other rest this many times as long as they take: SQLite doesn't queue writers, and one that
#: waits looks only every 25 ms whether it may write.
REST = 3


class ServerRuns(SparringError):
    """Another server uses the database."""


def file_of(url: URL) -> Path | None:
    """Return the file of an SQLite database; None for other databases, and for one in memory."""
    name = url.database
    return Path(name) if url.get_backend_name() == "sqlite" and name and name != ":memory:" else None


def is_missing(file: Path) -> bool:
    """Return whether there is no database: no file, or an empty one."""
    return not file.exists() or not file.stat().st_size


def prepare(engine: Engine) -> None:
    """Configure SQLite: readers beside a writer (WAL), and commits on disk before they return (FULL)."""

    @event.listens_for(engine, "connect")
    def _(connection: sqlite3.Connection, _record: object) -> None:
        cursor = connection.cursor()
        try:
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=2000",
                           f"journal_size_limit={JOURNAL}"):  # fmt: skip
                cursor.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()  # nothing else closes it, since it never reached the pool
            raise
        cursor.close()


def create(file: Path, fill: Callable[[Connection], T]) -> T:
    """Create a database that appears only when `fill` has completed it; raise what `fill` raises."""
    new_file = file.with_name(f"{file.name}.new")
    file.parent.mkdir(parents=True, exist_ok=True)
    delete(new_file)  # a killed process may have left it
    try:
        with _exclusive(new_file) as connection:
            result = fill(connection)
        if Path(f"{new_file}-wal").exists():  # its content didn't fit into the file
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    except BaseException:
        delete(new_file)
        raise
    match_owner(new_file)
    delete(file)  # an empty file, or the journal of one that is lost
    new_file.replace(file)
    return result


def upgrade(file: Path) -> str:
    """Migrate a database to this version's schema, all or nothing; return a sentence about its copy."""
    kept = file.with_name(f"{file.name}.before-upgrade")
    size = sum(Path(f"{file}{ending}").stat().st_size for ending in ENDINGS if Path(f"{file}{ending}").exists())
    copied = shutil.disk_usage(file.parent).free > ROOM * size
    if copied:
        delete(kept)
        with contextlib.closing(sqlite3.connect(file)) as old, contextlib.closing(sqlite3.connect(kept)) as copy:
            old.backup(copy)
        match_owner(kept)
    with _exclusive(file) as connection:
        migrate(connection)
    if copied:
        _let_shrink(file)
    copy_note = f"Its earlier state is in {kept}" if copied else "The disk has no room for a copy of its earlier state"
    return f"The database was upgraded. {copy_note}."


def _let_shrink(file: Path) -> None:
    """Rewrite a database that was created before databases could shrink, if temporary files have room for that, too."""
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
        if not _pragma(connection, "auto_vacuum"):
            connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
            with contextlib.suppress(sqlite3.OperationalError):
                connection.execute("VACUUM")


def shrink(file: Path) -> None:
    """Give a database's free pages back to the disk. Others can read and write between the steps."""
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
        for _ in range(0, _pragma(connection, "freelist_count"), PAGES):
            started = time.perf_counter()
            connection.executescript(f"PRAGMA incremental_vacuum({PAGES})")  # `execute` would stop after one page
            time.sleep(REST * (time.perf_counter() - started))
        for _ in range(100):  # the file gets shorter when the whole journal is written into it, between two reads
            busy, pages, written = connection.execute("PRAGMA wal_checkpoint").fetchone()
            if not busy and pages == written:
                break
            time.sleep(0.02)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    """Return the number that a pragma gives."""
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


@contextlib.contextmanager
def _exclusive(file: Path) -> Iterator[Connection]:
    """Open a transaction that excludes other writers from its beginning: then SQLite rolls back schema changes too."""
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def _(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")  # so that a new database can shrink; it must come first

    prepare(engine)

    @event.listens_for(engine, "begin")
    def _(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA busy_timeout={LOCK_TIMEOUT * 1000}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    with engine.begin() as connection:
        yield connection


def delete(file: Path) -> None:
    """Delete a database with its journal."""
    for ending in ENDINGS:
        Path(f"{file}{ending}").unlink(missing_ok=True)


@contextlib.contextmanager
def locked(database: Path) -> Iterator[None]:
    """Lock a database against other servers; raise ServerRuns if one of them has locked it.

    The processes of one server share the lock of the process that starts them, and most operator commands need none.
    """
    file = database.with_name(f"{database.name}.lock")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        no_link = getattr(os, "O_NOFOLLOW", 0)  # root may run this in another user's folder
        lock = os.fdopen(os.open(file, os.O_RDWR | os.O_CREAT | no_link, 0o644), "r+", encoding="ascii")
        match_owner(file)
    except OSError as problem:
        raise ServerRuns(access_problem(file) or f"Can't use {file}: {problem.strerror}.") from None
    with lock:
        deadline = time.monotonic() + LOCK_WAIT
        while not _lock(lock.fileno()):
            if time.monotonic() > deadline:
                lock.seek(0)
                raise ServerRuns(
                    f"Another server uses {database} (process {lock.readline().strip()}). Stop it first, or choose "
                    "another data folder (SPARRING_DATA)."
                )
            time.sleep(0.1)
        lock.seek(0)
        lock.truncate()
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield


def _lock(file: int) -> bool:
    """Lock an open file until it is closed or the process ends; return False if another process has locked it."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(file, 1 << 30, os.SEEK_SET)  # beyond the content, which others may read
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # processes that it starts don't inherit it, unlike flock
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a file system without locks
    return True
