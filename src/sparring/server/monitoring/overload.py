"""Measure waits: a process that can't keep up refuses newcomers, so that players are answered in time.

Under overload everything waits: callbacks for the event loop, and reads for a connection of the database. Both waits
are measured and smoothed, since one slow moment is no overload.
"""

import asyncio
import logging
import random
import time
from collections.abc import Callable

from sparring.engine.errors import SparringError
from sparring.monitoring.metrics import Histogram

log = logging.getLogger(__name__)

#: How often to measure (seconds).
OFTEN = 0.1
#: The average waits from which newcomers are refused (seconds). The slowest of a hundred choices takes about ten times
#: as long as the event loop is late on average (`make load` prints both), and should take less than a quarter of a
#: second. A page reads up to four times, so that such waits cost a newcomer about a second.
LAG, WAIT = 0.02, 0.2
#: Newcomers are let in again when the average has stayed below this share of those waits for 50 measurements, which
#: are five seconds: the server would soon be full again if they all came at the first good moment.
CALM, CALM_FOR = 0.5, 50
#: The weight of a measurement in the average, which therefore follows within a second. One counts at most LONGEST times
#: its limit, so that a single pause isn't overload, such as that of a machine that was suspended.
WEIGHT, LONGEST = 0.1, 4.0
#: With fewer open connections, newcomers aren't the reason: something else on the machine is, such as compiling.
FEW = 100
#: After how many seconds a refused newcomer should try again: not all at the same time.
AGAIN = (10, 20)

#: The sentence for newcomers, and the one for `/health`; both are public.
NO_ROOM = "The server is busy, so newcomers have to wait. Please try again in a minute."
REFUSES = "The server can't answer everyone in time, so newcomers have to wait."


class Overloaded(SparringError):
    """A newcomer has to wait."""

    status = 503

    def __init__(self) -> None:
        super().__init__(NO_ROOM)
        self.retry_after = random.randint(*AGAIN)


class Overload:
    """Whether a process is overloaded.

    `wait` returns how long the longest waiting read has waited for a connection, and `connections` how many are open.
    """

    def __init__(self, wait: Callable[[], float], connections: Callable[[], int]) -> None:
        self._wait, self._connections = wait, connections
        self._average, self._calm = 0.0, 0
        #: Whether newcomers are refused.
        self.active = False
        #: How late the event loop was.
        self.lag = Histogram()

    async def follow(self) -> None:
        """Measure until the task is cancelled."""
        while True:
            due = time.perf_counter() + OFTEN
            await asyncio.sleep(OFTEN)
            self.measure(max(time.perf_counter() - due, 0.0))

    def measure(self, lag: float) -> None:
        """Take the event loop's lag and the wait of reads into account."""
        self.lag.add(lag)
        wait = self._wait()
        self._average += WEIGHT * (min(max(lag / LAG, wait / WAIT), LONGEST) - self._average)
        self._calm = self._calm + 1 if self._average < CALM else 0
        active = self._calm < CALM_FOR if self.active else self._average > 1.0 and self._connections() >= FEW
        if active != self.active:
            self.active = active
            said = "Overloaded, so newcomers are refused" if active else "Newcomers are let in again"
            log.warning("%s: the event loop was late by %.0f ms, reads waited %.0f ms", said, 1000 * lag, 1000 * wait)
