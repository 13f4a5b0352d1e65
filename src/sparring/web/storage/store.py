"""Reading and writing tables. Whoever awaits a write here has it on the disk afterwards."""

import asyncio
import hashlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Update, event, inspect, select, text, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine

from sparring.engine.errors import SparringError

from .schema import ContentRow, SeatRow, TableRow

HERE = Path(__file__).parent


class StoreError(SparringError):
    """A database that cannot be used."""


class Stale(SparringError):
    """Somebody else has written the same table since it was read."""


class Store:
    """The database of a server."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._session = async_sessionmaker(self.engine, expire_on_commit=False)
        self._writing: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Bring the database to the schema of this version, from nothing or from an older one."""
        try:
            async with self.engine.begin() as connection:
                revision = await connection.run_sync(_revision)
                if revision is None or revision < newest():
                    await connection.run_sync(_migrate)
        except (DatabaseError, OSError) as problem:
            await self.close()
            raise StoreError(f"The database {self.engine.url} cannot be opened: {_reason(problem)}.") from None
        if revision is not None and revision > newest():
            await self.close()
            raise StoreError(f"The database {self.engine.url} was made by a newer version of Sparring.")

    async def close(self) -> None:
        """Finish what is being written, and let go of the database."""
        await asyncio.gather(*self._writing, return_exceptions=True)
        await self.engine.dispose()

    async def add(self, row: TableRow, toml: str | None = None) -> None:
        """Keep a new table, with the content file it is played with."""
        if toml is not None:
            row.content = await self._keep_content(toml)
        row.created = row.changed = int(time.time())
        async with self._session.begin() as session:
            session.add(row)

    async def load(self, table: str) -> TableRow | None:
        """A table by its id."""
        async with self._session() as session:
            return await session.get(TableRow, table)

    async def content(self, digest: str) -> str:
        """The content file of that digest."""
        async with self._session() as session:
            return (await session.get_one(ContentRow, digest)).toml

    async def write(self, table: str, edition: int, **values: Any) -> None:
        """Change a table whose last edition is known; Stale if there is a newer one.

        Once begun it is carried to its end, even if whoever waits for it goes away.
        """
        task = asyncio.create_task(self._write(table, edition, values))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)
        await asyncio.shield(task)

    async def _write(self, table: str, edition: int, values: dict[str, Any]) -> None:
        async with self.engine.begin() as connection:
            await self._change(connection, table, edition, values)

    async def sit(self, table: str, edition: int, seat: int, person: str, name: str, versions: bytes) -> None:
        """Give an open seat to a person."""
        place = (SeatRow.table_id == table) & (SeatRow.seat == seat) & SeatRow.person.is_(None) & SeatRow.bot.is_(None)
        async with self.engine.begin() as connection:
            await self._change(connection, table, edition, {"versions": versions})
            if not (await connection.execute(update(SeatRow).where(place).values(person=person, name=name))).rowcount:
                raise Stale("Somebody else has just taken this seat.")

    async def tables_of(self, person: str, limit: int = 50) -> Sequence[TableRow]:
        """The tables at which a person sits, the latest first."""
        mine = select(SeatRow.table_id).where(SeatRow.person == person)
        async with self._session() as session:
            found = select(TableRow).where(TableRow.id.in_(mine)).order_by(TableRow.changed.desc()).limit(limit)
            return (await session.scalars(found)).all()

    async def unfinished(self, since: float, limit: int = 200) -> Sequence[str]:
        """Tables with a bot at which something happened since then and that are not over, the latest first."""
        bots = select(SeatRow.table_id).where(SeatRow.bot.is_not(None))
        found = select(TableRow.id).where(
            TableRow.over.is_(False), TableRow.changed >= int(since), TableRow.id.in_(bots)
        )
        async with self._session() as session:
            return (await session.scalars(found.order_by(TableRow.changed.desc()).limit(limit))).all()

    async def _change(self, connection: Any, table: str, edition: int, values: dict[str, Any]) -> None:
        changed = {**values, "edition": edition + 1, "changed": int(time.time())}
        if not (await connection.execute(_known(table, edition).values(changed))).rowcount:
            raise Stale("The table has moved on; look again.")

    async def _keep_content(self, toml: str) -> str:
        digest = hashlib.blake2b(toml.encode(), digest_size=16).hexdigest()
        try:
            async with self._session.begin() as session:
                if await session.get(ContentRow, digest) is None:
                    session.add(ContentRow(digest=digest, toml=toml))
        except IntegrityError:
            pass  # somebody brought the same file at the same moment
        return digest


def _known(table: str, edition: int) -> Update:
    return update(TableRow).where(TableRow.id == table, TableRow.edition == edition)


def _engine(url: str) -> AsyncEngine:
    try:
        engine = create_async_engine(url)
    except (ArgumentError, ModuleNotFoundError, SQLAlchemyError) as problem:
        raise StoreError(f"The database address {url} cannot be used: {_reason(problem)}.") from None
    if engine.dialect.name == "sqlite":
        _prepare_sqlite(engine)
    return engine


def _prepare_sqlite(engine: AsyncEngine) -> None:
    """Readers and a writer beside each other (WAL); a commit is on the disk when it returns (FULL)."""
    file = make_url(engine.url).database
    if file and file != ":memory:":
        Path(file).parent.mkdir(parents=True, exist_ok=True)

    @event.listens_for(engine.sync_engine, "connect")
    def _(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        try:
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
                cursor.execute(f"PRAGMA {pragma}")
        except BaseException:
            connection.close()  # nobody else does, as it was never handed out
            raise
        cursor.close()


def newest() -> str:
    """The revision of the schema of this version."""
    return max(file.name for file in (HERE / "versions").glob("[0-9]*.py")).partition("_")[0]


def _revision(connection: Connection) -> str | None:
    """The revision of the schema that the database has."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("select version_num from alembic_version")).scalar()


def _migrate(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _reason(problem: BaseException) -> str:
    return str(getattr(problem, "orig", None) or problem).splitlines()[0].rstrip(".")
