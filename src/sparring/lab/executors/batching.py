"""Blocks of matches, so many handed out at once that it takes about a second.

How large a block is follows from what is played alone, and results are taken block by block: no number depends on a
clock. How many blocks go together follows from how long those before took.
"""

import time
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from .executor import Executor, Work

#: The first number of a block, and how many matches it has.
Block = tuple[int, int]

#: So long whoever does them should be at the blocks that are handed out together (seconds).
LONG = 1.0


def in_blocks(them: Executor, work: Work, job: Any, blocks: Iterable[Block]) -> Generator[Any, None, None]:
    """The results of the blocks, in their order; when this is closed, the rest is let go."""
    pace = BatchSizer()
    results = them.each(_one_by_one, (work, job), pace.together(blocks))
    try:
        for seconds, matches, found in results:
            pace.heard(seconds, matches)
            yield from found
    finally:
        results.close()


class BatchSizer:
    """How many blocks go together."""

    def __init__(self) -> None:
        self._matches = 0.0  # as many as took so long; none is known yet

    def heard(self, seconds: float, matches: int) -> None:
        """So many matches took so long."""
        self._matches = matches * LONG / max(seconds, 1e-9)

    def together(self, blocks: Iterable[Block]) -> Iterator[list[Block]]:
        """Blocks in a row, as many as fit; one alone while nothing is known, or where it does not fit."""
        row: list[Block] = []
        for block in blocks:
            if row and sum(count for _, count in row) + block[1] > self._matches:
                yield row
                row = []
            row.append(block)
        if row:
            yield row


def _one_by_one(job: tuple[Work, Any], blocks: list[Block]) -> tuple[float, int, list[Any]]:
    """What a worker does: how long it took, how many matches it was, and the result of each block."""
    start = time.perf_counter()
    work, own = job
    found = [work(own, block) for block in blocks]
    return time.perf_counter() - start, sum(count for _, count in blocks), found
