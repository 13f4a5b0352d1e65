"""The workshop of a server: its processes, what they measure, what bots learn there, and what is written."""

from sparring.web.settings import Limits

from .courses import Courses
from .measuring import Measurings
from .processes import Processes
from .reports import Reports


class Workshop:
    """All that is made of sets."""

    def __init__(self, limits: Limits) -> None:
        self.processes = Processes()
        self.measurings = Measurings(self.processes, limits)
        self.reports = Reports(self.processes, limits)
        self.courses = Courses(self.processes, limits)

    async def close(self) -> None:
        """End all of it."""
        await self.measurings.close()
        await self.reports.close()
        await self.courses.close()
        await self.processes.close()
