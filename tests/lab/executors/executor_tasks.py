"""Tasks for executors that report their process, or fail."""

import os
import signal
import time
from pathlib import Path
from typing import Any


def squares(job: Any, task: int) -> tuple[int, int]:
    """Return the square of a task, and the id of the process that computed it."""
    return task * task, os.getpid()


def fails_once(job: str, task: int) -> int:
    """Return the square of a task; the first process to reach task 3 is killed."""
    if task == 3 and not Path(job).exists():
        Path(job).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task * task


def kills_its_worker(job: Any, task: int) -> int:
    """Kill the process that runs this task."""
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def slow_at_first(job: Any, task: int) -> int:
    """Take longer for the first task than for the others."""
    time.sleep(0.05 * (task == 0))
    return task


def runs_once(job: str, task: int) -> None:
    """Create a file named like the task; fail if it exists."""
    Path(job, str(task)).touch(exist_ok=False)
