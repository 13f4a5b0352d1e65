"""Whoever never comes to an end is interrupted, so that a loop without an exit is told like any other mistake."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: How long one thing may be computed (seconds of processor time); no sound game comes near it.
PATIENCE = 20.0


class TimedOut(Exception):
    """Something was computed for longer than it can take."""


@contextmanager
def not_for_ever() -> Iterator[None]:
    """Raise Endless in what computes for too long: where the system has such a clock, and in the main thread."""
    able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not able or signal.getitimer(signal.ITIMER_VIRTUAL)[0]:
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise TimedOut(f"it goes on for ever (it was interrupted after {PATIENCE:g} seconds)")
