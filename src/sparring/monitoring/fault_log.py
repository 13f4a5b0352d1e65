"""The fault log: each kind of fault is logged once a minute, with its cause, a count, and an id that pages show.

Endless tasks of a process (`Loops`) report unexpected errors to it and start again.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sparring.engine.errors import SparringError
from sparring.settings.random_ids import random_id

log = logging.getLogger(__name__)

#: Marks messages that are counted here, so that the filter of the log (`server/security/logs.py`) lets them through.
COUNTED = {"counted": True}
#: How long faults of a kind share an entry, and how long an entry counts as recent (seconds).
MINUTE, RECENT = 60.0, 120.0
#: The most entries at a time; further causes share one entry for their kind.
MOST = 500
#: The longest cause in the log, in characters.
LONGEST = 300

#: The function of an endless task.
Work = Callable[[], Awaitable[None]]
#: The pause before a task starts again, and before one does that works every hour (seconds).
PAUSE, LONG_PAUSE = 1.0, 60.0


@dataclass
class Fault:
    """An entry of the log: faults of one kind with one cause, within a minute."""

    id: str
    kind: str
    cause: str
    started: float
    count: int = 0
    #: How many of them the log has reported.
    logged: int = 1

    def __str__(self) -> str:
        return f"{self.count} × {self.kind} (log entry {self.id})"


class FaultLog:
    """The faults of a process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._entries: dict[tuple[str, str], Fault] = {}
        #: All faults since the start, by kind.
        self.counts: Counter[str] = Counter()

    def report(self, kind: str, problem: BaseException | str) -> str:
        """Count a fault, and return the id of its entry. The first one of an entry is logged at once."""
        self.tidy()
        kind, cause = kind.rstrip("."), cause_of(problem)
        key = (kind, cause if len(self._entries) < MOST else "")
        fault = self._entries.get(key)
        if fault is None or self._clock() - fault.started >= MINUTE:
            fault = self._entries[key] = Fault(random_id(6), kind, cause, self._clock())
            bug = None if isinstance(problem, SparringError | str) else problem
            log.error("[%s] %s: %s", fault.id, kind, cause, exc_info=bug, extra=COUNTED)
        fault.count += 1
        self.counts[kind] += 1
        return fault.id

    def tidy(self, *, closing: bool = False) -> None:
        """Log the counts of entries that are complete, and drop old ones."""
        now = self._clock()
        for key, fault in list(self._entries.items()):
            age = now - fault.started
            if fault.count > fault.logged and (age >= MINUTE or closing):
                fault.logged = fault.count
                log.error("[%s] %s: %s times within a minute", fault.id, fault.kind, fault.count, extra=COUNTED)
            if age >= RECENT:
                del self._entries[key]

    def recent(self) -> list[Fault]:
        """Return the entries of the last minutes."""
        self.tidy()
        return list(self._entries.values())


def cause_of(problem: BaseException | str) -> str:
    """Return the innermost cause in one line; of a database error only the driver's message, without values."""
    if isinstance(problem, str):
        return problem[:LONGEST]
    while problem.__cause__ is not None:
        problem = problem.__cause__
    problem = getattr(problem, "orig", None) or problem
    message = (str(problem).splitlines() or [""])[0]
    return f"{type(problem).__name__}: {message}".rstrip(": ")[:LONGEST]


class Loops:
    """Runs endless tasks until it is stopped."""

    def __init__(self, faults: FaultLog) -> None:
        self._faults = faults
        self._tasks: list[asyncio.Task[None]] = []
        #: How often each task has failed; its name is that of its function.
        self.failures: Counter[str] = Counter()

    def start(self, work: Work, pause: float = 0.0) -> None:
        """Start a task; if it fails, it starts again after a pause (PAUSE, unless given). It may end by returning."""
        name = work.__qualname__.rpartition("<locals>.")[2]
        self.failures[name] = 0
        self._tasks.append(asyncio.create_task(self._run(name, work, pause), name=name))

    async def _run(self, name: str, work: Work, pause: float) -> None:
        while not is_cancelled():
            try:
                await work()
                return
            except (Exception, asyncio.CancelledError) as problem:  # also of something else that it waited for
                if is_cancelled():
                    raise
                self.failures[name] += 1
                self._faults.report(f"{name} failed and starts again", problem)
            await asyncio.sleep(pause or PAUSE)

    async def stop(self) -> None:
        """Cancel all tasks, and wait for their end."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def is_cancelled() -> bool:
    """Return whether the current task was cancelled: an error while closing a connection may have hidden it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
