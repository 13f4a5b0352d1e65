"""Timers of tables, which need no visitor: due times are stored, and any running process handles them."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator

from sparring.engine.errors import SparringError
from sparring.store.group_commit import StoreError
from sparring.store.table_lists import TimerStore
from sparring.tables.state.table import Table, TableChanged

from .registry import ServerClosing, TableRegistry

log = logging.getLogger(__name__)

#: How often a server records that it is running, and looks for due timers (seconds).
SWEEP = 20.0
#: How much later than a process that has a table in memory another one fires its timer (ms).
LATER = 2000
#: When a timer is fired again whose change met another one (ms).
AGAIN = 200


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


class TableTimers:
    """Fire the timers of all tables: `handle` does what is due at one."""

    def __init__(self, registry: TableRegistry, handle: Callable[[Table], Awaitable[None]]) -> None:
        self.registry = registry
        self.due_times = DueTimes(registry.now)
        registry.on_due = self.due_times.schedule
        self.handle = handle
        self.store = TimerStore(registry.store)
        registry.on_presence = self._presence_changed
        #: Whether other processes were running when this one started: then the server had no downtime.
        self.joins = False
        #: Tables that this process can't read, and leaves to others.
        self._unreadable = set[str]()
        self._downtime_added = False
        self._firing = asyncio.Lock()

    async def run(self) -> None:
        """Run the timers until the task is cancelled."""
        if not self._downtime_added:
            await self.store.add_downtime(self.registry.now(), int(2000 * SWEEP) if self.joins else 0)
            self._downtime_added = True
        look_again = 0.0
        while True:
            if time.monotonic() >= look_again:
                look_again = time.monotonic() + SWEEP
                await self.load_due_times()
            await self._fire_due()
            await self.due_times.wait(look_again - time.monotonic())

    async def load_due_times(self) -> None:
        """Load the due times of all tables, also of those that aren't in memory, and handle what is due."""
        await self.store.heartbeat(self.registry.now())
        for table, due in await self.store.due_times(self._unreadable):
            self.due_times.schedule(table, due)
        await self._fire_due()

    async def close(self) -> None:
        """Record the shutdown time, so that no clock runs while the server is down."""
        with contextlib.suppress(StoreError):
            await self.store.heartbeat(self.registry.now())

    def _presence_changed(self, table: Table) -> None:
        """Check a table's timer again, since the player to move may have just left: their absence counts from now."""
        if table.settings.away and table.clocks.due:
            self.due_times.schedule(table.id, self.registry.now())

    async def _fire_due(self) -> None:
        async with self._firing:  # a sweep returns when all that were due are handled
            for table in self.due_times.take_due():
                await self._fire(table)

    async def _fire(self, table_id: str) -> None:
        """Handle the due timer of a table; processes that have it in memory come first."""
        try:
            if self.registry.store.shared and self.registry.find(table_id) is None:
                due = await self.store.due(table_id)
                if due is None or due + LATER > self.registry.now():
                    self.due_times.schedule(table_id, due and due + LATER)
                    return
            await self.handle(await self.registry.get(table_id))
        except TableChanged:
            self.due_times.schedule(table_id, self.registry.now() + AGAIN)
        except (StoreError, ServerClosing):
            return  # the next sweep looks again
        except SparringError:
            if self.registry.store.shared:  # a process of another version may be able to read it
                self._unreadable.add(table_id)
            else:
                await self.store.delete(table_id)
        except Exception as problem:
            log.error("Timer of table %s failed", table_id, exc_info=problem)
