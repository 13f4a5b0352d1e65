"""Jobs that train value models for sets. Bots then use the model wherever the set is played."""

from sparring.web.settings import Limits

from .job_messages import SetContent, TrainingProgress, TrainRequest
from .job_pool import JobProcesses
from .job_store import JobStore


class TrainingJob:
    """Training for a set, finished or in progress."""

    def __init__(self, who: str) -> None:
        self.who = who
        self.taught = TrainingProgress()

    @property
    def problem(self) -> str:
        """Why training failed; empty otherwise."""
        return self.taught.problem

    @property
    def is_done(self) -> bool:
        """Whether training has finished or failed."""
        return self.taught.is_over


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

    def begin(self, thing: SetContent, seats: int, who: str) -> None:
        """Start training unless it has been done. Each person can have one training at a time."""
        if self.needs_starting((thing.digest, seats), who):
            course = TrainingJob(who)
            self.start((thing.digest, seats), course, self._learn(course, TrainRequest(thing, seats)))

    async def _learn(self, course: TrainingJob, order: TrainRequest) -> None:
        def progress(taught: TrainingProgress) -> None:
            course.taught = taught

        course.taught = await self._processes.train(order, course.who, progress)
