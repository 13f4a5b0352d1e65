"""The bound on the database: warn the operator before it is reached, and save nothing new above it."""

import asyncio
import logging

from sparring.web.security.rate_limits import NEARLY, RateLimits
from sparring.web.storage import Database

log = logging.getLogger(__name__)

#: How often the size is looked up (seconds).
OFTEN = 30.0


class DatabaseBound:
    """Compare the size of the database with its limit."""

    def __init__(self, store: Database, rate_limits: RateLimits, limit: int) -> None:
        self._store, self._rate_limits, self._limit = store, rate_limits, limit
        #: The percentage that was logged last.
        self._logged = 0

    async def follow(self) -> None:
        """Check the size until the task is cancelled."""
        while True:
            await self.check()
            await asyncio.sleep(OFTEN)

    async def check(self) -> None:
        """Save nothing new while the database is full, and log each further percent from NEARLY its limit on."""
        size = await self._store.size()
        self._rate_limits.full = size >= self._limit
        percent, before = 100 * size // self._limit, self._logged
        self._logged = percent if percent >= 100 * NEARLY else 0
        if self._logged > before:
            log.warning(
                "The database takes up %s of %s bytes (%d%%). %s Delete old tables with `sparring admin prune`, or "
                "raise the setting `limits.database`.",
                f"{size:,}", f"{self._limit:,}", percent,
                "Nothing new is saved." if self._rate_limits.full else "At 100% nothing new is saved.",
            )  # fmt: skip
