"""The one writer of a process: transactions one after the other, and group commit for the choices at tables.

When an awaited write returns, it is on disk. Queued writes share one transaction: each either makes all its changes or
raises an error before its first, so that it doesn't affect the others. Whatever is less frequent has a transaction of
its own, and may raise an error at any point.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from sparring.engine.errors import SparringError
from sparring.monitoring import Histogram

T = TypeVar("T")
Work = Callable[[Connection], None]

#: The most writes per commit, and the most that may wait.
MAX_BATCH = 200
MOST_WAITING = 5000
#: How often a transaction is run that PostgreSQL ends for another process's, and how it says so (SQLSTATE).
TRIES, ENDED_FOR_ANOTHER = 5, ("40001", "40P01")
#: When writes arrive together, how long to wait for more (seconds): a commit costs as much as ten writes.
GATHER_TIME = 0.008
#: This many writes within this time (seconds) also count as arriving together.
BURST, BURST_TIME = 16, 0.06


class StoreError(SparringError):
    """The database can't be used."""

    status = 503


NOT_NOW = "The database can't be written to right now, so nothing was changed. Please try again soon."


class StaleWrite(SparringError):
    """Another writer has changed the row since it was read."""

    status = 409


#: The refused writes of a commit, by their index.
FailedWorks = dict[int, StaleWrite]


class CommitBackend(Protocol):
    """Runs transactions in a database."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run a function in one transaction, which is rolled back if it raises; return its value."""

    async def close(self) -> None:
        """Close the database."""


class AsyncCommits:
    """Transactions with an asynchronous driver, such as PostgreSQL's."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run a function in one transaction, which is rolled back if it raises; return its value."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        """Do nothing: the engine belongs to the database, which also reads with it."""


class ThreadCommits:
    """Transactions of SQLite in a thread: one message each way per commit, instead of several per statement."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "writer")

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run a function in one transaction, which is rolled back if it raises; return its value."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, work)

    def _run(self, work: Callable[[Connection], T]) -> T:
        with self._engine.begin() as connection:
            return work(connection)

    async def close(self) -> None:
        """Close the file and end the thread."""
        self._thread.shutdown()
        self._engine.dispose()


class QueuedWrite(NamedTuple):
    """A write that waits for a commit."""

    work: Work
    subject: str
    done: asyncio.Future[None]


def _run_all(works: Sequence[Work], connection: Connection) -> FailedWorks:
    """Run all writes and return the refused ones."""
    refused: FailedWorks = {}
    for index, work in enumerate(works):
        try:
            work(connection)
        except StaleWrite as problem:
            refused[index] = problem
    return refused


def _exclusively(work: Callable[[Connection], T], connection: Connection) -> T:
    """Run a function, with SQLite's database locked from the beginning, so that no row changes after it was read.

    The first statement of a queued write changes a row, which locks the database anyway.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    return work(connection)


class GroupCommitWriter:
    """Runs one transaction at a time: a group of queued writes, or a function alone."""

    def __init__(self, backend: CommitBackend) -> None:
        self._backend = backend
        #: What to write, about which subject, and the future of who waits for it.
        self._waiting: list[QueuedWrite] = []
        self._task: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self._transactions: set[asyncio.Task[Any]] = set()
        #: Arrival times of the last writes (by the event loop's clock).
        self._arrivals: deque[float] = deque([float("-inf")] * BURST, maxlen=BURST)
        #: The number of commits so far.
        self.commits = 0
        self.durations = Histogram()

    @property
    def waiting(self) -> int:
        """Return how many writes wait for a commit, with functions that run."""
        return len(self._waiting) + len(self._transactions)

    async def write(self, work: Work, subject: str = "") -> None:
        """Commit a write. Once queued it is carried out, even if the caller is cancelled.

        Writes are carried out in the order of their subjects (ids of tables), so that processes lock rows in one order.
        """
        self._check_waiting()
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        self._waiting.append(QueuedWrite(work, subject, done))
        self._arrivals.append(loop.time())
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_all())
        await done

    async def transaction(self, work: Callable[[Connection], T]) -> T:
        """Run a function in a transaction of its own, which is rolled back if it raises; return its value.

        Once called it is carried out, even if the caller is cancelled.
        """
        self._check_waiting()
        task = asyncio.create_task(self._transaction(work))
        self._transactions.add(task)
        task.add_done_callback(self._transactions.discard)
        return await asyncio.shield(task)

    def _check_waiting(self) -> None:
        if self.waiting >= MOST_WAITING:
            raise StoreError(NOT_NOW)

    async def close(self) -> None:
        """Finish the queued writes and close the database."""
        await self.finish()
        await self._backend.close()

    async def finish(self) -> None:
        """Wait until nothing is left to write."""
        while tasks := [task for task in (self._task, *self._transactions) if task and not task.done()]:
            await asyncio.wait(tasks)

    async def _transaction(self, work: Callable[[Connection], T]) -> T:
        try:
            async with self._lock:
                return await self._run(partial(_exclusively, work))
        except (SQLAlchemyError, OSError) as problem:
            raise StoreError(NOT_NOW) from problem

    async def _run(self, work: Callable[[Connection], T], tries: int = TRIES) -> T:
        for attempt in range(1, tries + 1):
            started = time.perf_counter()
            try:
                value = await self._backend.run(work)
            except DBAPIError as problem:
                if attempt == tries or not _is_ended_for_another(problem):
                    raise
            else:
                break
        self.commits += 1
        self.durations.add(time.perf_counter() - started)
        return value

    async def _write_all(self) -> None:
        while self._waiting:
            async with self._lock:
                batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
                batch.sort(key=lambda entry: entry.subject)
                if not await self._commit(batch):
                    for entry in batch:  # one of them failed: commit each on its own
                        await self._commit([entry])
            if len(batch) > 1 or self._arrivals[0] > asyncio.get_running_loop().time() - BURST_TIME:
                await asyncio.sleep(GATHER_TIME)

    async def _commit(self, batch: list[QueuedWrite]) -> bool:
        """Commit some writes together; return False if a group failed and was rolled back."""
        try:
            works = [entry.work for entry in batch]
            refused = await self._run(partial(_run_all, works), TRIES if len(batch) == 1 else 1)
        except Exception as problem:  # noqa: BLE001 - the waiting callers must get any error
            if len(batch) > 1 and not _affects_all(problem):
                return False
            error = StoreError(NOT_NOW) if isinstance(problem, SQLAlchemyError | OSError) else problem
            error.__cause__ = problem if error is not problem else None
            for entry in batch:
                _resolve(entry.done, error)
            return True
        for index, entry in enumerate(batch):
            _resolve(entry.done, refused.get(index))
        return True


def _affects_all(problem: Exception) -> bool:
    """Return whether every write would fail: the file is locked or full, or the database server is down."""
    if isinstance(problem, DBAPIError):
        alone = isinstance(problem, IntegrityError) or _is_bad_value(problem) or _is_ended_for_another(problem)
        return not alone
    return isinstance(problem, OSError | TimeoutError)


def _is_ended_for_another(problem: DBAPIError) -> bool:
    """Return whether PostgreSQL ended a transaction because it and another one waited for each other."""
    return getattr(problem.orig, "sqlstate", "") in ENDED_FOR_ANOTHER


def _is_bad_value(problem: DBAPIError) -> bool:
    """Return whether PostgreSQL refused a value, such as a text with a null character (SQLSTATE class 22)."""
    return str(getattr(problem.orig, "sqlstate", "")).startswith("22")


def _resolve(done: asyncio.Future[None], problem: Exception | None) -> None:
    """Deliver the outcome of a write, unless its caller was cancelled."""
    if done.cancelled():
        return
    if problem is None:
        done.set_result(None)
    else:
        done.set_exception(problem)
