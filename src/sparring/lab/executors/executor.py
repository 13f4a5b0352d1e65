"""Executors: run tasks in this process, in local processes or on a cluster, behind one small interface.

Work is a top-level function, called with a shared `job` and a task. Tasks are drawn lazily, only when a worker is free,
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

#: A task that has crashed this many workers is not retried.
ATTEMPTS = 3

#: The most results per worker that may wait for an earlier task.
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

    #: The most tasks in flight, and whether workers run on this machine (and share its files).
    max_in_flight = 1
    is_local = True

    @abstractmethod
    def submit(self, work: Work, job: Any, task: Any) -> "Future[Any]":
        """Submit a task to a free worker."""

    def prepare(self, work: Work, job: Any, task: Any) -> None:
        """Run a first, small task once per machine to create what all tasks need, such as compiled code."""
        work(job, task)

    def map(self, work: Work, job: Any, tasks: Iterable[Any]) -> Generator[Any, None, None]:
        """Yield the results of `work(job, task)` in task order; closing the generator cancels pending tasks.

        Raises WorkersLost if a task crashes too many workers.
        """
        given: deque[_Submitted] = deque()
        source, more = iter(tasks), True
        try:
            while more or given:
                while more and self._has_free_worker(given):
                    for task in source:
                        given.append(_Submitted(task, self.submit(work, job, task)))
                        break
                    else:
                        more = False
                if given and given[0].result.done():
                    first = given.popleft()
                    if self._is_lost(first):
                        given.appendleft(_Submitted(first.task, self.submit(work, job, first.task), first.attempt + 1))
                    else:
                        yield first.result.result()
                elif given:
                    wait([each.result for each in given if not each.result.done()], return_when=FIRST_COMPLETED)
        finally:
            for each in given:
                each.result.cancel()

    def _has_free_worker(self, pending: "deque[_Submitted]") -> bool:
        busy = sum(not each.result.done() for each in pending)
        return busy < self.max_in_flight and len(pending) < MAX_BUFFERED * self.max_in_flight

    def _is_lost(self, given: _Submitted) -> bool:
        """Return whether the worker of a task crashed and the task should be retried."""
        if not isinstance(given.result.exception(), BrokenProcessPool):
            return False
        if given.attempt == ATTEMPTS:
            raise WorkersLost(f"The same batch of matches crashed {ATTEMPTS} processes in succession.")
        return True


class SerialExecutor(Executor):
    """Run tasks in this process."""

    def submit(self, work: Work, job: Any, task: Any) -> "Future[Any]":
        """Run the task immediately."""
        done: Future[Any] = Future()
        done.set_result(work(job, task))
        return done


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
            sent = self._pools[free].submit(work, job, task)
        except BrokenProcessPool:
            self._pools[free] = _pool()
            sent = self._pools[free].submit(work, job, task)
        self._last[free] = sent
        return sent

    def prepare(self, work: Work, job: Any, task: Any) -> None:
        """Run the task in one worker, which keeps compiler memory out of this process, while the others start up."""
        others = [pool.submit(_warm_up) for pool in self._pools[1:]]
        self.submit(work, job, task).result()
        wait(others)

    def close(self) -> None:
        """Shut down all processes."""
        for pool in self._pools:
            pool.shutdown(wait=True, cancel_futures=True)


def _warm_up() -> None:
    """Import the slowest module ahead of time."""
    import sparring.engine.compilation.machine_code  # noqa: F401


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))
