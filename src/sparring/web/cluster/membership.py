"""Cluster membership: everything that a process joins, runs and leaves together."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any

from sparring.engine.errors import SparringError
from sparring.web.settings import Settings
from sparring.web.storage import LeaseStore, RateLimitStore
from sparring.web.tables.tables import Tables

from .nodes import ClusterNode
from .proxying import ProxyMiddleware
from .shared_rate_limits import SharedRateLimits
from .transport import address_from, address_on_machine
from .worker_keys import worker_key

if TYPE_CHECKING:
    from .broker import Broker, KeyChannel
    from .broker_transport import BrokerTransport
    from .job_queue import JobQueue

#: The log message when the broker goes away.
BROKER_LOST = "The broker is unreachable: tables of other machines are unavailable, and bots run here until it is back."

App = Callable[[Any, Any, Any], Awaitable[None]]
Work = Callable[[], Coroutine[Any, Any, None]]


class ClusterMembership:
    """One process's part in a cluster. With a broker it needs no internal address."""

    node: ClusterNode
    proxy: ProxyMiddleware
    rate_limits: SharedRateLimits

    def __init__(self, settings: Settings, app: App) -> None:
        """`app` answers the requests of other processes."""
        self._settings = settings
        self.broker: Broker | None = None
        self.channel: KeyChannel | None = None
        self.jobs: JobQueue | None = None
        self._broker_transport: BrokerTransport | None = None
        self._joined = asyncio.Event()
        if settings.broker:
            from . import broker, broker_transport, job_queue  # loaded only if a broker is set

            self.broker = broker.Broker(settings.broker, BROKER_LOST)
            self.channel = broker.KeyChannel(self.broker, settings.secret)
            self.jobs = job_queue.JobQueue(
                self.broker, [worker_key(secret) for secret in (settings.secret, *settings.older_secrets)]
            )
            self._broker_transport = broker_transport.BrokerTransport(self.channel, app)

    async def join(self, tables: Tables) -> list[Work]:
        """Join the cluster; return the tasks to run while the process lives."""
        address, background = self._settings.inside, list[Work]()
        if self.broker is not None and self._broker_transport is not None:
            if not address:
                address = self._broker_transport.address
            elif self._settings.machine:
                address = address_on_machine(self._broker_transport.address, self._settings.machine, address)
            background += [self.broker.follow, self._broker_transport.follow]
        self.node = tables.registry.ownership = ClusterNode(
            LeaseStore(tables.store), address, tables.registry.evict_all
        )
        await self.node.join()
        self.proxy = ProxyMiddleware(self.node, self._settings, self._broker_transport)
        self.rate_limits = SharedRateLimits(RateLimitStore(tables.store), tables.rate_limits)
        self._joined.set()
        return [*background, self.node.follow, self.rate_limits.follow]

    async def process_ended(self, address: str) -> None:
        """Record that the process at an address has ended, as the supervisor reports, so that nothing waits for it."""
        await self._joined.wait()
        self.proxy.forget(address)
        if self._broker_transport is not None:
            self._broker_transport.process_ended(address_from(address, ""))
        with contextlib.suppress(SparringError):
            await self.node.remove_at(address)

    async def leave(self) -> None:
        """Give up all tables and close the connections."""
        await self.node.leave()
        if self._broker_transport is not None:
            await self._broker_transport.close()
        await self.proxy.close()
        if self.broker is not None:
            await self.broker.close()
