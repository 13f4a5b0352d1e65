"""Interrupt rules that never return, so that an endless loop is reported like any other mistake."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: The limit of one computation (seconds of processor time), far above that of any sound game.
SECONDS = 20.0


class TimedOut(Exception):
    """A computation took longer than it can take."""


@contextmanager
def time_limit() -> Iterator[None]:
    """Raise TimedOut in a computation that takes too long, on the main thread of systems with interval timers."""
    able = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not able or signal.getitimer(signal.ITIMER_VIRTUAL)[0]:
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
