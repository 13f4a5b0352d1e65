"""The lab's full reports of sets, written in a process."""

from sparring.lab.experiments.set_balance import SetBalance
from sparring.web.settings import Limits

from .job_messages import FIRST, Report, Thing
from .job_pool import JobProcesses
from .job_store import JobStore


class ReportJob:
    """A report that is being written, or that is there, some 300 kB."""

    def __init__(self, who: str) -> None:
        self.who = who
        self.matches = 0
        self.page, self.problem = b"", ""

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to come."""
        return bool(self.page or self.problem)


class ReportJobs(JobStore[ReportJob]):
    """All reports of a server, by the content that they tell of."""

    def __init__(self, processes: JobProcesses, limits: Limits) -> None:
        self._processes = processes
        super().__init__(
            limits.reports,
            "Another report is being written for you; it will soon be there.",
            "Very many reports are being written at the moment; please come back soon.",
        )

    def of(self, thing: Thing, name: str) -> ReportJob | None:
        """The report of a set as it is now."""
        return self.known((thing.mark, name))

    def begin(self, thing: Thing, name: str, who: str) -> None:
        """Have a report written, unless it is there; one at a time for everybody."""
        if self.is_wanted((thing.mark, name), who):
            writing = ReportJob(who)
            self.start((thing.mark, name), writing, self._write(writing, thing, name))

    async def _write(self, writing: ReportJob, thing: Thing, name: str) -> None:
        def progress(worth: SetBalance) -> None:
            writing.matches = worth.matches

        compiled = await self._processes.compiled(thing.game, FIRST)
        made = await self._processes.report(Report(thing, name, compiled), writing.who, progress)
        writing.page, writing.problem = made.file, made.problem
