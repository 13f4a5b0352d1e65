"""The workers of a cluster: Dask distributed (`pip install 'sparring[cluster]'`)."""

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Lock
from typing import Any

from sparring.engine.errors import SparringError

from .executor import Executor, Work, WorkersLost

#: How long a scheduler may take to answer, in seconds.
PATIENCE = 10

#: A worker does one task at a time, also if it has threads for several.
_one_at_a_time = Lock()


class DaskExecutor(Executor):
    """All workers of a Dask cluster, also those that join later."""

    are_here = False

    def __init__(self, client: Any) -> None:
        self._client = client
        self._pool = client.get_executor(pure=False)
        self._ready: set[str] = set()

    @property
    def _workers(self) -> dict[str, Any]:
        """Their addresses."""
        return dict(self._client.nthreads())

    def begin(self, work: Work, job: Any, task: Any) -> "Future[Any]":
        """Dask chooses who does it, and gives it to another when that one is lost."""
        self.at_once = max(1, len(self._workers))
        done: Future[Any] = self._pool.submit(_one, work, job, task)
        return done

    def prepare(self, work: Work, job: Any, task: Any) -> None:
        """One worker of each machine does it, before the others of that machine can."""
        hosts = {address.rpartition(":")[0]: address for address in self._workers}
        told = [self._client.submit(_one, work, job, task, pure=False, workers=[one]) for one in hosts.values()]
        self._client.gather(told)

    def each(self, work: Work, job: Any, tasks: Iterable[Any]) -> Generator[Any, None, None]:
        """As of all hands; a cluster that goes away says so."""
        from distributed.client import FutureCancelledError
        from distributed.scheduler import KilledWorker

        try:
            yield from super().each(work, job, tasks)
        except KilledWorker:
            raise WorkersLost("The same chunk of matches ended one worker of the cluster after the other.") from None
        except (OSError, CancelledError, FutureCancelledError):
            raise WorkersLost("The cluster has gone away.") from None


def _one(work: Work, job: Any, task: Any) -> Any:
    with _one_at_a_time:
        return work(job, task)


@contextmanager
def joined(address: str) -> Iterator[Executor]:
    """The cluster at an address, with its workers."""
    if find_spec("distributed") is None:
        raise SparringError('A cluster needs Dask distributed: pip install "sparring[cluster]".')
    import distributed

    connect: Any = distributed.Client
    try:
        client = connect(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError):
        raise SparringError(
            f"There is no cluster at {address}; `dask scheduler` starts one, and says its address."
        ) from None
    with client:
        if not client.nthreads():
            raise SparringError(f"The cluster at {address} has no workers; `dask worker {address}` adds one.")
        yield DaskExecutor(client)
