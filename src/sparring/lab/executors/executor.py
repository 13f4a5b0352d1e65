"""Who does the work: this process, several, or those of a cluster, behind one small interface.

Work is a function at the top of a module, called with what is the same for all (`job`) and with a task. Tasks are asked
for one by one, no sooner than somebody is free for them, and their results come in the order of the tasks. So whoever
adds them up gets the same sums from any number and kind of workers, may end as soon as a result says so, and holds only
a few results at a time. A worker that is lost costs the task it was at, which is given to another.
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

#: A task that ended so many workers is not given to another.
ATTEMPTS = 3

#: So many results for each worker may wait for one that was asked for before them.
AHEAD = 4


class WorkersLost(SparringError):
    """Nobody is left who could do the work."""


@dataclass
class _Submitted:
    """A task that was handed out."""

    task: Any
    result: "Future[Any]"
    attempt: int = 1


class Executor(ABC):
    """Workers."""

    #: How many tasks may be with them at a time, and whether they work on this machine.
    at_once = 1
    are_here = True

    @abstractmethod
    def begin(self, work: Work, job: Any, task: Any) -> "Future[Any]":
        """Give a task to whoever is free."""

    def prepare(self, work: Work, job: Any, task: Any) -> None:
        """Do a first, small task where it makes what all others need, such as compiled code: once on each machine."""
        work(job, task)

    def each(self, work: Work, job: Any, tasks: Iterable[Any]) -> Generator[Any, None, None]:
        """The results of the tasks, in their order; when this is closed, what nobody waits for any more is let go."""
        given: deque[_Submitted] = deque()
        source, more = iter(tasks), True
        try:
            while more or given:
                while more and self._is_one_free(given):
                    for task in source:
                        given.append(_Submitted(task, self.begin(work, job, task)))
                        break
                    else:
                        more = False
                if given and given[0].result.done():
                    first = given.popleft()
                    if self._is_lost(first):
                        given.appendleft(_Submitted(first.task, self.begin(work, job, first.task), first.attempt + 1))
                    else:
                        yield first.result.result()
                elif given:
                    wait([each.result for each in given if not each.result.done()], return_when=FIRST_COMPLETED)
        finally:
            for each in given:
                each.result.cancel()

    def _is_one_free(self, given: "deque[_Submitted]") -> bool:
        busy = sum(not each.result.done() for each in given)
        return busy < self.at_once and len(given) < AHEAD * self.at_once

    def _is_lost(self, given: _Submitted) -> bool:
        """Whether a task went down with its worker, and is worth another one."""
        if not isinstance(given.result.exception(), BrokenProcessPool):
            return False
        if given.attempt == ATTEMPTS:
            raise WorkersLost(f"The same chunk of matches ended {ATTEMPTS} processes, one after the other.")
        return True


class SerialExecutor(Executor):
    """This process."""

    def begin(self, work: Work, job: Any, task: Any) -> "Future[Any]":
        """It is done at once."""
        done: Future[Any] = Future()
        done.set_result(work(job, task))
        return done


class ProcessExecutor(Executor):
    """Processes on this machine; each is a pool of its own, so that it goes down alone, and is started anew then."""

    def __init__(self, workers: int) -> None:
        self.at_once = workers
        self._pools = [_pool() for _ in range(workers)]
        self._last: list[Future[Any] | None] = [None] * workers

    def begin(self, work: Work, job: Any, task: Any) -> "Future[Any]":
        """The first that is free."""
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
        """One does it, for what it takes to compile is not this process's memory; the others get ready meanwhile."""
        others = [pool.submit(_get_ready) for pool in self._pools[1:]]
        self.begin(work, job, task).result()
        wait(others)

    def close(self) -> None:
        """Let them go."""
        for pool in self._pools:
            pool.shutdown(wait=True, cancel_futures=True)


def _get_ready() -> None:
    """Import what takes longest."""
    import sparring.engine.compilation.machine_code  # noqa: F401


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))
