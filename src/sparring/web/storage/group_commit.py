"""One writer at a time: what is to be written waits in a row, and what waits together is committed together.

Whoever awaits a piece of work here has it on the disk afterwards. A piece either changes all that it wants or raises
an error before it changed anything, so that the others of the same commit are none the worse for it.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from sparring.engine.errors import SparringError

Work = Callable[[Connection], None]

#: How many pieces of work go into one commit at most, and how many may wait.
TOGETHER = 200
MOST_WAITING = 5000
#: Where several come together, how long more of them are waited for (seconds): a commit costs as much as ten pieces.
GATHERING = 0.008
#: So do they where so many came within so long (seconds), though each may have come alone.
MANY, LATELY = 16, 0.06


class StoreError(SparringError):
    """A database that cannot be used."""


NOT_NOW = "Nothing can be written at the moment, so nothing was changed. Please try again soon."


class StaleWrite(SparringError):
    """Somebody else has written the same table since it was read."""


#: Which of several pieces of work were refused, by their place.
FailedWorks = dict[int, StaleWrite]


class CommitBackend(Protocol):
    """How several pieces of work come into a database as one commit."""

    async def commit(self, works: Sequence[Work]) -> FailedWorks:
        """Carry all of them out."""

    async def close(self) -> None:
        """Let go of the database."""


class AsyncCommits:
    """By a driver that waits by itself, as PostgreSQL's."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def commit(self, works: Sequence[Work]) -> FailedWorks:
        """Carry all of them out."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(_carry_out, works)

    async def close(self) -> None:
        """The engine is the store's, which also reads by it."""


class ThreadCommits:
    """SQLite, in a thread of its own: a commit is one message there and one back, and not two for each statement."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, "writer")

    async def commit(self, works: Sequence[Work]) -> FailedWorks:
        """Carry all of them out."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, works)

    def _commit(self, works: Sequence[Work]) -> FailedWorks:
        with self._engine.begin() as connection:
            return _carry_out(connection, works)

    async def close(self) -> None:
        """Let go of the file, and end the thread."""
        self._thread.shutdown()
        self._engine.dispose()


def _carry_out(connection: Connection, works: Sequence[Work]) -> FailedWorks:
    refused: FailedWorks = {}
    for place, work in enumerate(works):
        try:
            work(connection)
        except StaleWrite as problem:
            refused[place] = problem
    return refused


class GroupCommitWriter:
    """Writes to a database, one commit after the other."""

    def __init__(self, way: CommitBackend) -> None:
        self._way = way
        self._waiting: list[tuple[Work, asyncio.Future[None]]] = []
        self._task: asyncio.Task[None] | None = None
        #: When the last pieces of work came (by the loop's clock).
        self._came: deque[float] = deque([float("-inf")] * MANY, maxlen=MANY)
        #: How many commits there were.
        self.commits = 0

    async def write(self, work: Work) -> None:
        """Do a piece of work. Once begun it is carried to its end, even if whoever waits for it goes away."""
        if len(self._waiting) >= MOST_WAITING:
            raise StoreError(NOT_NOW)
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        self._waiting.append((work, done))
        self._came.append(loop.time())
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_all())
        await done

    async def close(self) -> None:
        """Finish what waits, and let go of the database."""
        await self.finish()
        await self._way.close()

    async def finish(self) -> None:
        """Wait until all is written that waits for it."""
        while self._task is not None and not self._task.done():
            await asyncio.wait([self._task])

    async def _write_all(self) -> None:
        while self._waiting:
            pieces, self._waiting = self._waiting[:TOGETHER], self._waiting[TOGETHER:]
            if not await self._commit(pieces):
                for piece in pieces:  # one of them is to blame: each for itself
                    await self._commit([piece])
            if len(pieces) > 1 or self._came[0] > asyncio.get_running_loop().time() - LATELY:
                await asyncio.sleep(GATHERING)

    async def _commit(self, pieces: list[tuple[Work, asyncio.Future[None]]]) -> bool:
        """Carry out some pieces in one commit; False if one of several cannot be, and all are as before."""
        try:
            refused = await self._way.commit([work for work, _ in pieces])
            self.commits += 1
        except Exception as problem:  # noqa: BLE001 - whatever it is, those who wait must hear of it
            if len(pieces) > 1 and not _is_closed_to_all(problem):
                return False
            answer = StoreError(NOT_NOW) if isinstance(problem, SQLAlchemyError | OSError) else problem
            answer.__cause__ = problem if answer is not problem else None
            for _, done in pieces:
                _tell(done, answer)
            return True
        for place, (_, done) in enumerate(pieces):
            _tell(done, refused.get(place))
        return True


def _is_closed_to_all(problem: Exception) -> bool:
    """Whether nobody could write: the file is locked or full, the server away."""
    return (
        isinstance(problem, OSError)
        or (isinstance(problem, DBAPIError) and not isinstance(problem, IntegrityError))
        or isinstance(problem, TimeoutError)
    )


def _tell(done: asyncio.Future[None], problem: Exception | None) -> None:
    """Say how it went to whoever waits; who has gone away meanwhile need not hear it."""
    if done.cancelled():
        return
    if problem is None:
        done.set_result(None)
    else:
        done.set_exception(problem)
