"""The clock of a server's run: the time of its start, continued by a clock that no one can set."""

import time
from dataclasses import dataclass, field


@dataclass
class SteadyClock:
    """Returns seconds since 1970 as if the machine's clock had been right at the start and weren't set since then.

    All processes of a machine count from the same `offset`, which their supervisor hands on. One that joins
    processes on other machines adopts theirs.
    """

    offset: float = field(default_factory=lambda: time.time() - time.monotonic())

    def __call__(self) -> float:
        """Return the time."""
        return time.monotonic() + self.offset
