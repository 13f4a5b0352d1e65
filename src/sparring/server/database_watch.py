"""Watch the database: whether it can be written to, whether it nears its limit, and whether its disk is full.

A probe writes every few seconds as a choice does. Each time, the process writes a report on itself and reads those of
the others. Warnings come before the limit or the end of the disk is reached; at the limit, nothing new is saved.
"""

import asyncio
import logging
import shutil
import time
from collections.abc import Callable

from sparring.engine.folders import data_folder
from sparring.monitoring import FaultLog
from sparring.people.rate_limits import NEARLY, RateLimits
from sparring.settings import DAY
from sparring.settings.secrets import random_id
from sparring.store.database import Database
from sparring.store.group_commit import StoreError
from sparring.store.processes import ProcessReportStore

log = logging.getLogger(__name__)

#: How often to write, and after how long without an answer the database counts as away (seconds).
PROBE_INTERVAL, PATIENCE = 5.0, 5.0
#: How often the size is looked up (seconds).
SIZE_INTERVAL = 30.0
#: The disk should have this much left (bytes) besides room for a copy of an SQLite file, as for an upgrade.
SPARE = 500_000_000

#: The sentence about a probe that fails; it is public.
FAILS = "The database can't be written to, so tables can't be created or played."

#: Kinds of warnings, and what the log says besides about each.
NEAR, FULL, DISK = "near", "full", "disk"
REMEDY = {
    NEAR: "Delete old tables with `sparring admin prune`, or raise the setting `limits.database`.",
    FULL: "Delete old tables with `sparring admin prune`, or raise the setting `limits.database`.",
    DISK: "Delete what isn't needed, such as old backups, or old tables with `sparring admin prune`.",
}


class Probe:
    """Whether the database of a process works."""

    def __init__(self, store: ProcessReportStore, faults: FaultLog, report: Callable[[], str]) -> None:
        self._store, self._faults, self._report = store, faults, report
        self._process = random_id(8)
        #: The entry of the log about the failure; empty while everything works.
        self.entry = ""
        #: The last reports of the other processes.
        self.others: list[str] = []

    async def run(self) -> None:
        """Write until the task is cancelled."""
        while True:
            await self.probe()
            await asyncio.sleep(PROBE_INTERVAL)

    async def probe(self) -> None:
        """Write once; while that takes too long, report it again and again."""
        writing = asyncio.ensure_future(self._write())
        try:
            while not (await asyncio.wait([writing], timeout=PATIENCE))[0]:
                self.entry = self._faults.report(FAILS, f"there was no answer within {PATIENCE:.0f} seconds")
            writing.result()
            self.entry = ""
        except StoreError as problem:
            self.entry = self._faults.report(FAILS, problem)
        finally:
            writing.cancel()
        self._faults.tidy()

    async def _write(self) -> None:
        await self._store.write(self._process, self._report())
        reports = await self._store.read()
        self.others = [report for process, report in reports.items() if process != self._process]


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
            await asyncio.sleep(SIZE_INTERVAL)

    async def check(self) -> None:
        """Save nothing new while the database is full, and log each kind of warning once a day."""
        found = await bounds(self._store, self._limit)
        self._rate_limits.full, self.warnings = FULL in found, list(found.values())
        for kind, sentence in found.items():
            if time.monotonic() - self._logged.get(kind, -DAY) >= DAY:
                self._logged[kind] = time.monotonic()
                log.warning("%s %s", sentence, REMEDY[kind])
