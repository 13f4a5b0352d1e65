"""Timers of clocks and absence. They need no visitor: due times are stored, and any running process handles them."""

import contextlib
import logging
import time

from sparring.engine.errors import SparringError
from sparring.web.storage import StoreError, TimerStore
from sparring.web.tables.commits import TableCommits
from sparring.web.tables.registry import OnOtherNode, ServerClosing
from sparring.web.tables.table import Table, TableChanged

from .clock_actions import ClockActions
from .due_times import SWEEP

log = logging.getLogger(__name__)


class TableTimers:
    """Fire the timers of all tables that this process may own."""

    def __init__(self, commits: TableCommits, clocks: ClockActions) -> None:
        self.registry = commits.registry
        self.due_times = commits.due_times
        self.clocks = clocks
        self.store = TimerStore(self.registry.store)
        self.registry.on_presence = self._presence_changed

    async def run(self) -> None:
        """Run the timers until the task is cancelled."""
        with contextlib.suppress(StoreError):
            # In a cluster, another process may have recorded that it is running.
            await self.store.add_downtime(self.registry.now(), int(2000 * SWEEP) if self.registry.ownership.id else 0)
        look_again = 0.0
        while True:
            with contextlib.suppress(StoreError):
                if time.monotonic() >= look_again:
                    look_again = time.monotonic() + SWEEP
                    await self.load_due_times()
                await self._fire_due()
            await self.due_times.wait(look_again - time.monotonic())

    async def load_due_times(self) -> None:
        """Load the due times of all tables, also of those that aren't in memory, and handle what is due."""
        upcoming = await self.store.due_times()
        if upcoming:
            await self.store.heartbeat(self.registry.now())
        for table, due in upcoming:
            self.due_times.schedule(table, due)
        await self._fire_due()

    async def close(self) -> None:
        """Record the shutdown time, so that no clock runs while the server is down."""
        with contextlib.suppress(StoreError):
            if await self.store.due_times():
                await self.store.heartbeat(self.registry.now())

    def _presence_changed(self, table: Table) -> None:
        """Check a table's timer again, since the player to move may have just left: their absence counts from now."""
        if table.settings.away and table.clocks.due:
            self.due_times.schedule(table.id, self.registry.now())

    async def _fire_due(self) -> None:
        for table in self.due_times.take_due():
            await self._fire(table)

    async def _fire(self, table_id: str) -> None:
        """Handle the due timer of a table."""
        try:
            await self.clocks.handle_timer(await self.registry.get(table_id))
        except (TableChanged, StoreError, ServerClosing, OnOtherNode):
            return  # the next sweep looks again, or the process that owns the table does
        except SparringError:
            await self.store.delete(table_id)
        except Exception as problem:
            log.error("Timer of table %s failed", table_id, exc_info=problem)
