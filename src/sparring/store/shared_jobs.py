"""Jobs that all processes find: the one that runs a job writes its state to the database, every second and at its end.

SQLite serves one process: there, nothing is written.
"""

import asyncio
import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Hashable
from importlib.metadata import version
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from sqlalchemy import BigInteger, Connection, delete, literal_column, select, update

from sparring.settings.secrets import random_id

from .database import Database, insert_new
from .group_commit import StoreError
from .processes import CLOCKS
from .schema import JobStateRow
from .transactions import Store, transaction

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
        async with self._store.reading() as session:
            state = await session.scalar(found)
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
        """Do the work of a job that was claimed and is `here`. If it doesn't end, another process may claim it."""
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
