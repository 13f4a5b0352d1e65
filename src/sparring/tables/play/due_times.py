"""The due times of the near future, by table."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator

#: How often a server records that it is running, and looks for due timers (seconds).
SWEEP = 20.0


class DueTimes:
    """The due times of the near future by table (ms since 1970)."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._due: dict[str, int] = {}
        self._scheduled = asyncio.Event()

    def schedule(self, table: str, due: int | None) -> None:
        """Set a table's timer, or cancel it (None); later sweeps load due times that are further off."""
        self._due.pop(table, None)
        if due is not None and due < self._now() + 1000 * SWEEP:
            self._due[table] = due
            self._scheduled.set()

    def take_due(self) -> Iterator[str]:
        """Yield the tables whose timers are due now, and remove each from the due times."""
        for table in [table for table, due in self._due.items() if due <= self._now()]:
            if self._due.pop(table, None) is not None:
                yield table

    async def wait(self, longest: float) -> None:
        """Wait until a timer may be due or is newly set, at most `longest` seconds."""
        self._scheduled.clear()
        wait = min([longest, *((due - self._now()) / 1000 for due in self._due.values())])
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.05, wait)):
                await self._scheduled.wait()
