"""All studio jobs of a server."""

from sparring.settings import Limits

from .job_pool import JobProcesses
from .measuring import SetMeasurings
from .report_jobs import ReportJobs
from .training_jobs import TrainingJobs
from .tuning_jobs import TuningJobs


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
