"""Cluster membership: everything that a process joins, runs and leaves together."""

import asyncio
import contextlib

from sparring.engine.errors import SparringError
from sparring.monitoring.fault_log import FaultLog, Work
from sparring.people.shared_rate_limits import SharedRateLimits
from sparring.settings import Settings
from sparring.store.cluster.lease_store import LeaseStore
from sparring.store.cluster.rate_limit_store import RateLimitStore
from sparring.tables.tables import Tables

from .nodes import ClusterNode
from .proxying import ProxyMiddleware


class ClusterMembership:
    """One process's part in a cluster; the others reach it at the setting `inside`."""

    node: ClusterNode
    proxy: ProxyMiddleware
    rate_limits: SharedRateLimits

    def __init__(self, settings: Settings, faults: FaultLog) -> None:
        self._settings, self._faults = settings, faults
        self._joined = asyncio.Event()

    async def join(self, tables: Tables) -> list[Work]:
        """Join the cluster; return the tasks to run while the process lives."""
        self.node = tables.registry.ownership = ClusterNode(
            LeaseStore(tables.store), self._settings.inside, tables.registry.evict_all
        )
        await self.node.join()
        self.proxy = ProxyMiddleware(self.node, self._settings, self._faults)
        self.rate_limits = SharedRateLimits(RateLimitStore(tables.store), tables.rate_limits)
        self._joined.set()
        return [self.node.follow, self.rate_limits.follow]

    async def process_ended(self, address: str) -> None:
        """Record that the process at an address has ended, as the supervisor reports, so that nothing waits for it."""
        await self._joined.wait()
        self.proxy.forget(address)
        with contextlib.suppress(SparringError):
            await self.node.remove_at(address)

    async def leave(self) -> None:
        """Give up all tables and close the connections."""
        await self.node.leave()
        await self.proxy.close()
