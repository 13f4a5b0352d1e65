"""Jobs that tune sets: they search for values that bring an item to a win rate, and propose the best ones."""

from sparring.settings import Limits

from .job_messages import SetContent, TuningProgress
from .job_pool import JobProcesses
from .job_store import JobStore, ProgressJob
from .tuning_plan import TuningPlan


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
