"""Reports: what each process of a server last said about itself. Writing one shows whether the database works."""

import time

from sqlalchemy import Connection, delete, insert, select

from sparring.store.schema import ProcessReportRow
from sparring.store.transactions import Store, transaction

#: How long a report counts (ms): a process that hasn't written for so long is gone.
FRESH = 30_000


class ProcessReportStore(Store):
    """The reports of all processes."""

    @transaction
    def write(self, connection: Connection, process: str, report: str) -> None:
        """Write a process's report, and delete those of processes that are gone."""
        now = time.time_ns() // 1_000_000
        old = (ProcessReportRow.process == process) | ~ProcessReportRow.at.between(now - FRESH, now + FRESH)
        connection.execute(delete(ProcessReportRow).where(old))
        connection.execute(insert(ProcessReportRow).values(process=process, at=now, report=report))

    async def read(self) -> dict[str, str]:
        """Return the reports of all running processes."""
        now = time.time_ns() // 1_000_000
        fresh = ProcessReportRow.at.between(now - FRESH, now + FRESH)
        query = select(ProcessReportRow.process, ProcessReportRow.report).where(fresh)
        async with self._store.reading() as session:
            return {row.process: row.report for row in await session.execute(query)}
