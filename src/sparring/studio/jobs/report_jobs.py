"""Jobs that write the lab's reports of sets."""

from sparring.lab.experiments.set_balance import SetBalance
from sparring.people.fair_queue import current_caller
from sparring.settings import Limits

from .job_messages import REPORT_BOT, Report, SetContent
from .job_pool import JobProcesses
from .job_store import JobStore


class ReportJob:
    """A report, finished (about 300 kB of HTML) or in progress."""

    def __init__(self) -> None:
        self.who = current_caller()
        self.matches = 0
        self.page, self.problem = b"", ""

    @property
    def is_done(self) -> bool:
        """Return whether the job has finished or failed."""
        return bool(self.page or self.problem)

    def fail(self, problem: str) -> None:
        """Record why the job was stopped."""
        self.problem = problem


class ReportJobs(JobStore[ReportJob]):
    """All report jobs of a server, by content and set name."""

    def __init__(self, processes: JobProcesses, limits: Limits) -> None:
        self._processes = processes
        super().__init__(
            limits.reports,
            "Another report of yours is still being written. Try again soon.",
            "The server is busy writing reports. Try again soon.",
        )

    def of(self, thing: SetContent, name: str) -> ReportJob | None:
        """Return the report job of a set's current content, or None."""
        return self.get((thing.digest, name))

    def begin(self, thing: SetContent, name: str) -> None:
        """Start a report job unless the report exists. Each person can have one at a time."""
        if self.needs_starting((thing.digest, name)):
            job = ReportJob()
            self.start((thing.digest, name), job, self._write(job, thing, name))

    async def _write(self, job: ReportJob, thing: SetContent, name: str) -> None:
        def progress(balance: SetBalance) -> None:
            job.matches = balance.matches

        compiled = await self._processes.compiled(thing.game, REPORT_BOT)
        report = await self._processes.report(Report(thing, name, compiled), progress)
        job.page, job.problem = report.file, report.problem
