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
        """Why the job failed; empty otherwise."""

    @property
    def is_done(self) -> bool:
        """Whether the job has finished or failed."""


P = TypeVar("P", bound=StoredJob)


class JobStore(Generic[P]):
    """All jobs of a kind, by subject."""

    def __init__(self, most: int, another: str, very_many: str) -> None:
        """Allow `most` unfinished jobs, and one per person. `another` and `very_many` are the errors beyond that."""
        self._most, self._another, self._very_many = most, another, very_many
        self._known: OrderedDict[Hashable, P] = OrderedDict()
        self._tasks: set[asyncio.Task[None]] = set()

    def get(self, about: Hashable) -> P | None:
        """Return the job of a subject, or None."""
        return self._known.get(about)

    def needs_starting(self, about: Hashable, who: str) -> bool:
        """Return whether a job needs starting. Raises TooMany if a limit is reached."""
        known = self.get(about)
        if known and not known.problem:
            return False
        running = [one for one in self._known.values() if not one.is_done]
        if any(one.who == who for one in running):
            raise TooMany(self._another)
        if len(running) >= self._most:
            raise TooMany(self._very_many)
        return True

    def start(self, about: Hashable, piece: P, work: Coroutine[Any, Any, None]) -> None:
        """Start a job and drop the oldest finished ones."""
        self._known[about] = piece
        self._known.move_to_end(about)
        for key in [key for key, one in self._known.items() if one.is_done][: len(self._known) - KEPT]:
            del self._known[key]
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Cancel all jobs."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
