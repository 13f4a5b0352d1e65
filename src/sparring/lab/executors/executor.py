"""Executors: run tasks in this process, in local processes or on a cluster, behind one small interface.

`work` is a top-level function, called with a shared `job` and a task. Tasks are taken lazily, when a worker is free,
and results come in task order. So sums are the same for any number and kind of workers, a caller can stop at any
result, and only a few results are in memory at a time. The task of a lost worker is retried on another one.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from sparring.engine.errors import SparringError

Work = Callable[[Any, Any], Any]

#: The maximum number of attempts at a task whose workers crash.
ATTEMPTS = 3

#: The maximum number of results per worker that may wait for an earlier task.
MAX_BUFFERED = 4


class WorkersLost(SparringError):
    """No worker is left to run the tasks."""


@dataclass
class _Submitted:
    """A submitted task."""

    task: Any
    result: "Future[Any]"
    attempt: int = 1


class Executor(ABC):
    """The interface of all executors."""

    #: The maximum number of tasks in flight, and whether workers run on this machine (and share its files).
    max_in_flight = 1
    is_local = True

    @abstractmethod
    def submit(self, work: Work, job: Any, task: Any) -> "Future[Any]":
        """Submit a task to a free worker and return its future."""

    def prepare(self, work: Work, job: Any, task: Any) -> None:
        """Run a first, small task once per machine to create what all tasks need, such as compiled code."""
        work(job, task)

    def map(self, work: Work, job: Any, tasks: Iterable[Any]) -> Generator[Any, None, None]:
        """Yield the results of `work(job, task)` in task order; closing the generator cancels pending tasks.

        Raises WorkersLost if a task crashes too many workers.
        """
        pending: deque[_Submitted] = deque()
        source, has_more = iter(tasks), True
        try:
            while has_more or pending:
                while has_more and self._has_free_worker(pending):
                    for task in source:
                        pending.append(_Submitted(task, self.submit(work, job, task)))
                        break
                    else:
                        has_more = False
                if pending and pending[0].result.done():
                    first = pending.popleft()
                    if self._is_lost(first):
                        pending.appendleft(
                            _Submitted(first.task, self.submit(work, job, first.task), first.attempt + 1)
                        )
                    else:
                        yield first.result.result()
                elif pending:
                    wait([each.result for each in pending if not each.result.done()], return_when=FIRST_COMPLETED)
        finally:
            for each in pending:
                each.result.cancel()

    def _has_free_worker(self, pending: "deque[_Submitted]") -> bool:
        busy = sum(not each.result.done() for each in pending)
        return busy < self.max_in_flight and len(pending) < MAX_BUFFERED * self.max_in_flight

    def _is_lost(self, submitted: _Submitted) -> bool:
        """Return whether the worker of a task crashed and the task should be retried."""
        if not isinstance(submitted.result.exception(), BrokenProcessPool):
            return False
        if submitted.attempt == ATTEMPTS:
            raise WorkersLost(f"The same batch of matches crashed {ATTEMPTS} processes in succession.")
        return True


class SerialExecutor(Executor):
    """Run tasks in this process."""

    def submit(self, work: Work, job: Any, task: Any) -> "Future[Any]":
        """Run the task immediately."""
        future: Future[Any] = Future()
        future.set_result(work(job, task))
        return future


class ProcessExecutor(Executor):
    """Run tasks in local processes, each in its own pool, so that a crash affects and restarts only one."""

    def __init__(self, workers: int) -> None:
        self.max_in_flight = workers
        self._pools = [_pool() for _ in range(workers)]
        self._last: list[Future[Any] | None] = [None] * workers

    def submit(self, work: Work, job: Any, task: Any) -> "Future[Any]":
        """Submit a task to the first free process."""
        busy = [last is not None and not last.done() for last in self._last]
        free = busy.index(False) if False in busy else 0
        try:
            future = self._pools[free].submit(work, job, task)
        except BrokenProcessPool:
            self._pools[free] = _pool()
            future = self._pools[free].submit(work, job, task)
        self._last[free] = future
        return future

    def prepare(self, work: Work, job: Any, task: Any) -> None:
        """Run the task in one worker while the others start up. The compiler's memory stays out of this process."""
        others = [pool.submit(_warm_up) for pool in self._pools[1:]]
        self.submit(work, job, task).result()
        wait(others)

    def close(self) -> None:
        """Shut down all processes."""
        for pool in self._pools:
            pool.shutdown(wait=True, cancel_futures=True)


def _warm_up() -> None:
    """Import the slowest module ahead of the first task."""
    import sparring.engine.compilation.machine_code  # noqa: F401


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))
