"""Executors: run tasks in this process, in local processes or on a cluster, behind one small interface, in batches.

`work` is a top-level function, called with a shared `job` and a task. Tasks are taken lazily, when a worker is free,
and results come in task order. So sums are the same for any number and kind of workers, a caller can stop at any
result, and only a few results are in memory at a time. The task of a lost worker is retried on another one.

The size of a block depends only on what is played, and results are added block by block, so sums never depend on a
clock. Only the number of blocks per batch adapts to the duration of earlier batches.
"""

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing import get_context
from threading import Lock
from typing import Any

from sparring.engine.errors import SparringError
from sparring.engine.plugins import MissingExtra

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


#: The first match number of a block, and its number of matches.
Block = tuple[int, int]

#: The target duration of a batch on a worker (seconds).
TARGET_SECONDS = 1.0


def run_blocks(executor: Executor, work: Work, job: Any, blocks: Iterable[Block]) -> Generator[Any, None, None]:
    """Yield the results of `work(job, block)` in the order of blocks; closing the generator cancels the rest."""
    sizer = BatchSizer()
    results = executor.map(_run_batch, (work, job), sizer.batches(blocks))
    try:
        for seconds, matches, block_results in results:
            sizer.record(seconds, matches)
            yield from block_results
    finally:
        results.close()


class BatchSizer:
    """Choose the number of blocks per batch."""

    def __init__(self) -> None:
        self._matches = 0.0  # matches per batch; 0 until the first batch returns

    def record(self, seconds: float, matches: int) -> None:
        """Record how many seconds a batch of matches took."""
        self._matches = matches * TARGET_SECONDS / max(seconds, 1e-9)

    def batches(self, blocks: Iterable[Block]) -> Iterator[list[Block]]:
        """Yield batches of consecutive blocks that fit the target duration, at least one block each."""
        batch: list[Block] = []
        for block in blocks:
            if batch and sum(count for _, count in batch) + block[1] > self._matches:
                yield batch
                batch = []
            batch.append(block)
        if batch:
            yield batch


def _run_batch(work_and_job: tuple[Work, Any], blocks: list[Block]) -> tuple[float, int, list[Any]]:
    """Run a batch on a worker; return its seconds, its matches and the result of each block."""
    start = time.perf_counter()
    work, job = work_and_job
    results = [work(job, block) for block in blocks]
    return time.perf_counter() - start, sum(count for _, count in blocks), results


#: The timeout for connecting to a scheduler, in seconds.
CONNECT_TIMEOUT = 10

#: A worker runs one task at a time, even if it has several threads.
_task_lock = Lock()


class DaskExecutor(Executor):
    """An executor for all workers of a Dask cluster, including those that join later."""

    is_local = False

    def __init__(self, client: Any) -> None:
        self._client = client
        self._pool = client.get_executor(pure=False)
        self._ready: set[str] = set()

    @property
    def _workers(self) -> dict[str, Any]:
        """The number of threads of each worker, by address."""
        return dict(self._client.nthreads())

    def submit(self, work: Work, job: Any, task: Any) -> "Future[Any]":
        """Submit a task; Dask chooses the worker and reschedules the task if that worker is lost."""
        self.max_in_flight = max(1, len(self._workers))
        future: Future[Any] = self._pool.submit(_run_one, work, job, task)
        return future

    def prepare(self, work: Work, job: Any, task: Any) -> None:
        """Run the task once on each machine, so that its other workers find compiled code."""
        addresses = {address.rpartition(":")[0]: address for address in self._workers}.values()
        futures = [self._client.submit(_run_one, work, job, task, pure=False, workers=[each]) for each in addresses]
        self._client.gather(futures)

    def map(self, work: Work, job: Any, tasks: Iterable[Any]) -> Generator[Any, None, None]:
        """Yield results as the base class does; raise WorkersLost if the cluster goes away."""
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker

        try:
            yield from super().map(work, job, tasks)
        except KilledWorker:
            raise WorkersLost("The same batch of matches crashed several workers of the cluster.") from None
        except (OSError, CancelledError, FutureCancelledError):
            raise WorkersLost("The connection to the cluster was lost.") from None


def _run_one(work: Work, job: Any, task: Any) -> Any:
    with _task_lock:
        return work(job, task)


@contextmanager
def connect(address: str) -> Iterator[Executor]:
    """Connect to the cluster at an address; raise SparringError if it does not answer or has no workers."""
    if find_spec("distributed") is None:
        raise MissingExtra("A cluster needs Dask distributed", "cluster")
    import distributed

    connect: Any = distributed.Client
    try:
        client = connect(address, timeout=CONNECT_TIMEOUT, set_as_default=False)
    except (OSError, ValueError):
        raise SparringError(
            f"No cluster answers at {address}; start one with `dask scheduler`, which prints its address."
        ) from None
    with client:
        if not client.nthreads():
            raise SparringError(f"The cluster at {address} has no workers; add one with `dask worker {address}`.")
        yield DaskExecutor(client)


@contextmanager
def _serial() -> Iterator[Executor]:
    yield SerialExecutor()


@contextmanager
def _processes(workers: int) -> Iterator[Executor]:
    executor = ProcessExecutor(workers)
    try:
        yield executor
    finally:
        executor.close()


def make_executor(workers: int = 1, cluster: str | None = None) -> AbstractContextManager[Executor]:
    """Return an executor as a context manager.

    `workers` is the number of local processes (1: this process); `cluster` is the address of a Dask scheduler such as
    `tcp://HOST:8786`, used instead. Raises SparringError if either can't be used.
    """
    if cluster:
        return connect(cluster)
    if workers < 1:
        raise SparringError(f"The number of workers must be at least 1, not {workers}.")
    return _serial() if workers == 1 else _processes(workers)
