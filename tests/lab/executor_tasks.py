"""Work for the hands of the lab that tells who did it, and that can go wrong."""

import os
import signal
import time
from pathlib import Path
from typing import Any


def squares(job: Any, task: int) -> tuple[int, int]:
    """The square of a task, and the process that knows it."""
    return task * task, os.getpid()


def unsteady(job: str, task: int) -> int:
    """As squares, but the process that is first at task 3 goes down with it."""
    if task == 3 and not Path(job).exists():
        Path(job).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task * task


def deadly(job: Any, task: int) -> int:
    """Whoever does it goes down."""
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def uneven(job: Any, task: int) -> int:
    """The first tasks take longest."""
    time.sleep(0.05 * (task == 0))
    return task


def noted(job: str, task: int) -> None:
    """Notes that it was done, and will not be done twice."""
    Path(job, str(task)).touch(exist_ok=False)
