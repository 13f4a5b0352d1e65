"""Interrupt rules that never return, so that an infinite loop is reported like any other error."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: The limit for one computation (seconds of CPU time), far above what any correct game needs.
SECONDS = 20.0


class TimedOut(Exception):
    """A computation exceeded the time limit."""


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise TimedOut if the context takes too long. It works on the main thread of systems with interval timers."""
    is_supported = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not is_supported or signal.getitimer(signal.ITIMER_VIRTUAL)[0]:
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise TimedOut(f"it never returns (interrupted after {SECONDS:g} seconds)")
