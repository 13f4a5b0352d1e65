"""Presence over all processes: each says once a second who is connected to it, and hears who is connected to others.

What a process said counts for some seconds: until it speaks again, or ends, or the database can't be read.
"""

import asyncio
import contextlib
import time
from collections import defaultdict
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from sparring.settings.random_ids import random_id
from sparring.store.cluster.process_store import ProcessStore
from sparring.store.group_commit import StoreError

from .registry import TableRegistry

#: How often a process speaks, and how long that counts (seconds).
OFTEN, COUNTS = 1.0, 5.0
#: For how long a process says when someone left or acted (seconds): all others hear that in time.
RECENT = 10.0

#: What a process says, by table and person: 0 if they are connected, otherwise when they left or acted.
Said = dict[str, dict[str, float]]


class Heard(NamedTuple):
    """What a process said last, and when, by this process's clock."""

    said: str
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
        #: What this process said last, and when it last heard the others.
        self._said = ""
        self._heard_at = clock()
        self._heard: dict[str, Heard] = {}
        #: The people at other processes, as last counted.
        self._elsewhere: dict[str, set[str]] = {}

    async def follow(self) -> None:
        """Exchange until the task is cancelled."""
        while True:
            await self.exchange()
            await asyncio.sleep(OFTEN)

    async def exchange(self) -> None:
        """Say who is here, and count who is elsewhere."""
        said, now = msgspec.json.encode(self._own()).decode(), self._registry.settings.now
        exchanging = asyncio.ensure_future(self._store.exchange(self._process, said, now, changed=said != self._said))
        try:
            while not (await asyncio.wait([exchanging], timeout=OFTEN))[0]:
                self._hear_nothing()
            others = exchanging.result()
        except StoreError:
            self._hear_nothing()
            raise
        finally:
            exchanging.cancel()
        self._said, self._heard_at = said, self._clock()
        self._heard |= {each: Heard(other.people, self._heard_at - other.age) for each, other in others.items()}
        self._elsewhere = self._count()

    async def close(self) -> None:
        """Say no more: this process ends."""
        with contextlib.suppress(StoreError):
            await self._store.leave(self._process)

    def _own(self) -> Said:
        """Return what this process says, and forget the trackers of tables that no one visits any more."""
        now, said, in_memory = self._registry.settings.now(), Said(), self._registry.ids()
        quiet = now - self._registry.settings.patience
        for table, presence in list(self._registry.presences.items()):
            left = {who: when for who, when in presence.left.items() if when > now - RECENT}
            if people := left | dict.fromkeys(sorted(presence.here()), 0.0):
                said[table] = people
            elif table not in in_memory and not presence.people() and max(presence.left.values(), default=0.0) < quiet:
                del self._registry.presences[table]
        return said

    def _count(self) -> dict[str, set[str]]:
        """Count whom the other processes have named in the last seconds, and return them."""
        oldest = self._clock() - COUNTS
        self._heard = {process: heard for process, heard in self._heard.items() if heard.at >= oldest}
        people, left = defaultdict[str, set[str]](set), defaultdict[str, dict[str, float]](dict)
        for heard in self._heard.values():
            for table, said in msgspec.json.decode(heard.said, type=Said).items():
                for who, when in said.items():
                    if when:
                        left[table][who] = max(when, left[table].get(who, 0.0))
                    else:
                        people[table].add(who)
        for table in {*people, *left, *self._elsewhere}:
            self._registry.presence(table).count_elsewhere(people.get(table, set()), left.get(table, {}))
        return people

    def _hear_nothing(self) -> None:
        """Count on what was heard before; when that is too old, people elsewhere count as having only just left."""
        self._count()
        if self._clock() - self._heard_at > COUNTS:
            for table, people in self._elsewhere.items():
                for who in people:
                    self._registry.presence(table).record_activity(who)
