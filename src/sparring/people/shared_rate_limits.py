"""Shared rate limits: processes exchange their counters every few seconds.

If that fails, each process's own limits stay in force: a client can do as much at each process, but isn't locked
out. What couldn't be published is published later.
"""

import asyncio
from collections.abc import Collection

from sparring.store.processes import RateLimitStore, RateLimitUse

from .rate_limits import KINDS, RateLimits

#: What outlasts a restart of a server with a single process: a limit on 30 days.
LASTING = ("stored",)
#: How often a process publishes its use and reads the others' (seconds).
OFTEN = 3.0


class SharedRateLimits:
    """Count together with the other processes of a server, and with itself before a restart."""

    def __init__(self, store: RateLimitStore, rate_limits: RateLimits, kinds: Collection[str] = KINDS) -> None:
        self._store, self._rate_limits = store, rate_limits
        #: Use that hasn't been published yet.
        self._unpublished: dict[str, RateLimitUse] = {}
        rate_limits.share(kinds)

    async def follow(self) -> None:
        """Exchange counters until the task is cancelled."""
        await self._store.begin(_ms(self._rate_limits.clock()))
        while True:
            await asyncio.sleep(OFTEN)
            await self.count()

    async def count(self) -> None:
        """Publish this process's use and read that of the others; what couldn't be published is retried."""
        now = _ms(self._rate_limits.clock())
        for key, (took, half) in self._rate_limits.take_unpublished().items():
            self._unpublished[key] = RateLimitUse(
                self._unpublished.get(key, RateLimitUse(0, 0)).used + _ms(took), _ms(half)
            )
        if self._unpublished:
            await self._store.use(self._unpublished, now)
            self._unpublished = {}
        full_at = await self._store.nearly_exhausted(now)
        self._rate_limits.merge({key: full / 1000 for key, full in full_at.items()})


def _ms(seconds: float) -> int:
    return round(1000 * seconds)
