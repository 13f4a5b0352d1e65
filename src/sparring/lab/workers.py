"""Workers for the lab: of which kind, is said once, and whoever has work need not know."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from sparring.engine.errors import SparringError

from .cluster import joined
from .hands import Alone, Hands, Processes


@contextmanager
def _alone() -> Iterator[Hands]:
    yield Alone()


@contextmanager
def _processes(workers: int) -> Iterator[Hands]:
    hands = Processes(workers)
    try:
        yield hands
    finally:
        hands.close()


def hands(workers: int = 1, cluster: str | None = None) -> AbstractContextManager[Hands]:
    """Workers: so many processes here, or those of the cluster at an address such as `tcp://HOST:8786`."""
    if cluster:
        return joined(cluster)
    if workers < 1:
        raise SparringError(f"At least one worker is needed, not {workers}.")
    return _alone() if workers == 1 else _processes(workers)
