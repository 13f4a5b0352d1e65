"""All studio jobs of a server: reports of the lab, training of value models, and tuning.

Bots use a trained model wherever its set is played. Tuning searches for values that bring an item to a win rate, and
proposes the best ones.
"""

from sparring.lab.experiments.set_balance import SetBalance
from sparring.people.fair_queue import current_caller
from sparring.settings import Limits

from .job_messages import REPORT_BOT, Report, SetContent, TrainingProgress, TrainRequest, TuningProgress
from .job_pool import JobProcesses
from .job_store import JobStore, ProgressJob
from .measuring import SetMeasurings
from .tuning_plan import TuningPlan

#: Training for a set.
TrainingJob = ProgressJob[TrainingProgress]


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


class TrainingJobs(JobStore[TrainingJob]):
    """All training jobs of a server, by content, options and number of seats."""

    def __init__(self, processes: JobProcesses, limits: Limits) -> None:
        self._processes = processes
        super().__init__(
            limits.learned,
            "Bots are still training on another set of yours. Try again soon.",
            "The server is busy training bots. Try again soon.",
        )

    def of(self, thing: SetContent, seats: int) -> TrainingJob | None:
        """Return the training job of a set's current content, or None."""
        return self.get((thing.digest, seats))

    def begin(self, thing: SetContent, seats: int) -> None:
        """Start training unless it has been done. Each person can have one training at a time."""
        if self.needs_starting((thing.digest, seats)):
            job = TrainingJob(TrainingProgress())
            self.start((thing.digest, seats), job, self._train(job, TrainRequest(thing, seats)))

    async def _train(self, job: TrainingJob, request: TrainRequest) -> None:
        job.progress = await self._processes.train(request, job.report)


class TuningJob(ProgressJob[TuningProgress]):
    """A tuning of a set, with its plan."""

    def __init__(self, plan: TuningPlan) -> None:
        super().__init__(TuningProgress())
        self.plan = plan


class TuningJobs(JobStore[TuningJob]):
    """All tuning jobs of a server, by set and key: proposals stay while the set is edited."""

    def __init__(self, processes: JobProcesses, limits: Limits) -> None:
        self._processes = processes
        super().__init__(
            limits.tuned,
            "Another set of yours is still being tuned. Try again soon.",
            "The server is busy tuning sets. Try again soon.",
        )

    def begin(self, set_id: str, content: SetContent, plan: TuningPlan) -> str:
        """Start a tuning unless it has been done, and return its key. Each person can have one at a time."""
        key = plan.key(content)
        if self.needs_starting((set_id, key)):
            job = TuningJob(plan)
            self.start((set_id, key), job, self._tune(job, content))
        return key

    async def _tune(self, job: TuningJob, content: SetContent) -> None:
        if not await self._processes.compiled(content.game, job.plan.bot):
            job.progress = TuningProgress(problem="This game can't be tuned: its rules can't be compiled.")
            return
        job.progress = await self._processes.tune(content, job.plan.toml(content), job.report)


class StudioJobs:
    """Measuring, report, training and tuning jobs, and their processes."""

    def __init__(self, limits: Limits) -> None:
        self.processes = JobProcesses()
        self.measurings = SetMeasurings(self.processes, limits)
        self.reports = ReportJobs(self.processes, limits)
        self.trainings = TrainingJobs(self.processes, limits)
        self.tunings = TuningJobs(self.processes, limits)

    async def close(self) -> None:
        """Stop all jobs and processes."""
        await self.measurings.close()
        await self.reports.close()
        await self.trainings.close()
        await self.tunings.close()
        await self.processes.close()
