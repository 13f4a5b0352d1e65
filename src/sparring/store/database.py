"""The database: tables, content and checkpoints. When an awaited write returns, it is on disk."""

import asyncio
import contextlib
import hashlib
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from threading import Thread
from typing import Any, Concatenate, ParamSpec, TypeVar, cast
from weakref import WeakSet

from sqlalchemy import (
    URL,
    Connection,
    Executable,
    Table,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)  # fmt: skip
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Engine, ExceptionContext, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, InvalidatePoolError, NoResultFound, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncSession, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from sparring.engine.folders import access_problem
from sparring.engine.plugins import missing_extra
from sparring.monitoring import Histogram
from sparring.settings.secrets import random_id
from sparring.settings.sources import hide_passwords

from . import migrations
from .group_commit import AsyncCommits, CommitBackend, GroupCommitWriter, StaleWrite, StoreError, ThreadCommits, Work
from .migrations import migrate, newest, revision_of
from .schema import (
    ApplauseRow,
    Base,
    ChallengeRow,
    ChangeRow,
    ChatLineRow,
    CheckpointRow,
    ContentRow,
    HalfInvitationRow,
    ResultRow,
    SeatRow,
    ServerIdRow,
    TableRow,
)  # fmt: skip

P = ParamSpec("P")
T = TypeVar("T")

#: Rated tables.
RATED = TableRow.settings.contains('"rated":true')
#: The drivers, by how addresses without one begin.
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
#: Connections besides SQLite's writing one. A read keeps its connection for several turns of the event loop, so that
#: a busy loop needs many. With SQLite each costs a thread; PostgreSQL usually allows 100 for all processes together.
CONNECTIONS = {"sqlite": 20, "postgresql": 5}
#: How long to wait for a connection (seconds). When thousands of clients reconnect at once, it is better to wait than
#: to refuse them.
CONNECTION_TIMEOUT = 30

#: The time limits of a server with PostgreSQL (seconds): for its answer to anything, for a connection, and how long one
#: may be idle before it is tested. A connection that gives no answer is closed, with all others from before.
PATIENCE, CONNECTING, IDLE = 4.0, 3.0, 2.0
#: The limits that PostgreSQL itself keeps (ms). It also ends transactions of silent clients, which frees their locks.
SERVER_LIMITS = {
    "lock_timeout": "3000", "statement_timeout": "4000", "idle_in_transaction_session_timeout": "5000",
    "tcp_keepalives_idle": "2", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "3",
}  # fmt: skip
#: The arguments of a connection with these limits.
LIMITS = {"timeout": CONNECTING, "command_timeout": PATIENCE, "server_settings": SERVER_LIMITS}

TABLES = cast(Table, TableRow.__table__)


#: All rows that belong to a table, dependent ones first.
TABLE_ROWS: tuple[type[Any], ...] = (
    ApplauseRow, ChatLineRow, ResultRow, SeatRow, CheckpointRow, ChangeRow, ChallengeRow,
)  # fmt: skip

#: Tables at which no person has a seat or nothing was played.
UNUSED = (TableRow.choices == b"") | TableRow.id.not_in(select(SeatRow.table_id).where(SeatRow.person.is_not(None)))


class NoDatabase(StoreError):
    """There is no database where the settings say."""


class AlreadyCreated(StaleWrite):
    """A repeated request has created this row before."""


class Database:
    """The database of a server."""

    def __init__(self, url: str, *, limited: bool = False) -> None:
        """With `limited`, PostgreSQL has to answer in time; migrations and backups may take long."""
        self.limits = LIMITS if limited and read_url(url).drivername == DRIVERS["postgresql"] else {}
        self.engine = _engine(url, self.limits)
        self._threads = WeakSet[Thread]()
        self.file = migrations.file_of(self.engine.url)
        if is_sqlite(self.engine):
            event.listen(self.engine.sync_engine, "connect", self._note_thread, insert=True)
        # Reads see what others commit meanwhile in any case. So with PostgreSQL they are no transactions, which would
        # take two more statements.
        self._reads = (
            self.engine if is_sqlite(self.engine) else self.engine.execution_options(isolation_level="AUTOCOMMIT")
        )
        #: How long reads took, and how long they waited for a connection before.
        self.durations, self.waits = Histogram(), Histogram()
        #: When the reads began that still wait for a connection.
        self._waiting: dict[object, float] = {}
        self.writer = GroupCommitWriter(_writing(self.engine))

    async def open(self, *, create: bool = True) -> str:
        """Open the database; with `create`, create it or migrate it to this version's schema first.

        Return a sentence about what was done, if anything. Raise NoDatabase if there is none, and StoreError if it
        can't be used.
        """
        try:
            return await self._opened(create=create)
        except StoreError:
            await self.close()
            raise
        except (DatabaseError, sqlite3.Error, OSError) as problem:
            await self.close()
            raise StoreError(f"The database {self.name} can't be opened: {reason(problem)}.") from None

    async def _opened(self, *, create: bool) -> str:
        if self.file and (denied := access_problem(self.file)):  # SQLite would open it, and refuse to write later
            raise StoreError(denied)
        revision = await self.revision()
        if revision == newest():
            return ""
        if revision is not None and revision > newest():
            raise StoreError(f"The database {self.name} was made by a newer version of Sparring.")
        if not create and revision is None:
            raise NoDatabase(f"There is no server's database at {self.name}")
        if not create:
            raise StoreError(f"The database {self.name} is of an earlier version. Start the server once to upgrade it.")
        if self.file is None:
            async with self.engine.begin() as connection:
                await connection.run_sync(migrate)
        elif migrations.is_missing(self.file):
            migrations.create(self.file, migrate)
        else:
            return migrations.upgrade(self.file)
        return f"The new database is {self.name}." if revision is None else "The database was upgraded."

    @property
    def shared(self) -> bool:
        """Return whether other processes may serve the same tables: with PostgreSQL, not with SQLite."""
        return not is_sqlite(self.engine)

    @property
    def name(self) -> str:
        """Return the file of the database, or its address without the password."""
        return str(self.file) if self.file else hide_passwords(str(self.engine.url))

    async def revision(self) -> str | None:
        """Return the revision of the database's schema; None if there is no database of a server."""
        if self.file and migrations.is_missing(self.file):
            return None
        async with self.engine.connect() as connection:
            return await connection.run_sync(revision_of)

    async def server_id(self) -> str:
        """Return the random id of the server; the first call stores it, in one process only."""
        async with self.reading() as session:
            known = await session.scalar(select(ServerIdRow.value))
        return await self.transaction(_first_server_id) if known is None else str(known)

    async def close(self) -> None:
        """Finish pending writes and close the database."""
        await self.writer.close()
        await self.engine.dispose()
        # A cancelled query leaves a driver thread that still has to deliver its result: wait, so that it doesn't find a
        # closed event loop.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CONNECTION_TIMEOUT):
                while any(thread.is_alive() for thread in self._threads):  # noqa: ASYNC110 - a thread has no event
                    await asyncio.sleep(0.01)

    def _note_thread(self, connection: Any, _record: Any) -> None:
        """Remember the thread of a connection: SQLite's driver has one for each, and doesn't report when it ends."""
        thread = getattr(connection.driver_connection, "_thread", None)
        if thread is not None:
            self._threads.add(thread)

    async def transaction(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction of its own, with the connection and these arguments; return its value."""
        return await self.writer.transaction(lambda connection: work(connection, *args, **kwargs))

    async def execute(self, statement: Executable) -> int:
        """Execute one statement in a transaction of its own; return how many rows it changed."""
        return await self.transaction(lambda connection: connection.execute(statement).rowcount)

    async def add(self, row: TableRow, toml: str | None = None, also: Work | None = None) -> int:
        """Insert a new table, with its content file; return how long that is if it is new.

        `also` is written in the same transaction. Raise AlreadyCreated if there is a table with this id.
        """
        row.created = row.changed = row.attended = int(time.time())
        if toml is not None:
            row.content = hashlib.blake2b(toml.encode(), digest_size=16).hexdigest()
        return await self.transaction(_insert_table, row, toml, also)

    async def count(self, kind: type[Base], *conditions: Any) -> int:
        """Return how many rows of a kind fulfil all conditions."""
        async with self.reading() as session:
            return (await session.scalars(select(func.count()).select_from(kind).where(*conditions))).one()

    async def size(self) -> int:
        """Return how many bytes the database takes up, without what it can reuse in SQLite's file."""
        sqlite_size = "(page_count - freelist_count) * page_size FROM "
        sqlite_size += ", ".join(f"pragma_{name}()" for name in ("page_count", "freelist_count", "page_size"))
        size = sqlite_size if is_sqlite(self.engine) else "pg_database_size(current_database())"
        async with self.reading() as session:
            return int((await session.scalars(text(f"SELECT {size}"))).one())

    async def load(self, table: str) -> TableRow | None:
        """Return a table by its id."""
        async with self.reading() as session:
            return await session.get(TableRow, table)

    async def content(self, digest: str) -> str:
        """Return the content file with a digest."""
        async with self.reading() as session:
            return (await session.get_one(ContentRow, digest)).toml

    async def checkpoints(self, table: str) -> Sequence[bytes]:
        """Return the checkpoints of a table, in order."""
        query = select(CheckpointRow.courses).where(CheckpointRow.table_id == table).order_by(CheckpointRow.number)
        async with self.reading() as session:
            return (await session.scalars(query)).all()

    async def save_checkpoint(self, table: str, number: int, courses: bytes) -> None:
        """Store a checkpoint of a table, replacing any earlier one with this number."""
        await self.transaction(_save_checkpoint, CheckpointRow(table_id=table, number=number, courses=courses))

    async def write(
        self, table: str, row_version: int, also: Work | None = None, seats: Mapping[int, dict[str, Any]] = {}, /,
        **values: Any,
    ) -> None:  # fmt: skip
        """Update a table at a known row version, and columns of its seats; raise StaleWrite if it changed.

        Run `also` in the same transaction.
        """

        def work(connection: Connection) -> None:
            changed = {"changed": int(time.time()), **values, "row_version": row_version + 1}
            if not connection.execute(CHANGE, {"known": table, "known_row_version": row_version, **changed}).rowcount:
                raise StaleWrite("The table has just changed. Please try again.")
            for seat, columns in seats.items():
                where = (SeatRow.table_id == table) & (SeatRow.seat == seat)
                connection.execute(update(SeatRow).where(where).values(columns))
            if also:
                also(connection)

        await self.writer.write(work, table)

    async def tables(self, limit: int, *, game: str | None = None, going_on: bool = False) -> Sequence[TableRow]:
        """Return the latest changed tables: all, of one game, or unfinished ones."""
        query = select(TableRow).order_by(TableRow.changed.desc(), TableRow.id).limit(limit)
        if game is not None:
            query = query.where(TableRow.game == game)
        if going_on:
            query = query.where(TableRow.over.is_(False))
        async with self.reading() as session:
            return (await session.scalars(query)).all()

    async def unfinished_count(self, creator: str, since: float) -> int:
        """Return how many unfinished tables of creators that begin with these digits have changed since then.

        An invitation to bring a half counts like the table that it becomes.
        """
        condition = opened_from(TableRow.creator, creator) & (TableRow.changed >= int(since)) & TableRow.over.is_(False)
        waiting = opened_from(HalfInvitationRow.creator, creator) & (HalfInvitationRow.made >= int(since))
        return await self.count(TableRow, condition) + await self.count(HalfInvitationRow, waiting)

    async def shrink(self) -> None:
        """Give the space of deleted rows back to the disk; PostgreSQL only keeps it for new rows."""
        if self.file:
            try:
                await asyncio.to_thread(migrations.shrink, self.file)
            except sqlite3.Error as problem:
                raise StoreError(f"The file {self.name} can't be made shorter: {problem}.") from problem

    def longest_wait(self) -> float:
        """Return how long reads have waited for a connection that still wait for one (seconds); 0 if none does."""
        return time.perf_counter() - min(self._waiting.values()) if self._waiting else 0.0

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Open a session for reading; raise StoreError if the database fails."""
        async with self.connected() as connection, AsyncSession(connection, expire_on_commit=False) as session:
            yield session

    @contextlib.asynccontextmanager
    async def connected(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection for reading: a query takes half as long as in a session. Raise StoreError likewise."""
        started = time.perf_counter()
        waiting = object()
        self._waiting[waiting] = started
        try:
            async with contextlib.AsyncExitStack() as stack:
                try:
                    connection = await stack.enter_async_context(self._reads.connect())
                finally:
                    self.waits.add(time.perf_counter() - self._waiting.pop(waiting))
                yield connection
            self.durations.add(time.perf_counter() - started)
        except NoResultFound:
            raise
        except (SQLAlchemyError, OSError) as problem:
            raise StoreError("The database can't be read right now. Please try again soon.") from problem


#: Update a table at a known row version; the values name the columns.
CHANGE = update(TABLES).where(TABLES.c.id == bindparam("known"), TABLES.c.row_version == bindparam("known_row_version"))


def opened_from(column: Any, creator: str) -> Any:
    """Return the condition that a creator begins with these hexadecimal digits, which an index can answer."""
    return column.between(creator, creator + "g")


def _first_server_id(connection: Connection) -> str:
    row = insert_new(connection, ServerIdRow).values(id=1, value=random_id(16))
    connection.execute(row.on_conflict_do_nothing())
    return connection.scalars(select(ServerIdRow.value)).one()


def _insert_table(connection: Connection, row: TableRow, toml: str | None, also: Work | None) -> int:
    known = select(ContentRow.digest).where(ContentRow.digest == row.content)
    added = 0
    if toml and not connection.execute(known).first():
        connection.execute(insert(ContentRow).values(digest=row.content, toml=toml))
        added = len(toml)
    insert_first(connection, row)
    for seat in row.seats:
        connection.execute(insert(SeatRow).values({**row_values(seat), "table": row.id}))
    if also:
        also(connection)
    return added


def _save_checkpoint(connection: Connection, row: CheckpointRow) -> None:
    condition = (CheckpointRow.table_id == row.table_id) & (CheckpointRow.number == row.number)
    connection.execute(delete(CheckpointRow).where(condition))
    connection.execute(insert(CheckpointRow).values(row_values(row)))


def insert_new(connection: Connection, kind: type[Any]) -> Any:
    """Return an insert that supports `on_conflict`, in the dialect of the connection."""
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(kind)


def insert_first(connection: Connection, row: Base) -> None:
    """Insert a row; raise AlreadyCreated if there is one with its id, which a repeated request has inserted."""
    added = insert_new(connection, type(row)).values(row_values(row)).on_conflict_do_nothing(index_elements=["id"])
    if not connection.execute(added).rowcount:
        raise AlreadyCreated("This has been created already.")


def row_values(row: Base) -> dict[str, Any]:
    """Return the columns of a row to insert, without those that aren't set or weren't read."""
    columns = {attribute.key: attribute.columns[0].name for attribute in inspect(type(row)).column_attrs}
    known = inspect(row).dict
    return {name: known[key] for key, name in columns.items() if known.get(key) is not None}


def read_url(url: str) -> URL:
    """Return the parts of a database's address; the sentence of an error doesn't quote it, as it has a password.

    An address without a driver gets the one that the server works with. Others would serve pages, but not notices.
    """
    try:
        address = make_url(url)
        driver = DRIVERS.get(address.drivername, address.drivername)
        if driver not in DRIVERS.values():
            raise ValueError
        return address.set(drivername=driver)
    except (ArgumentError, ValueError):
        raise StoreError(
            "The database's address can't be used. Write `sqlite:///FILE` or "
            "`postgresql://USER:PASSWORD@HOST/DATABASE`, with `%40` for an `@` in the password."
        ) from None


def lock(url: str) -> contextlib.AbstractContextManager[None]:
    """Lock an SQLite database against other servers; other databases need no lock."""
    file = migrations.file_of(read_url(url))
    return migrations.locked(file) if file else contextlib.nullcontext()


def _engine(url: str, limits: dict[str, Any]) -> AsyncEngine:
    wait = 2 * PATIENCE if limits else CONNECTION_TIMEOUT
    try:
        address = read_url(url)
        size = CONNECTIONS["sqlite" if address.get_backend_name() == "sqlite" else "postgresql"]
        engine = create_async_engine(address, pool_size=size, max_overflow=0, pool_timeout=wait, connect_args=limits)
    except (ArgumentError, ModuleNotFoundError, SQLAlchemyError) as problem:
        if getattr(problem, "name", None) == "asyncpg":
            raise StoreError(missing_extra("PostgreSQL needs more packages", "postgres")) from None
        raise StoreError(f"The database's address can't be used: {reason(problem)}.") from None
    if is_sqlite(engine):
        migrations.prepare(engine.sync_engine)
    if limits:
        _notice_silence(engine.sync_engine)
    return engine


def _notice_silence(engine: Engine) -> None:
    """Close all connections when one doesn't answer in time, and test those that were idle before they are used."""

    @event.listens_for(engine, "handle_error")
    def _(context: ExceptionContext) -> None:
        if isinstance(context.original_exception, TimeoutError) and context.connection is not None:
            driver: Any = context.connection.connection.driver_connection
            driver.terminate()
            context.is_disconnect = True

    @event.listens_for(engine, "checkin")
    def _(_connection: Any, record: ConnectionPoolEntry) -> None:
        record.info["used"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def _(connection: Any, record: ConnectionPoolEntry, _: Any) -> None:
        if time.monotonic() - record.info.get("used", float("inf")) > IDLE:
            try:
                connection.run_async(lambda driver: driver.execute("SELECT 1", timeout=PATIENCE / 2))
            except Exception as problem:
                connection.driver_connection.terminate()
                raise InvalidatePoolError from problem


def is_sqlite(engine: AsyncEngine) -> bool:
    """Return whether the database is SQLite."""
    return engine.dialect.name == "sqlite"


def _writing(engine: AsyncEngine) -> CommitBackend:
    """Return the commit backend for an engine."""
    if not is_sqlite(engine):
        return AsyncCommits(engine)
    writing_engine = create_engine(engine.url.set(drivername="sqlite"), pool_reset_on_return=None)
    migrations.prepare(writing_engine)
    return ThreadCommits(writing_engine)


def reason(problem: BaseException) -> str:
    """Return the database's error message, to put into a sentence."""
    return str(getattr(problem, "orig", None) or problem).splitlines()[0].rstrip(".")
