"""Probe: write to the database every few seconds as a choice does, and remember whether that works.

Each time, the process writes a report on itself and reads those of the others.
"""

import asyncio
from collections.abc import Callable

from sparring.monitoring import FaultLog
from sparring.settings.secrets import random_id
from sparring.store.group_commit import StoreError
from sparring.store.processes import ProcessReportStore

#: How often to write, and after how long without an answer the database counts as away (seconds).
OFTEN, PATIENCE = 5.0, 5.0

#: The sentence about a probe that fails; it is public.
FAILS = "The database can't be written to, so tables can't be created or played."


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
            await asyncio.sleep(OFTEN)

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
