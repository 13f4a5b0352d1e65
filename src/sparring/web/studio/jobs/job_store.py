"""A store of long-running jobs: each is started once, and the newest results are kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine, Hashable
from typing import Any, Generic, Protocol, TypeVar

from sparring.web.security.rate_limits import TooMany

#: The most jobs of a kind kept.
KEPT = 40


class StoredJob(Protocol):
    """A job that a person requested."""

    who: str

    @property
    def problem(self) -> str:
        """Return why the job failed; empty otherwise."""

    @property
    def is_done(self) -> bool:
        """Return whether the job has finished or failed."""


class JobProgress(Protocol):
    """The progress of a job."""

    @property
    def problem(self) -> str:
        """Return why the job failed; empty otherwise."""

    @property
    def is_over(self) -> bool:
        """Return whether the job has finished or failed."""


Progress = TypeVar("Progress", bound=JobProgress)


class ProgressJob(Generic[Progress]):
    """A job with progress, finished or not."""

    def __init__(self, who: str, progress: Progress) -> None:
        self.who, self.progress = who, progress

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


P = TypeVar("P", bound=StoredJob)


class JobStore(Generic[P]):
    """All jobs of a kind, by subject."""

    def __init__(self, most: int, another: str, too_many: str) -> None:
        """Allow `most` unfinished jobs, and one per person. `another` and `too_many` are the errors beyond that."""
        self._most, self._another, self._too_many = most, another, too_many
        self._jobs: OrderedDict[Hashable, P] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def get(self, subject: Hashable) -> P | None:
        """Return the job of a subject, or None."""
        return self._jobs.get(subject)

    def needs_starting(self, subject: Hashable, who: str) -> bool:
        """Return whether a job needs starting. Raises TooMany if a limit is reached."""
        job = self.get(subject)
        if job and not job.problem:
            return False
        running = [one for one in self._jobs.values() if not one.is_done]
        if any(one.who == who for one in running):
            raise TooMany(self._another)
        if len(running) >= self._most:
            raise TooMany(self._too_many)
        return True

    def start(self, subject: Hashable, job: P, work: Coroutine[Any, Any, None]) -> None:
        """Start a job and drop the oldest finished ones."""
        self._jobs[subject] = job
        self._jobs.move_to_end(subject)
        for key in [key for key, one in self._jobs.items() if one.is_done][: len(self._jobs) - KEPT]:
            del self._jobs[key]
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Cancel all jobs."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
