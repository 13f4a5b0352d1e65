"""Workers for the lab: of which kind, is said once, and whoever has work need not know."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from sparring.engine.errors import SparringError

from .dask_cluster import joined
from .executor import Executor, ProcessExecutor, SerialExecutor


@contextmanager
def _alone() -> Iterator[Executor]:
    yield SerialExecutor()


@contextmanager
def _processes(workers: int) -> Iterator[Executor]:
    hands = ProcessExecutor(workers)
    try:
        yield hands
    finally:
        hands.close()


def hands(workers: int = 1, cluster: str | None = None) -> AbstractContextManager[Executor]:
    """Workers: so many processes here, or those of the cluster at an address such as `tcp://HOST:8786`."""
    if cluster:
        return joined(cluster)
    if workers < 1:
        raise SparringError(f"At least one worker is needed, not {workers}.")
    return _alone() if workers == 1 else _processes(workers)
