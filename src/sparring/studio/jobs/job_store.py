"""A store of long-running jobs: each is started once, and the newest results are kept."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from sparring.people.fair_queue import Who, current_caller, loser
from sparring.people.rate_limits import TooMany
from sparring.store.database import Database
from sparring.store.processes import KEPT, Job, SharedJobs

from .job_pool import JobProcesses


class StoredJob(Job, Protocol):
    """A job that a person requested."""

    def fail(self, problem: str) -> None:
        """Record why the job was stopped."""


class JobProgress(Protocol):
    """The progress of a job."""

    def __init__(self, *, problem: str = "") -> None: ...

    @property
    def problem(self) -> str:
        """Return why the job failed; empty otherwise."""

    @property
    def is_over(self) -> bool:
        """Return whether the job has finished or failed."""


Progress = TypeVar("Progress", bound=JobProgress)


class ProgressJob(msgspec.Struct, Generic[Progress]):
    """A job with progress, finished or not."""

    progress: Progress

    @property
    def problem(self) -> str:
        """Return why the job failed; empty otherwise."""
        return self.progress.problem

    @property
    def is_done(self) -> bool:
        """Return whether the job has finished or failed."""
        return self.progress.is_over

    def report(self, progress: Progress) -> None:
        """Keep the newest progress."""
        self.progress = progress

    def fail(self, problem: str) -> None:
        """Record why the job was stopped."""
        self.progress = type(self.progress)(problem=problem)


P = TypeVar("P", bound=StoredJob)


class JobStore(SharedJobs[P]):
    """All jobs of a kind, by subject. The limits hold for each process."""

    #: The name of the kind, and the type of its jobs.
    kind: str
    job: Any
    #: The errors for a person with an unfinished job, and for the person with the most jobs when there are too many.
    another: str
    too_many: str

    def __init__(self, store: Database, processes: JobProcesses, most: int) -> None:
        """Allow `most` unfinished jobs, and one per person.

        Beyond `most`, the address with the most jobs loses its newest one.
        """
        super().__init__(store, self.kind, self.job)
        self._processes, self._most = processes, most
        #: The tasks of unfinished jobs, and who requested them.
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._who: dict[Hashable, Who] = {}

    async def start(self, subject: Hashable, job: P, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start a job unless it runs or has succeeded, and drop the oldest finished ones.

        Raises TooMany if a limit is reached.
        """
        if not await self.claim(subject, job):
            return
        try:
            self._make_room()
        except TooMany:
            await self.drop(subject)
            raise
        self.here[subject], self._who[subject] = job, current_caller()
        self.here.move_to_end(subject)
        for key in [key for key, one in self.here.items() if one.is_done][: len(self.here) - KEPT]:
            del self.here[key]
        task = self._tasks[subject] = asyncio.create_task(self.run(subject, job, work))

        def forget(_: object) -> None:
            if self._tasks.get(subject) is task:
                del self._tasks[subject], self._who[subject]

        task.add_done_callback(forget)

    def _make_room(self) -> None:
        who = current_caller()
        running = {one: key for key, one in self._who.items() if key in self.here and not self.here[key].is_done}
        if who in running or (who[-1] and who[-1] in {one[-1] for one in running}):
            raise TooMany(self.another)
        if len(running) >= self._most:
            losing = loser(running, who)
            if losing == who:
                raise TooMany(self.too_many)
            self._tasks[running[losing]].cancel()
            self.here[running[losing]].fail(self.too_many)

    async def close(self) -> None:
        """Cancel all jobs."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
