"""Bots learn sets, in a process: how positions are judged. From then on they play by that wherever a set is played."""

from sparring.web.settings import Limits

from .job_messages import Learn, Taught, Thing
from .job_pool import JobProcesses
from .job_store import JobStore


class TrainingJob:
    """A set that is being learned, or was."""

    def __init__(self, who: str) -> None:
        self.who = who
        self.taught = Taught()

    @property
    def problem(self) -> str:
        """Why it cannot be learned."""
        return self.taught.problem

    @property
    def is_done(self) -> bool:
        """Whether there is nothing more to come."""
        return self.taught.is_over


class TrainingJobs(JobStore[TrainingJob]):
    """All that is learned on a server, by content, options and how many play."""

    def __init__(self, processes: JobProcesses, limits: Limits) -> None:
        self._processes = processes
        super().__init__(
            limits.learned,
            "Bots are learning another set for you; they will soon be done.",
            "Very many sets are being learned at the moment; please come back soon.",
        )

    def of(self, thing: Thing, seats: int) -> TrainingJob | None:
        """How far a set is learned as it is now."""
        return self.known((thing.mark, seats))

    def begin(self, thing: Thing, seats: int, who: str) -> None:
        """Have a set learned, unless it is; one at a time for everybody."""
        if self.is_wanted((thing.mark, seats), who):
            course = TrainingJob(who)
            self.start((thing.mark, seats), course, self._learn(course, Learn(thing, seats)))

    async def _learn(self, course: TrainingJob, order: Learn) -> None:
        def progress(taught: Taught) -> None:
            course.taught = taught

        course.taught = await self._processes.learn(order, course.who, progress)
