"""Run tasks on a Dask distributed cluster (the extra `cluster`)."""

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Lock
from typing import Any

from sparring.engine.errors import SparringError
from sparring.engine.extras import MissingExtra

from .executor import Executor, Work, WorkersLost

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
