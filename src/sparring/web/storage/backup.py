"""A whole database as one file, and back: from and to any database that a server can have.

The file is gzip over frames: four bytes of length (little-endian) and as much MessagePack. The first frame is a `Head`,
then come rows, table by table, and last a `Foot` that counts them, so that half a file is not taken for a whole one.
All is read at one moment of the database, while the server goes on.
"""

import contextlib
import gzip
import os
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec
from sqlalchemy import Connection, LargeBinary, MetaData, Table, func, insert, inspect, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from sparring.engine.errors import SparringError

from .database import Database, is_sqlite, migrate, newest, reason, revision_of
from .schema import Base

#: How many rows one frame holds at most, and how long a frame may be (bytes): no version or record is nearly as long.
ROWS = 100
LONGEST = 1 << 30

#: Told after each frame: how many rows are through, of how many.
Progress = Callable[[int, int], None]


class BadBackup(SparringError):
    """A backup that cannot be made or restored."""


class Head(msgspec.Struct, frozen=True, tag=True):
    """What a backup is of; `secrets` are those that cookies are signed with, the newest first."""

    revision: str
    made: int
    rows: int
    secrets: list[str] = []


class Rows(msgspec.Struct, frozen=True, tag=True):
    """Some rows of a table, each with a value for each column."""

    table: str
    columns: list[str]
    rows: list[list[Any]]


class Foot(msgspec.Struct, frozen=True, tag=True):
    """How many rows of each table there are."""

    counts: dict[str, int]


async def back_up(store: Database, file: Path, secrets: list[str], progress: Progress = lambda *_: None) -> Foot:
    """Write all that a database holds into a new file, which its owner alone can read."""
    try:
        with _new(file) as written:
            async with store.engine.connect() as connection:
                return await connection.run_sync(_write_all, written, secrets, progress)
    except (OSError, SQLAlchemyError) as problem:
        raise BadBackup(f"No backup could be written to {file}: {reason(problem)}.") from None


@contextlib.contextmanager
def _new(file: Path) -> Iterator[BinaryIO]:
    """A new file that is there as a whole, or not at all."""
    if file.exists():
        raise BadBackup(f"There is a file {file} already; name another one.")
    part = file.with_name(file.name + ".part")
    try:
        with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as raw:
            with gzip.GzipFile("", "wb", 6, raw, mtime=0) as written:
                yield cast(BinaryIO, written)
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _write_all(connection: Connection, file: BinaryIO, secrets: list[str], progress: Progress) -> Foot:
    """Everything as it is at one moment."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
    revision = revision_of(connection)
    if revision != newest():
        raise BadBackup("This database is of another version; start the server of this version with it once.")
    tables = Base.metadata.sorted_tables
    counts = {table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}
    done, every = 0, sum(counts.values())
    _put(file, Head(revision, int(time.time()), every, secrets))
    for table in tables:
        rows = connection.execution_options(yield_per=ROWS).execute(select(table))
        columns = [str(column.name) for column in table.columns]
        for some in rows.partitions():
            _put(file, Rows(str(table.name), columns, [list(row) for row in some]))
            progress(done := done + len(some), every)
    foot = Foot({name: count for name, count in counts.items() if count})
    _put(file, foot)
    return foot


def _put(file: BinaryIO, frame: Head | Rows | Foot) -> None:
    body = msgspec.msgpack.encode(frame)
    file.write(struct.pack("<I", len(body)) + body)


async def restore(
    database: str, file: Path, remember: Callable[[list[str]], object], progress: Progress = lambda *_: None
) -> Foot:
    """Bring a backup into a database that holds nothing yet; `remember` is given the secrets when all is in.

    Backups of older versions are brought up to this one. If anything is wrong the database is left as it was.
    """
    store = Database(database)
    try:
        async with store.engine.connect() as connection:
            if await connection.run_sync(lambda connection: inspect(connection).get_table_names()):
                raise BadBackup("A backup is restored into a new database; this one holds tables already.")
        try:
            async with store.engine.begin() as connection:
                head, foot = await connection.run_sync(_read_all, file, progress)
                remember(head.secrets)
        except BaseException:
            await store.close()
            if is_sqlite(store.engine):
                _forget(store.engine)
            raise
    except (SQLAlchemyError, OSError) as problem:
        raise BadBackup(f"{file} could not be restored: {reason(problem)}.") from None
    finally:
        await store.close()
    return foot


def _forget(engine: AsyncEngine) -> None:
    """A file that was begun; SQLite does not take back what made its tables."""
    if name := engine.url.database:
        for ending in ("", "-wal", "-shm"):
            Path(name + ending).unlink(missing_ok=True)


def _read_all(connection: Connection, file: Path, progress: Progress) -> tuple[Head, Foot]:
    frames = _frames(file)
    head = next(frames, None)
    if not isinstance(head, Head):
        raise BadBackup(f"{file} is no backup of Sparring.")
    if head.revision > newest():
        raise BadBackup(f"{file} was made by a newer version of Sparring.")
    migrate(connection, head.revision)
    found = MetaData()
    found.reflect(connection)
    counts = Counter[str]()
    for frame in frames:
        if isinstance(frame, Foot):
            if frame.counts != counts:
                break
            migrate(connection)
            return head, frame
        if not isinstance(frame, Rows) or frame.table not in found.tables:
            break
        table = found.tables[frame.table]
        rows = [_bytes_for(table, dict(zip(frame.columns, row, strict=True))) for row in frame.rows]
        connection.execute(insert(table), rows)
        counts[frame.table] += len(rows)
        progress(counts.total(), head.rows)
    raise BadBackup(f"{file} is not whole; nothing was restored.")


def _bytes_for(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with bytes where its column holds bytes: before schema 0022 SQLite kept some of them as text."""
    binary = {column.name for column in table.columns if isinstance(column.type, LargeBinary)}
    return {name: value.encode() if name in binary and isinstance(value, str) else value for name, value in row.items()}


def _frames(file: Path) -> Iterator[Head | Rows | Foot]:
    """The frames of a file, as far as they can be read."""
    try:
        with gzip.open(file) as written:
            while len(size := written.read(4)) == 4:
                (length,) = struct.unpack("<I", size)
                if length > LONGEST:
                    return
                yield msgspec.msgpack.decode(written.read(length), type=Head | Rows | Foot)
    except FileNotFoundError:
        raise BadBackup(f"There is no file {file}.") from None
    except (OSError, EOFError, ValueError, msgspec.MsgspecError):
        return
