"""The bounds of the database: its limit and its disk. Warn before they are reached; at the limit, save nothing new."""

import asyncio
import logging
import shutil
import time

from sparring.engine.folders import data_folder
from sparring.people.rate_limits import NEARLY, RateLimits
from sparring.settings import DAY
from sparring.store.database import Database

log = logging.getLogger(__name__)

#: How often the size is looked up (seconds).
OFTEN = 30.0
#: The disk should have this much left (bytes) besides room for a copy of an SQLite file, as for an upgrade.
SPARE = 500_000_000

#: Kinds of warnings, and what the log says besides about each.
NEAR, FULL, DISK = "near", "full", "disk"
REMEDY = {
    NEAR: "Delete old tables with `sparring admin prune`, or raise the setting `limits.database`.",
    FULL: "Delete old tables with `sparring admin prune`, or raise the setting `limits.database`.",
    DISK: "Delete what isn't needed, such as old backups, or old tables with `sparring admin prune`.",
}


def free_space(store: Database) -> tuple[int, int]:
    """Return how many bytes of the disk with the database are used and free; the data folder's with PostgreSQL."""
    usage = shutil.disk_usage(store.file.parent if store.file else data_folder())
    return usage.used, usage.free


async def bounds(store: Database, limit: int) -> dict[str, str]:
    """Return the warnings about a database: a public sentence for each kind."""
    size, found = await store.size(), dict[str, str]()
    if size >= limit:
        found[FULL] = "The database has reached its limit, so nothing new is saved."
    elif size >= NEARLY * limit:
        found[NEAR] = f"The database takes up {size / limit:.0%} of its limit. At 100% nothing new is saved."
    _, free = free_space(store)
    if free < SPARE + (size if store.file else 0):
        found[DISK] = f"The disk has only {free / 1e6:,.0f} MB left."
    return found


class DatabaseBound:
    """Compare the size of the database with its limit and its disk."""

    def __init__(self, store: Database, rate_limits: RateLimits, limit: int) -> None:
        self._store, self._rate_limits, self._limit = store, rate_limits, limit
        #: When each kind of warning was logged last.
        self._logged: dict[str, float] = {}
        #: What `/health` says.
        self.warnings: list[str] = []

    async def follow(self) -> None:
        """Check the size until the task is cancelled."""
        while True:
            await self.check()
            await asyncio.sleep(OFTEN)

    async def check(self) -> None:
        """Save nothing new while the database is full, and log each kind of warning once a day."""
        found = await bounds(self._store, self._limit)
        self._rate_limits.full, self.warnings = FULL in found, list(found.values())
        for kind, sentence in found.items():
            if time.monotonic() - self._logged.get(kind, -DAY) >= DAY:
                self._logged[kind] = time.monotonic()
                log.warning("%s %s", sentence, REMEDY[kind])
