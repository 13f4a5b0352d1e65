"""Back up a whole database into one file and restore it, between any kinds of database.

The file is gzip over frames: a four-byte length (little-endian) and MessagePack. First comes a `Head`, then rows, table
by table, and last a `Foot` with their counts, so that a truncated file is detected. Everything is read in one snapshot,
while the server runs.
"""

import contextlib
import gzip
import os
import struct
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

import msgspec
from sqlalchemy import Connection, LargeBinary, MetaData, Table, func, insert, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from sparring.engine.errors import SparringError
from sparring.engine.folders import no_permission

from .database import Database, reason
from .migrations import INITIAL, create, is_missing, migrate, newest, revision_of
from .schema import Base

#: Tables that `backup` and `restore` count in their summary; a server without any of their rows is empty.
COUNTED = ("tables", "accounts", "sets", "pictures", "records")
#: The most rows per frame, and the longest frame in bytes: no version or record is nearly that long.
ROWS = 100
LONGEST = 1 << 30

#: Called after each frame with the number of rows done and in total.
Progress = Callable[[int, int], None]


class BadBackup(SparringError):
    """The backup can't be made or restored."""


class Head(msgspec.Struct, frozen=True, tag=True):
    """The header; `secrets` are the keys that sign cookies, newest first."""

    revision: str
    made: int
    rows: int
    secrets: list[str] = []


class Rows(msgspec.Struct, frozen=True, tag=True):
    """Some rows of a table, with a value for each column."""

    table: str
    columns: list[str]
    rows: list[list[Any]]


class Foot(msgspec.Struct, frozen=True, tag=True):
    """The number of rows of each table."""

    counts: dict[str, int]


async def back_up(
    store: Database, file: Path, secrets: list[str], progress: Progress = lambda *_: None, *, allow_empty: bool = True
) -> Foot:
    """Write the whole database into a new file, readable for its owner only, and read it back."""
    if not file.parent.is_dir():
        raise BadBackup(f"The folder {file.parent} doesn't exist. Create it, or mount its disk.")
    try:
        with _new(file) as written:
            async with store.engine.connect() as connection:
                foot = await connection.run_sync(_write_all, written, secrets, progress)
            if not allow_empty and not any(map(foot.counts.get, COUNTED)):
                raise BadBackup(
                    f"The database {store.name} has no {', '.join(COUNTED)}. Is it the right one? To back it up "
                    "anyway, add --allow-empty."
                )
    except (OSError, SQLAlchemyError) as problem:
        denied = no_permission(file) if isinstance(problem, PermissionError) else ""
        raise BadBackup(denied or f"Can't write a backup to {file}: {reason(problem)}.") from None
    return foot


def check(file: Path) -> tuple[Head, Foot]:
    """Read a whole backup; return its head and how many rows it has. Raise BadBackup if it isn't complete."""
    head, parts = _contents(file)
    counts = Counter[str]()
    for part in parts:
        counts[part.table] += len(part.rows)
    return head, Foot(dict(counts))


@contextlib.contextmanager
def _new(file: Path) -> Iterator[BinaryIO]:
    """Create a file that appears only when it is complete and has been read back."""
    if file.exists():
        raise BadBackup(f"{file} already exists. Choose another name.")
    part = file.with_name(file.name + ".part")
    try:
        binary = getattr(os, "O_BINARY", 0)  # otherwise Windows changes line ends
        with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | binary, 0o600), "wb") as raw:
            with gzip.GzipFile("", "wb", 6, raw, mtime=0) as written:
                yield cast(BinaryIO, written)
            raw.flush()
            os.fsync(raw.fileno())
        check(part)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _write_all(connection: Connection, file: BinaryIO, secrets: list[str], progress: Progress) -> Foot:
    """Write a consistent snapshot."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
    revision = revision_of(connection)
    if revision != newest():
        raise BadBackup("This database is from another version. Start the server with it once to upgrade it.")
    tables = Base.metadata.sorted_tables
    counts = {table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}
    done, total = 0, sum(counts.values())
    _put(file, Head(revision, int(time.time()), total, secrets))
    for table in tables:
        rows = connection.execution_options(yield_per=ROWS).execute(select(table))
        columns = [str(column.name) for column in table.columns]
        for part in rows.partitions():
            _put(file, Rows(str(table.name), columns, [list(row) for row in part]))
            progress(done := done + len(part), total)
    foot = Foot({name: count for name, count in counts.items() if count})
    _put(file, foot)
    return foot


def _put(file: BinaryIO, frame: Head | Rows | Foot) -> None:
    body = msgspec.msgpack.encode(frame)
    file.write(struct.pack("<I", len(body)) + body)


async def restore(
    database: str, file: Path, remember: Callable[[list[str]], object], progress: Progress = lambda *_: None
) -> Foot:
    """Restore a backup into an empty database; then call `remember` with its secrets.

    Older backups are migrated to this version. If anything fails, also by a kill, the database is left as it was.
    """
    store = Database(database)

    def fill(connection: Connection) -> Foot:
        head, foot = _restore_rows(connection, file, progress)
        remember(head.secrets)
        return foot

    try:
        if not (store.file and is_missing(store.file)):
            async with store.engine.connect() as connection:
                if await connection.run_sync(lambda connection: inspect(connection).get_table_names()):
                    raise BadBackup("A backup can be restored only into a new database; this one is already in use.")
        if store.file:
            await store.close()
            return create(store.file, fill)
        async with store.engine.begin() as connection:
            return await connection.run_sync(fill)
    except (SQLAlchemyError, OSError) as problem:
        raise BadBackup(f"Can't restore {file}: {reason(problem)}.") from None
    finally:
        await store.close()


def _restore_rows(connection: Connection, file: Path, progress: Progress) -> tuple[Head, Foot]:
    """Fill a new database with the rows of a backup."""
    head, parts = _contents(file)
    migrate(connection, max(head.revision, INITIAL))
    schema, counts = MetaData(), Counter[str]()
    schema.reflect(connection)
    for part in parts:
        if part.table not in schema.tables:
            raise BadBackup(f"{file} has rows of a table that doesn't exist: {part.table}.")
        table = schema.tables[part.table]
        connection.execute(
            insert(table), [_bytes_for(table, dict(zip(part.columns, row, strict=True))) for row in part.rows]
        )
        counts[part.table] += len(part.rows)
        progress(counts.total(), head.rows)
    migrate(connection)
    return head, Foot(dict(counts))


def _contents(file: Path) -> tuple[Head, Iterator[Rows]]:
    """Return the head of a backup, and its rows, at whose end BadBackup is raised if something is missing."""
    frames = _frames(file)
    head = next(frames, None)
    if not isinstance(head, Head):
        raise BadBackup(f"{file} isn't a Sparring backup.")
    if head.revision > newest():
        raise BadBackup(f"{file} was made by a newer version of Sparring.")

    def parts() -> Iterator[Rows]:
        counts = Counter[str]()
        for frame in frames:
            if isinstance(frame, Rows):
                counts[frame.table] += len(frame.rows)
                yield frame
            elif isinstance(frame, Foot) and frame.counts == counts and next(frames, frame) is None:
                return
            else:
                break
        raise BadBackup(f"{file} is incomplete or damaged.")

    return head, parts()


def _bytes_for(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row with bytes in binary columns: before schema 0022 SQLite stored some of them as text."""
    binary = {column.name for column in table.columns if isinstance(column.type, LargeBinary)}
    return {name: value.encode() if name in binary and isinstance(value, str) else value for name, value in row.items()}


def _frames(file: Path) -> Iterator[Head | Rows | Foot | None]:
    """Yield the frames of a file, as far as it can be read, and None at its proper end."""
    try:
        with gzip.open(file) as unzipped:
            while size := unzipped.read(4):
                (length,) = struct.unpack("<I", size)
                if length > LONGEST:
                    return
                yield msgspec.msgpack.decode(unzipped.read(length), type=Head | Rows | Foot)
            yield None
    except FileNotFoundError:
        raise BadBackup(f"{file} doesn't exist.") from None
    except PermissionError:
        raise BadBackup(no_permission(file)) from None
    except (OSError, EOFError, ValueError, struct.error, zlib.error, msgspec.MsgspecError):
        return
