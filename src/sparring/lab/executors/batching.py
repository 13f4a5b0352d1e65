"""Group blocks of matches into batches of about one second for the workers.

The size of a block depends only on what is played, and results are added block by block, so sums never depend on a
clock. Only the number of blocks per batch adapts to the duration of earlier batches.
"""

import time
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from .executor import Executor, Work

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
