"""Cancellation of tasks that reconnect in a loop."""

import asyncio


def is_cancelled() -> bool:
    """Return whether the current task was cancelled: an error while closing a connection may have hidden it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
