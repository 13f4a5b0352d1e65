"""Cluster nodes: heartbeats, detection of dead processes, and ownership of tables."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from sparring.engine.errors import SparringError
from sparring.store.cluster.lease_store import LeaseStore
from sparring.store.group_commit import StaleWrite
from sparring.tables.play.registry import OnOtherNode

#: The heartbeat interval, and after how much silence a process counts as dead (seconds).
BEAT, SILENCE = 0.75, 3.0


@dataclass
class KnownNode:
    """Another process: its heartbeat counter, and when that last changed."""

    address: str
    beat: int
    since: float


class ClusterNode:
    """This process among the others (`lease_store.py`). `lost` is called if they declared it dead."""

    def __init__(
        self, leases: LeaseStore, address: str, lost: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.address = address
        self.id: str | None = None
        self._leases = leases
        self._lost = lost
        self._clock = clock
        self._others: dict[str, KnownNode] = {}
        self._reading = asyncio.Lock()

    async def join(self) -> None:
        """Register under a new id."""
        self.id = secrets.token_urlsafe(12)
        await self._leases.join(self.id, self.address)
        await self.check_others()

    async def leave(self) -> None:
        """Delete this process's lease, so that the others can claim its tables at once."""
        old, self.id = self.id, None
        if old is not None:
            with contextlib.suppress(SparringError):
                await self._leases.remove(old)

    async def follow(self) -> None:
        """Send heartbeats and watch the others, until the task is cancelled."""
        while True:
            await asyncio.sleep(BEAT)
            await self.heartbeat()

    async def heartbeat(self) -> None:
        """Send a heartbeat; register again if the others declared this process dead."""
        assert self.id is not None
        try:
            await self._leases.heartbeat(self.id)
        except StaleWrite:
            self._lost()
            await self.join()
        await self.check_others()

    async def check_others(self) -> None:
        """Read the heartbeats of the others, and remove those that have been silent for too long."""
        async with self._reading:  # one at a time, so that an older result can't overwrite a newer one
            await self._read_heartbeats()

    async def _read_heartbeats(self) -> None:
        leases = await self._leases.processes()
        now, nodes = self._clock(), dict[str, KnownNode]()
        for process in leases:
            known = self._others.get(process.id)
            since = known.since if known and known.beat == process.beat else now
            nodes[process.id] = KnownNode(process.address, process.beat, since)
        silent = [name for name, other in nodes.items() if name != self.id and now - other.since > SILENCE]
        self._others = {name: other for name, other in nodes.items() if name not in silent}
        for name in silent:
            await self._leases.remove(name)

    async def remove(self, process: str) -> None:
        """Remove a process that can't be reached at its address."""
        self._others.pop(process, None)
        await self._leases.remove(process)

    async def remove_at(self, address: str) -> None:
        """Remove the process at an address, which has ended."""
        for process in [name for name, other in self._others.items() if other.address == address]:
            await self.remove(process)

    async def claim(self, table: str) -> None:
        """Claim a table; raise OnOtherNode if a living process owns it."""
        assert self.id is not None
        owner = await self._leases.owner(table)
        if owner == self.id:
            return
        if owner is not None and owner not in self._others:
            await self.check_others()  # it may have joined just now
        if owner is not None and (other := self._others.get(owner)):
            raise OnOtherNode(owner, other.address)
        with contextlib.suppress(StaleWrite):  # no such table, or another process was faster
            await self._leases.claim(table, self.id, owner)
            return
        if (faster := await self._leases.owner(table)) and (other := self._others.get(faster)):
            raise OnOtherNode(faster, other.address)
