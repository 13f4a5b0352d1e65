"""Cache invalidation: reload tables that other processes or the command line have changed."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from sparring.monitoring.fault_log import is_cancelled
from sparring.store.notice_store import NoticeStore

#: How often SQLite is polled (seconds): as one of several processes, and alone.
OFTEN, SELDOM = 0.5, 2.0
#: How often PostgreSQL, which announces notices, is read nevertheless, and the pause before listening again (seconds).
LISTENING, PAUSE = 30.0, 0.5


class CacheInvalidation:
    """Read the notices of all processes (`notice_store.py`), including its own, which have no effect.

    PostgreSQL announces them. Notices are stored, so none is lost while no one listens.
    """

    def __init__(
        self, store: NoticeStore, reread: Callable[[list[str]], Awaitable[None]], often: float = OFTEN
    ) -> None:
        self._store, self._reread = store, reread
        self._often = LISTENING if store.announced else often
        self._newest = 0
        self._handled: set[int] = set()
        self._reading = asyncio.Lock()
        self._announced = asyncio.Event()

    async def skip_existing(self) -> None:
        """Skip existing notices: this process has no tables in memory yet."""
        self._handled = set(await self._store.since(0))
        self._newest = max(self._handled, default=0)

    async def listen(self) -> None:
        """Listen for announcements until the task is cancelled; return at once if the database makes none."""
        while self._store.announced and not is_cancelled():
            await self._store.listen(self._announced.set)
            await asyncio.sleep(PAUSE)

    async def follow(self) -> None:
        """Read new notices until the task is cancelled."""
        while True:
            await self.poll()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._announced.wait(), self._often)
            self._announced.clear()

    async def poll(self) -> None:
        """Handle new notices."""
        async with self._reading:
            notices = await self._store.since(self._newest)
            await self._reread([table for number, table in notices.items() if number not in self._handled])
            self._handled = set(notices)
            self._newest = max(notices, default=self._newest)
