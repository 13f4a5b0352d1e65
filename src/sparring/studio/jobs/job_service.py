"""All studio jobs of a server (reports, training, tuning): each is started once, and the newest results are kept.

Bots use a trained model wherever its set is played. Tuning searches for values that bring an item to a win rate, and
proposes the best ones.
"""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from sparring.lab.experiments.set_balance import SetBalance
from sparring.people.fair_queue import Who, current_caller, loser
from sparring.people.rate_limits import TooMany
from sparring.settings import Limits
from sparring.store.database import Database
from sparring.store.processes import KEPT, Job, SharedJobs, SharedStates

from .job_messages import REPORT_BOT, Report, SetContent, TrainingProgress, TrainRequest, TuningProgress
from .job_pool import JobProcesses
from .measuring import MeasuredSet, SetMeasurings
from .tuning_plan import TuningPlan


class StoredJob(Job, Protocol):
    """A job that a person requested."""

    def fail(self, problem: str) -> None:
        """Record why the job was stopped."""


class JobProgress(Protocol):
    """The progress of a job."""

    def __init__(self, *, problem: str = "") -> None: ...

    @property
    def problem(self) -> str:
        """Return why the job failed; empty otherwise."""

    @property
    def is_over(self) -> bool:
        """Return whether the job has finished or failed."""


Progress = TypeVar("Progress", bound=JobProgress)


class ProgressJob(msgspec.Struct, Generic[Progress]):
    """A job with progress, finished or not."""

    progress: Progress

    @property
    def problem(self) -> str:
        """Return why the job failed; empty otherwise."""
        return self.progress.problem

    @property
    def is_done(self) -> bool:
        """Return whether the job has finished or failed."""
        return self.progress.is_over

    def report(self, progress: Progress) -> None:
        """Keep the newest progress."""
        self.progress = progress

    def fail(self, problem: str) -> None:
        """Record why the job was stopped."""
        self.progress = type(self.progress)(problem=problem)


P = TypeVar("P", bound=StoredJob)


class JobStore(SharedJobs[P]):
    """All jobs of a kind, by subject. The limits hold for each process."""

    #: The name of the kind, and the type of its jobs.
    kind: str
    job: Any
    #: The errors for a person with an unfinished job, and for the person with the most jobs when there are too many.
    another: str
    too_many: str

    def __init__(self, store: Database, processes: JobProcesses, most: int) -> None:
        """Allow `most` unfinished jobs, and one per person.

        Beyond `most`, the address with the most jobs loses its newest one.
        """
        super().__init__(store, self.kind, self.job)
        self._processes, self._most = processes, most
        #: The tasks of unfinished jobs, and who requested them.
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}
        self._who: dict[Hashable, Who] = {}

    async def start(self, subject: Hashable, job: P, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start a job unless it runs or has succeeded, and drop the oldest finished ones.

        Raises TooMany if a limit is reached.
        """
        if not await self.claim(subject, job):
            return
        try:
            self._make_room()
        except TooMany:
            await self.drop(subject)
            raise
        self.here[subject], self._who[subject] = job, current_caller()
        self.here.move_to_end(subject)
        for key in [key for key, one in self.here.items() if one.is_done][: len(self.here) - KEPT]:
            del self.here[key]
        task = self._tasks[subject] = asyncio.create_task(self.run(subject, job, work))

        def forget(_: object) -> None:
            if self._tasks.get(subject) is task:
                del self._tasks[subject], self._who[subject]

        task.add_done_callback(forget)

    def _make_room(self) -> None:
        who = current_caller()
        running = {one: key for key, one in self._who.items() if key in self.here and not self.here[key].is_done}
        if who in running or (who[-1] and who[-1] in {one[-1] for one in running}):
            raise TooMany(self.another)
        if len(running) >= self._most:
            losing = loser(running, who)
            if losing == who:
                raise TooMany(self.too_many)
            self._tasks[running[losing]].cancel()
            self.here[running[losing]].fail(self.too_many)

    async def close(self) -> None:
        """Cancel all jobs."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


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
