"""Cache invalidation: reload tables that other processes or the command line have changed."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from sparring.engine.errors import SparringError
from sparring.web.bots.worker_pool import WorkersUnavailable
from sparring.web.storage import NoticeStore

if TYPE_CHECKING:
    from .broker import KeyChannel

#: Polling intervals (seconds): as one of several processes; and alone, or while the broker announces notices.
OFTEN, SELDOM = 0.5, 2.0


class NoticesWritten(msgspec.Struct, frozen=True):
    """There are new notices in the database."""


class CacheInvalidation:
    """Poll the notices of all processes (`notice_store.py`), including its own, which have no effect.

    Notices are in the database, so none is lost. A broker only saves polling.
    """

    def __init__(
        self, store: NoticeStore, reread: Callable[[list[str]], Awaitable[None]], often: float = OFTEN,
        key_channel: "KeyChannel | None" = None,
    ) -> None:  # fmt: skip
        self._store, self._reread, self._often, self._key_channel = store, reread, often, key_channel
        self._newest = 0
        self._handled: set[int] = set()
        self._polling = asyncio.Lock()
        self._announced = asyncio.Event()
        if key_channel is not None:
            key_channel.subscribe(key_channel.channel("news"), NoticesWritten, lambda _: self._announced.set())

    async def skip_existing(self) -> None:
        """Skip existing notices: this process has no tables in memory yet."""
        self._handled = set(await self._store.since(0))
        self._newest = max(self._handled, default=0)

    async def announce(self) -> None:
        """Announce over the broker that this process has written notices."""
        if self._key_channel is not None:
            with contextlib.suppress(WorkersUnavailable):
                await self._key_channel.publish(self._key_channel.channel("news"), NoticesWritten())

    async def follow(self) -> None:
        """Poll until the task is cancelled."""
        while True:
            announcing = self._key_channel is not None and self._key_channel.broker.connected
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._announced.wait(), SELDOM if announcing else self._often)
            self._announced.clear()
            with contextlib.suppress(SparringError):
                await self.poll()

    async def poll(self) -> None:
        """Handle new notices."""
        async with self._polling:
            notices = await self._store.since(self._newest)
            await self._reread([table for number, table in notices.items() if number not in self._handled])
            self._handled = set(notices)
            self._newest = max(notices, default=self._newest)
