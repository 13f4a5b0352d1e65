"""All studio jobs of a server: reports of the lab, training of value models, and tuning.

Bots use a trained model wherever its set is played. Tuning searches for values that bring an item to a win rate, and
proposes the best ones.
"""

import msgspec

from sparring.lab.experiments.set_balance import SetBalance
from sparring.settings import Limits
from sparring.store.database import Database
from sparring.store.processes import SharedStates

from .job_messages import REPORT_BOT, Report, SetContent, TrainingProgress, TrainRequest, TuningProgress
from .job_pool import JobProcesses
from .job_store import JobStore, ProgressJob
from .measuring import MeasuredSet, SetMeasurings
from .tuning_plan import TuningPlan

#: Training for a set.
TrainingJob = ProgressJob[TrainingProgress]


class ReportJob(msgspec.Struct):
    """A report, finished (about 300 kB of HTML) or in progress."""

    matches: int = 0
    page: bytes = b""
    problem: str = ""

    @property
    def is_done(self) -> bool:
        """Return whether the job has finished or failed."""
        return bool(self.page or self.problem)

    def fail(self, problem: str) -> None:
        """Record why the job was stopped."""
        self.problem = problem


class ReportJobs(JobStore[ReportJob]):
    """All report jobs of a server, by content and set name."""

    kind, job = "report", ReportJob
    another = "Another report of yours is still being written. Try again soon."
    too_many = "The server is busy writing reports. Try again soon."

    async def of(self, thing: SetContent, name: str) -> ReportJob | None:
        """Return the report job of a set's current content, or None."""
        return await self.find((thing.digest, name))

    async def begin(self, thing: SetContent, name: str) -> None:
        """Start a report job unless the report exists. Each person can have one at a time."""
        job = ReportJob()
        await self.start((thing.digest, name), job, lambda: self._write(job, thing, name))

    async def _write(self, job: ReportJob, thing: SetContent, name: str) -> None:
        def progress(balance: SetBalance) -> None:
            job.matches = balance.matches

        compiled = await self._processes.compiled(thing.game, REPORT_BOT)
        report = await self._processes.report(Report(thing, name, compiled), progress)
        job.page, job.problem = report.file, report.problem


class TrainingJobs(JobStore[TrainingJob]):
    """All training jobs of a server, by content, options and number of seats."""

    kind, job = "training", TrainingJob
    another = "Bots are still training on another set of yours. Try again soon."
    too_many = "The server is busy training bots. Try again soon."

    async def of(self, thing: SetContent, seats: int) -> TrainingJob | None:
        """Return the training job of a set's current content, or None."""
        return await self.find((thing.digest, seats))

    async def begin(self, thing: SetContent, seats: int) -> None:
        """Start training unless it has been done. Each person can have one training at a time."""
        job = TrainingJob(TrainingProgress())
        await self.start((thing.digest, seats), job, lambda: self._train(job, TrainRequest(thing, seats)))

    async def _train(self, job: TrainingJob, request: TrainRequest) -> None:
        job.progress = await self._processes.train(request, job.report)


class TuningJob(ProgressJob[TuningProgress]):
    """A tuning of a set, with its plan."""

    plan: TuningPlan


class TuningJobs(JobStore[TuningJob]):
    """All tuning jobs of a server, by set and key: proposals stay while the set is edited."""

    kind, job = "tuning", TuningJob
    another = "Another set of yours is still being tuned. Try again soon."
    too_many = "The server is busy tuning sets. Try again soon."

    async def begin(self, set_id: str, content: SetContent, plan: TuningPlan) -> str:
        """Start a tuning unless it has been done, and return its key. Each person can have one at a time."""
        key, job = plan.key(content), TuningJob(TuningProgress(), plan)
        await self.start((set_id, key), job, lambda: self._tune(job, content))
        return key

    async def _tune(self, job: TuningJob, content: SetContent) -> None:
        if not await self._processes.compiled(content.game, job.plan.bot):
            job.progress = TuningProgress(problem="This game can't be tuned: its rules can't be compiled.")
            return
        job.progress = await self._processes.tune(content, job.plan.toml(content), job.report)


class StudioJobs:
    """Measuring, report, training and tuning jobs, and their processes."""

    def __init__(self, limits: Limits, store: Database) -> None:
        self.processes = JobProcesses()
        measured = SharedStates[MeasuredSet](store, "measuring", MeasuredSet)
        self.measurings = SetMeasurings(self.processes, limits, measured)
        self.reports = ReportJobs(store, self.processes, limits.reports)
        self.trainings = TrainingJobs(store, self.processes, limits.learned)
        self.tunings = TuningJobs(store, self.processes, limits.tuned)

    async def close(self) -> None:
        """Stop all jobs and processes."""
        await self.measurings.close()
        await self.reports.close()
        await self.trainings.close()
        await self.tunings.close()
        await self.processes.close()
