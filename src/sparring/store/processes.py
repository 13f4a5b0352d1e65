"""What the processes of a server share: who is present where, what each last reported, rate limits, and jobs.

The process that runs a job writes its state every second and at its end, so that all find it. SQLite serves one
process: there, nothing of jobs is written.
"""

import asyncio
import contextlib
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable, Mapping
from importlib.metadata import version
from statistics import median
from typing import Any, Generic, NamedTuple, Protocol, TypeVar, cast

import msgspec
from sqlalchemy import BigInteger, Connection, Table, case, delete, insert, literal_column, select, update

from sparring.engine.messages import reading_in
from sparring.settings.secrets import random_id
from sparring.settings.server import SteadyClock

from .database import Database, insert_new
from .group_commit import StoreError
from .schema import JobStateRow, ProcessReportRow, ProcessRow, RateLimitRow
from .transactions import Store, transaction

#: The database's clock in ms since 1970, by dialect.
CLOCKS = {
    "postgresql": "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)",
    "sqlite": "CAST((julianday('now') - 2440587.5) * 86400000 AS integer)",
}
#: How far from now a beat may be before the row is deleted (ms); one in the future is from before the clock was set.
GONE = 60_000
#: How old the beat of a process may be whose time a new one adopts (ms), if that differs by more than this (seconds):
#: less may be an error of the measurement, and each turn has more free time.
ALIVE, DIFFERENT = 5_000, 0.25


class ProcessPeople(NamedTuple):
    """Who is connected to a process (JSON), and how far its beat is from now (seconds)."""

    people: str
    age: float


class ProcessStore(Store):
    """The processes in the database of a server."""

    @transaction
    def exchange(
        self, connection: Connection, process: str, people: str, now: Callable[[], float], *, changed: bool
    ) -> Mapping[str, ProcessPeople]:
        """Write a process's beat and, if they have `changed`, its people; return those of the others.

        Delete the rows of processes that are gone. `now` is the process's clock.
        """
        clock = _clock(connection.dialect.name)
        values = {"beat_at": clock, "ahead": int(1000 * now()) - clock, **({"people": people} if changed else {})}
        if not connection.execute(update(ProcessRow).where(ProcessRow.id == process).values(values)).rowcount:
            connection.execute(insert(ProcessRow).values({**values, "id": process, "people": people}))
        others = select(ProcessRow.id, ProcessRow.people, (clock - ProcessRow.beat_at).label("age"))
        rows = connection.execute(others.where(ProcessRow.id != process)).all()
        if gone := [row.id for row in rows if abs(row.age) > GONE]:
            # Skip those that another process is deleting or writing: two processes could wait for each other.
            free = select(ProcessRow.id).where(ProcessRow.id.in_(gone)).with_for_update(skip_locked=True)
            connection.execute(delete(ProcessRow).where(ProcessRow.id.in_(free)))
        return {row.id: ProcessPeople(row.people, abs(row.age) / 1000) for row in rows if row.id not in gone}

    async def adopt_time(self, clock: SteadyClock) -> bool:
        """At a process's start, set its clock to the time of those that run: it may be on another machine.

        Return whether there are any.
        """
        database, measured = _clock(self._store.engine.dialect.name), list[tuple[float, float]]()
        alive = (database - ProcessRow.beat_at).between(-ALIVE, ALIVE)
        async with self._store.reading() as session:
            for _ in range(5):
                before = clock()
                at, after = (await session.scalars(select(database))).one() / 1000, clock()
                measured.append((after - before, (before + after) / 2 - at))
            others = (await session.scalars(select(ProcessRow.ahead).where(alive))).all()
        own = min(measured)[1]  # of the quickest answer
        if others and abs(behind := median(others) / 1000 - own) > DIFFERENT:
            clock.offset += behind
        return bool(others)

    async def leave(self, process: str) -> None:
        """Delete the row of a process that ends."""
        await self._store.execute(delete(ProcessRow).where(ProcessRow.id == process))


def _clock(dialect: str) -> Any:
    return literal_column(CLOCKS[dialect], BigInteger)


#: How long a report counts (ms): a process that hasn't written for so long is gone.
FRESH = 30_000


class ProcessReportStore(Store):
    """The reports of all processes."""

    @transaction
    def write(self, connection: Connection, process: str, report: str) -> None:
        """Write a process's report, and delete those of processes that are gone."""
        now = time.time_ns() // 1_000_000
        old = (ProcessReportRow.process == process) | ~ProcessReportRow.at.between(now - FRESH, now + FRESH)
        connection.execute(delete(ProcessReportRow).where(old))
        connection.execute(insert(ProcessReportRow).values(process=process, at=now, report=report))

    async def read(self) -> dict[str, str]:
        """Return the reports of all running processes."""
        now = time.time_ns() // 1_000_000
        fresh = ProcessReportRow.at.between(now - FRESH, now + FRESH)
        query = select(ProcessReportRow.process, ProcessReportRow.report).where(fresh)
        return {row.process: row.report for row in await self._rows(query)}


ROWS = cast(Table, RateLimitRow.__table__)


class RateLimitUse(NamedTuple):
    """How much of an allowance was used, in ms until it recovers, and how much half of it would be."""

    used: int
    half: int


class RateLimitStore(Store):
    """The rate limits in the database of a server; times are ms since 1970."""

    @transaction
    def use(self, connection: Connection, used: Mapping[str, RateLimitUse], now: int) -> None:
        """Add this process's use to the shared counters, and delete counters that have recovered."""
        connection.execute(delete(ROWS).where(ROWS.c.full_at <= now))
        for key, use in sorted(used.items()):
            _add(connection, key, use, now)

    async def begin(self, now: int) -> None:
        """At a process's start, cap what would take twice as long as usual to recover: the clock was ahead before."""
        half = ROWS.c.full_at - ROWS.c.half_at
        ahead = update(ROWS).where(ROWS.c.full_at > now + 4 * half)
        await self._store.execute(ahead.values(full_at=now + 2 * half, half_at=now + half))

    async def nearly_exhausted(self, now: int) -> dict[str, int]:
        """Return when each allowance will be full again, if less than half of it is left."""
        rows = await self._rows(select(ROWS.c.key, ROWS.c.full_at).where(ROWS.c.half_at > now))
        return {row.key: row.full_at for row in rows}


def _add(connection: Connection, key: str, use: RateLimitUse, now: int) -> None:
    row = {"key": key, "full_at": now + use.used, "half_at": now + use.used - use.half}
    full_at: Any = case((ROWS.c.full_at > now, ROWS.c.full_at), else_=now) + use.used
    known = {"full_at": full_at, "half_at": full_at - use.half}
    added = insert_new(connection, RateLimitRow).values(row)
    connection.execute(added.on_conflict_do_update(index_elements=["key"], set_=known))


#: How often a running job is written (seconds), after how long without that its process is taken for dead (seconds by
#: the database's clock), and how many results of a kind are kept.
EVERY, DEAD, KEPT = 1.0, 10, 40

T = TypeVar("T")


class Job(Protocol):
    """A job: a struct, since its state is written."""

    @property
    def problem(self) -> str:
        """Return why the job failed; empty otherwise."""

    @property
    def is_done(self) -> bool:
        """Return whether the job has finished or failed."""


P = TypeVar("P", bound=Job)


class SharedStates(Store, Generic[T]):
    """The states of a kind, by subject."""

    def __init__(self, store: Database, kind: str, state: Any) -> None:
        """`state` is the type of a state."""
        super().__init__(store)
        self._kind, self._decoder = kind, msgspec.msgpack.Decoder(state)
        self._process = random_id(12)

    async def find(self, subject: Hashable) -> T | None:
        """Return the newest state of a subject that a living process has written, or None."""
        if not self._store.shared:
            return None
        now = _now(self._store.engine.dialect.name)
        found = select(JobStateRow.state).where(JobStateRow.id == self._id(subject), ~_dead(now))
        state = await self._first(found)
        return None if state is None else self._decoder.decode(state)

    async def keep(self, subject: Hashable, state: T) -> None:
        """Write a state, whatever was written before."""
        if self._store.shared:
            await self._put(self._id(subject), msgspec.msgpack.encode(state), succeeded=True)

    def _id(self, subject: Hashable) -> str:
        """Return the id of a subject's row: other versions write states that this one may not read."""
        named = version("sparring"), self._kind, subject
        return hashlib.blake2b(repr(named).encode(), digest_size=16).hexdigest()

    @transaction
    def _put(self, connection: Connection, number: str, state: bytes, *, succeeded: bool | None) -> bool:
        """Write a row; to begin a job (None), only if there is none that runs or has succeeded. Drop old results."""
        now = _now(connection.dialect.name)
        values = {"kind": self._kind, "process": self._process, "at": now, "state": state, "succeeded": succeeded}
        free = JobStateRow.succeeded.is_(False) | _dead(now) if succeeded is None else None
        row = insert_new(connection, JobStateRow).values(id=number, **values)
        row = row.on_conflict_do_update(index_elements=["id"], set_=values, where=free)
        written = bool(connection.execute(row).rowcount)
        over = JobStateRow.succeeded.is_not(None) | _dead(now)
        old = select(JobStateRow.id).where(JobStateRow.kind == self._kind, over).order_by(JobStateRow.at.desc())
        old = old.offset(KEPT).with_for_update(skip_locked=True)
        connection.execute(delete(JobStateRow).where(JobStateRow.id.in_(old)))
        return written


class SharedJobs(SharedStates[P]):
    """All jobs of a kind, by subject. Each is done once."""

    def __init__(self, store: Database, kind: str, job: Any) -> None:
        """`job` is the type of a job."""
        super().__init__(store, kind, job)
        #: The jobs of this process; if others find them in the database, only while they run.
        self.here: OrderedDict[Hashable, P] = OrderedDict()

    async def find(self, subject: Hashable) -> P | None:
        """Return the job of a subject, wherever it runs or ran, or None."""
        return self.here.get(subject) or await super().find(subject)

    async def claim(self, subject: Hashable, job: P) -> bool:
        """Return whether a job should be done here: unless it runs or has succeeded anywhere."""
        here = self.here.get(subject)
        if here is not None and not here.problem:
            return False
        return not self._store.shared or await self._put(self._id(subject), msgspec.msgpack.encode(job), succeeded=None)

    async def run(self, subject: Hashable, job: P, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do the work of a job that was claimed and is `here`. If it doesn't end, another process may claim it.

        What it reports is for readers of all languages.
        """
        with reading_in(None):
            await self._run(subject, job, work)

    async def _run(self, subject: Hashable, job: P, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if not self._store.shared:
            await work()
            return
        beat = asyncio.create_task(self._beat(subject, job, asyncio.current_task()))
        try:
            await work()
        finally:
            beat.cancel()
            with contextlib.suppress(StoreError):  # then the result stays here
                if job.is_done:
                    await self._update(subject, job)
                    self.here.pop(subject, None)
                else:
                    await self.drop(subject)

    async def drop(self, subject: Hashable) -> None:
        """Forget a job that was claimed."""
        self.here.pop(subject, None)
        if self._store.shared:
            await self._store.execute(delete(JobStateRow).where(self._own(subject)))

    async def _beat(self, subject: Hashable, job: P, work: "asyncio.Task[Any] | None") -> None:
        """Write the state of a job until the task is cancelled; end the work if another process does it now."""
        while work:
            await asyncio.sleep(EVERY)
            with contextlib.suppress(StoreError):
                if not await self._update(subject, job):
                    work.cancel()

    async def _update(self, subject: Hashable, job: P) -> int:
        values = {
            "at": _now(self._store.engine.dialect.name), "state": msgspec.msgpack.encode(job),
            "succeeded": not job.problem if job.is_done else None,
        }  # fmt: skip
        return await self._store.execute(update(JobStateRow).where(self._own(subject)).values(values))

    def _own(self, subject: Hashable) -> Any:
        row = JobStateRow
        return (row.id == self._id(subject)) & (row.process == self._process) & row.succeeded.is_(None)


def _now(dialect: str) -> Any:
    """Return the database's clock, in seconds."""
    return literal_column(CLOCKS[dialect], BigInteger) // 1000


def _dead(now: Any) -> Any:
    """Return the condition that a job's process is dead; a time in the future is from before the clock was set."""
    return JobStateRow.succeeded.is_(None) & ~JobStateRow.at.between(now - DEAD, now + DEAD)
