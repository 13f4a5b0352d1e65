"""Cache invalidation: reload tables that other processes or the command line have changed."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec

from sparring.engine.errors import SparringError
from sparring.web.bots.worker_pool import WorkersAway
from sparring.web.storage import NoticeStore

if TYPE_CHECKING:
    from .broker import KeyChannel

#: How often to poll for notices (seconds): as one of several processes; or alone, or if the broker announces them.
OFTEN, SELDOM = 0.5, 2.0


class NoticesWritten(msgspec.Struct, frozen=True):
    """There are new notices in the database."""


class CacheInvalidation:
    """Poll the notices of all processes (`notice_store.py`), including its own, which have no effect.

    Notices are in the database, so none is lost. A broker only saves polling.
    """

    def __init__(
        self, store: NoticeStore, reread: Callable[[list[str]], Awaitable[None]], often: float = OFTEN,
        circle: "KeyChannel | None" = None,
    ) -> None:  # fmt: skip
        self._store, self._reread, self._often, self._circle = store, reread, often, circle
        self._newest = 0
        self._heard: set[int] = set()
        self._listening = asyncio.Lock()
        self._rung = asyncio.Event()
        if circle is not None:
            circle.subscribe(circle.channel("news"), NoticesWritten, lambda _: self._rung.set())

    async def skip_existing(self) -> None:
        """Skip existing notices: this process has no tables in memory yet."""
        self._heard = set(await self._store.since(0))
        self._newest = max(self._heard, default=0)

    async def announce(self) -> None:
        """Announce over the broker that this process has written notices."""
        if self._circle is not None:
            with contextlib.suppress(WorkersAway):
                await self._circle.publish(self._circle.channel("news"), NoticesWritten())

    async def follow(self) -> None:
        """Poll until the task is cancelled."""
        while True:
            known = self._circle is not None and self._circle.broker.connected
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._rung.wait(), SELDOM if known else self._often)
            self._rung.clear()
            with contextlib.suppress(SparringError):
                await self.poll()

    async def poll(self) -> None:
        """Handle new notices."""
        async with self._listening:
            found = await self._store.since(self._newest)
            await self._reread([table for number, table in found.items() if number not in self._heard])
            self._heard = set(found)
            self._newest = max(found, default=self._newest)
