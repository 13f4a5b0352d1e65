"""Endless tasks of a process: an unexpected error is reported and counted, and the task starts again."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

from .fault_log import FaultLog

#: The function of an endless task.
Work = Callable[[], Awaitable[None]]

#: The pause before a task starts again, and before one does that works every hour (seconds).
PAUSE, LONG_PAUSE = 1.0, 60.0


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
