"""Create the executor for a number of workers or a cluster address."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from sparring.engine.errors import SparringError

from .dask_cluster import connect
from .executor import Executor, ProcessExecutor, SerialExecutor


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
