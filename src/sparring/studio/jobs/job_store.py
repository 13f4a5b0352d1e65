"""A store of long-running jobs: each is started once, and the newest results are kept."""

import asyncio
from collections import OrderedDict
from collections.abc import Coroutine, Hashable
from typing import Any, Generic, Protocol, TypeVar

from sparring.people.fair_queue import Who, current_caller, loser
from sparring.people.rate_limits import TooMany

#: The most jobs of a kind kept.
KEPT = 40


class StoredJob(Protocol):
    """A job that a person requested."""

    who: Who

    @property
    def problem(self) -> str:
        """Return why the job failed; empty otherwise."""

    @property
    def is_done(self) -> bool:
        """Return whether the job has finished or failed."""

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


class ProgressJob(Generic[Progress]):
    """A job with progress, finished or not."""

    def __init__(self, progress: Progress) -> None:
        self.who, self.progress = current_caller(), progress

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


class JobStore(Generic[P]):
    """All jobs of a kind, by subject."""

    def __init__(self, most: int, another: str, too_many: str) -> None:
        """Allow `most` unfinished jobs, and one per person. `another` and `too_many` are the errors beyond that.

        Beyond `most`, the address with the most jobs loses its newest one.
        """
        self._most, self._another, self._too_many = most, another, too_many
        self._jobs: OrderedDict[Hashable, P] = OrderedDict()
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    def get(self, subject: Hashable) -> P | None:
        """Return the job of a subject, or None."""
        return self._jobs.get(subject)

    def needs_starting(self, subject: Hashable) -> bool:
        """Return whether a job needs starting, and make room for it. Raises TooMany if a limit is reached."""
        job, who = self.get(subject), current_caller()
        if job and not job.problem:
            return False
        running = {one.who: key for key, one in self._jobs.items() if not one.is_done}
        if who in running or (who[-1] and who[-1] in {one[-1] for one in running}):
            raise TooMany(self._another)
        if len(running) >= self._most:
            losing = loser(running, who)
            if losing == who:
                raise TooMany(self._too_many)
            self._tasks[running[losing]].cancel()
            self._jobs[running[losing]].fail(self._too_many)
        return True

    def start(self, subject: Hashable, job: P, work: Coroutine[Any, Any, None]) -> None:
        """Start a job and drop the oldest finished ones."""
        self._jobs[subject] = job
        self._jobs.move_to_end(subject)
        for key in [key for key, one in self._jobs.items() if one.is_done][: len(self._jobs) - KEPT]:
            del self._jobs[key]
        task = self._tasks[subject] = asyncio.create_task(work)
        task.add_done_callback(lambda _: self._tasks.get(subject) is task and self._tasks.pop(subject))

    async def close(self) -> None:
        """Cancel all jobs."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
