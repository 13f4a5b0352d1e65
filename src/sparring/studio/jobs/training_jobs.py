"""Jobs that train value models for sets. Bots then use the model wherever the set is played."""

from sparring.settings import Limits

from .job_messages import SetContent, TrainingProgress, TrainRequest
from .job_pool import JobProcesses
from .job_store import JobStore, ProgressJob

#: Training for a set.
TrainingJob = ProgressJob[TrainingProgress]


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
