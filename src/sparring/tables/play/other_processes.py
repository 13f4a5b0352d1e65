"""What the processes of a server tell each other: which tables have changed, and who is connected.

`ChangeListener` learns which tables in memory have changed in the database, and brings them up to date. PostgreSQL
tells of each change that any process writes, this one included (`store/change_store.py`). All tables in memory are
compared with the database now and then, and when the connection for notices is new.

`PresenceExchange` publishes once a second who is connected to this process, and reads what the others publish. That
counts for some seconds after the last beat of a process, also if the database can't be read meanwhile.
"""

import asyncio
import contextlib
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

import msgspec

from sparring.monitoring import is_cancelled
from sparring.settings.secrets import random_id
from sparring.store.change_store import NoticeStore, TableVersions, key_of
from sparring.store.group_commit import StoreError
from sparring.store.processes import ProcessStore

from .registry import TableRegistry

log = logging.getLogger(__name__)

#: How often all tables are compared with SQLite, which only the command line changes besides, and with PostgreSQL; and
#: the pause before listening again (seconds).
SQLITE, POSTGRESQL, PAUSE = 2.0, 30.0, 0.5
#: How often a process publishes its people, and for how long they count (seconds).
OFTEN, COUNTS = 1.0, 5.0
#: For how long a process publishes when someone left or acted (seconds): long enough for all others to read it.
RECENT = 10.0

#: What a process publishes, by table and person: 0 if they are connected, otherwise when they left or acted.
People = dict[str, dict[str, float]]


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


class Published(NamedTuple):
    """What another process has published, and when its last beat was, by this process's clock."""

    people: str
    at: float


class PresenceExchange:
    """Counts the people at other processes in the presence trackers of a registry.

    There is a tracker for each table at which anyone is, also if the table isn't in memory here.
    """

    def __init__(
        self, registry: TableRegistry, store: ProcessStore, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._registry, self._store, self._clock = registry, store, clock
        self._process = random_id(8)
        #: What this process has published, and the others.
        self._own = ""
        self._others: dict[str, Published] = {}
        #: When the others were last read, and who was connected to them then, by table.
        self._read_at = clock()
        self._elsewhere: dict[str, set[str]] = {}

    async def follow(self) -> None:
        """Exchange until the task is cancelled."""
        while True:
            await self.exchange()
            await asyncio.sleep(OFTEN)

    async def exchange(self) -> None:
        """Publish who is here, and count who is elsewhere."""
        own, now = msgspec.json.encode(self._here()).decode(), self._registry.settings.now
        exchanging = asyncio.ensure_future(self._store.exchange(self._process, own, now, changed=own != self._own))
        try:
            while not (await asyncio.wait([exchanging], timeout=OFTEN))[0]:
                self._count_unread()
            others = exchanging.result()
        except StoreError:
            self._count_unread()
            raise
        finally:
            exchanging.cancel()
        self._own, self._read_at = own, self._clock()
        self._others |= {each: Published(other.people, self._read_at - other.age) for each, other in others.items()}
        self._elsewhere = self._count()

    async def close(self) -> None:
        """Publish nothing any more: this process ends."""
        with contextlib.suppress(StoreError):
            await self._store.leave(self._process)

    def _here(self) -> People:
        """Return what to publish, and drop the trackers of tables that no one has visited for a while."""
        now, here, in_memory = self._registry.settings.now(), People(), self._registry.ids()
        quiet = now - self._registry.settings.patience
        for table, presence in list(self._registry.presences.items()):
            left = {who: when for who, when in presence.left.items() if when > now - RECENT}
            if people := left | dict.fromkeys(sorted(presence.here()), 0.0):
                here[table] = people
            elif table not in in_memory and not presence.people() and max(presence.left.values(), default=0.0) < quiet:
                del self._registry.presences[table]
        return here

    def _count(self) -> dict[str, set[str]]:
        """Count the people at other processes whose last beat isn't old; return who is connected, by table."""
        oldest = self._clock() - COUNTS
        self._others = {process: other for process, other in self._others.items() if other.at >= oldest}
        connected, left = defaultdict[str, set[str]](set), defaultdict[str, dict[str, float]](dict)
        for other in self._others.values():
            for table, people in msgspec.json.decode(other.people, type=People).items():
                for who, when in people.items():
                    if when:
                        left[table][who] = max(when, left[table].get(who, 0.0))
                    else:
                        connected[table].add(who)
        for table in {*connected, *left, *self._elsewhere}:
            self._registry.presence(table).count_elsewhere(connected.get(table, set()), left.get(table, {}))
        return connected

    def _count_unread(self) -> None:
        """Count while the others can't be read; once they are too old, their people count as having just left.

        They may still be there, so that no timer may take them for away when the database is back.
        """
        self._count()
        if self._clock() - self._read_at > COUNTS:
            for table, people in self._elsewhere.items():
                for who in people:
                    self._registry.presence(table).record_activity(who)
