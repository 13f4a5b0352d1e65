"""Jobs that train value models for sets. Bots then use the model wherever the set is played."""

from sparring.web.settings import Limits

from .job_messages import Learn, Taught, Thing
from .job_pool import JobProcesses
from .job_store import JobStore


class TrainingJob:
    """Training for a set, finished or in progress."""

    def __init__(self, who: str) -> None:
        self.who = who
        self.taught = Taught()

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

    def of(self, thing: Thing, seats: int) -> TrainingJob | None:
        """Return the training job of a set's current content, or None."""
        return self.known((thing.mark, seats))

    def begin(self, thing: Thing, seats: int, who: str) -> None:
        """Start training unless it has been done. Each person can have one training at a time."""
        if self.is_wanted((thing.mark, seats), who):
            course = TrainingJob(who)
            self.start((thing.mark, seats), course, self._learn(course, Learn(thing, seats)))

    async def _learn(self, course: TrainingJob, order: Learn) -> None:
        def progress(taught: Taught) -> None:
            course.taught = taught

        course.taught = await self._processes.learn(order, course.who, progress)
