"""Learn which tables in memory have changed in the database, and bring them up to date.

PostgreSQL tells of each change that any process writes, this one included (`store/change_store.py`). All tables in
memory are compared with the database now and then, and when the connection for notices is new.
"""

import asyncio
import contextlib
import logging
from collections.abc import Coroutine
from typing import Any

from sparring.monitoring import is_cancelled
from sparring.store.change_store import NoticeStore, TableVersions, key_of

from .registry import TableRegistry

log = logging.getLogger(__name__)

#: How often all tables are compared with SQLite, which only the command line changes besides, and with PostgreSQL; and
#: the pause before listening again (seconds).
SQLITE, POSTGRESQL, PAUSE = 2.0, 30.0, 0.5


class ChangeListener:
    """Brings the tables in memory up to date."""

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._notices = NoticeStore(registry.store)
        #: The tables that were opened here, by their keys in notices.
        self._tables: dict[str, str] = {}
        #: The versions in the newest notice of each table that is being brought up to date.
        self._newest: dict[str, TableVersions] = {}
        self._tasks = set[asyncio.Task[None]]()
        #: Set when the connection for notices is new: something may have changed before.
        self._began = asyncio.Event()

    async def listen(self) -> None:
        """Listen for notices until the task is cancelled; return at once if the database sends none."""
        if self._registry.store.shared:
            server_id = await self._registry.store.server_id()

            def opened(table: str) -> None:
                self._tables[key_of(server_id, table)] = table

            self._registry.on_open = opened
            for table in self._registry.ids():
                opened(table)
            while not is_cancelled():
                await self._notices.listen(self._began.set, self._heard)
                await asyncio.sleep(PAUSE)

    async def follow(self) -> None:
        """Compare all tables in memory with the database until the task is cancelled."""
        while True:
            await self.compare()
            if self._registry.store.shared:
                await self._registry.changes.delete_old()
            self._began.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._began.wait(), POSTGRESQL if self._registry.store.shared else SQLITE)

    async def compare(self) -> None:
        """Bring all tables in memory up to date, and forget the keys of others."""
        opened = self._registry.ids()
        self._tables = {key: table for key, table in self._tables.items() if table in opened}
        await self._registry.refresh(opened)

    def _heard(self, key: str, stored: TableVersions) -> None:
        """Bring a table up to date, once for all notices that come meanwhile."""
        table = self._tables.get(key)
        if table is None or self._registry.is_known(table, stored):
            return
        waiting = table in self._newest
        self._newest[table] = stored
        if not waiting:
            self._start(self._bring_up_to_date(table))

    async def _bring_up_to_date(self, table: str) -> None:
        done = None
        try:
            while done != self._newest[table]:
                done = self._newest[table]
                await self._registry.follow(table, done)
        finally:
            del self._newest[table]

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (problem := task.exception()):
            log.error("A table can't be brought up to date", exc_info=problem)
