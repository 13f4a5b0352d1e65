"""Faults, figures and load: what fails is logged once a minute, endless tasks start again, and metrics add up.

What must hold:

* Nothing here waits for the database.
* A kind of fault is public, since `/health` shows it; a cause is for the log only.

Endless tasks of a process (`Loops`) report unexpected errors to the fault log and start again.

Under overload everything waits: callbacks for the event loop, and reads for a connection of the database. Both waits
are measured and smoothed (`Overload`), since one slow moment is no overload.
"""

import asyncio
import logging
import random
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from sparring.engine.errors import SparringError
from sparring.engine.messages import say
from sparring.settings.secrets import random_id

log = logging.getLogger(__name__)

#: Marks messages that are counted here, so that the filter of the log (`server/monitoring.py`) lets them through.
COUNTED = {"counted": True}
#: How long faults of a kind share an entry, and how long an entry counts as recent (seconds).
MINUTE, RECENT = 60.0, 120.0
#: The most entries at a time; further causes share one entry for their kind.
MOST = 500
#: The longest cause in the log, in characters.
LONGEST = 300

#: The function of an endless task.
Work = Callable[[], Awaitable[None]]
#: The pause before a task starts again, and before one does that works every hour (seconds).
PAUSE, LONG_PAUSE = 1.0, 60.0


@dataclass
class Fault:
    """An entry of the log: faults of one kind with one cause, within a minute."""

    id: str
    kind: str
    cause: str
    started: float
    count: int = 0
    #: How many of them the log has reported.
    logged: int = 1

    def __str__(self) -> str:
        return f"{self.count} × {self.kind} (log entry {self.id})"


class FaultLog:
    """The faults of a process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._entries: dict[tuple[str, str], Fault] = {}
        #: All faults since the start, by kind.
        self.counts: Counter[str] = Counter()

    def report(self, kind: str, problem: BaseException | str) -> str:
        """Count a fault, and return the id of its entry. The first one of an entry is logged at once."""
        self.tidy()
        kind, cause = kind.rstrip("."), cause_of(problem)
        key = (kind, cause if len(self._entries) < MOST else "")
        fault = self._entries.get(key)
        if fault is None or self._clock() - fault.started >= MINUTE:
            fault = self._entries[key] = Fault(random_id(6), kind, cause, self._clock())
            bug = None if isinstance(problem, SparringError | str) else problem
            log.error("[%s] %s: %s", fault.id, kind, cause, exc_info=bug, extra=COUNTED)
        fault.count += 1
        self.counts[kind] += 1
        return fault.id

    def tidy(self, *, closing: bool = False) -> None:
        """Log the counts of entries that are complete, and drop old ones."""
        now = self._clock()
        for key, fault in list(self._entries.items()):
            age = now - fault.started
            if fault.count > fault.logged and (age >= MINUTE or closing):
                fault.logged = fault.count
                log.error("[%s] %s: %s times within a minute", fault.id, fault.kind, fault.count, extra=COUNTED)
            if age >= RECENT:
                del self._entries[key]

    def recent(self) -> list[Fault]:
        """Return the entries of the last minutes."""
        self.tidy()
        return list(self._entries.values())


def cause_of(problem: BaseException | str) -> str:
    """Return the innermost cause in one line; of a database error only the driver's message, without values."""
    if isinstance(problem, str):
        return problem[:LONGEST]
    while problem.__cause__ is not None:
        problem = problem.__cause__
    problem = getattr(problem, "orig", None) or problem
    message = (str(problem).splitlines() or [""])[0]
    return f"{type(problem).__name__}: {message}".rstrip(": ")[:LONGEST]


class Loops:
    """Runs endless tasks until it is stopped."""

    def __init__(self, faults: FaultLog) -> None:
        self._faults = faults
        self._tasks: list[asyncio.Task[None]] = []
        #: How often each task has failed; its name is that of its function.
        self.failures: Counter[str] = Counter()

    def start(self, work: Work, pause: float = 0.0) -> None:
        """Start a task; if it fails, it starts again after a pause (PAUSE, unless given). It may end by returning."""
        name = work.__qualname__.rpartition("<locals>.")[2]
        self.failures[name] = 0
        self._tasks.append(asyncio.create_task(self._run(name, work, pause), name=name))

    async def _run(self, name: str, work: Work, pause: float) -> None:
        while not is_cancelled():
            try:
                await work()
                return
            except (Exception, asyncio.CancelledError) as problem:  # also of something else that it waited for
                if is_cancelled():
                    raise
                self.failures[name] += 1
                self._faults.report(f"{name} failed and starts again", problem)
            await asyncio.sleep(pause or PAUSE)

    async def stop(self) -> None:
        """Cancel all tasks, and wait for their end."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def is_cancelled() -> bool:
    """Return whether the current task was cancelled: an error while closing a connection may have hidden it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


#: The upper ends of the classes of durations (seconds).
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

#: Every metric: its type and what it says.
METRICS: dict[str, tuple[str, str]] = {
    "sparring_processes": ("gauge", "Server processes"),
    "sparring_ready": ("gauge", "Server processes that can write to the database"),
    "sparring_requests_total": ("counter", "Requests by method and status"),
    "sparring_request_seconds": ("histogram", "Time until a response begins"),
    "sparring_connections": ("gauge", "Open connections"),
    "sparring_streams": ("gauge", "Open event streams"),
    "sparring_loop_lag_seconds": ("histogram", "How late the event loop is, measured ten times a second"),
    "sparring_overloaded": ("gauge", "Server processes that refuse newcomers because they can't keep up"),
    "sparring_tables": ("gauge", "Tables in memory"),
    "sparring_bots_playing": ("gauge", "Tables at which a bot chooses"),
    "sparring_bot_questions_waiting": ("gauge", "Questions to bots that wait for a process"),
    "sparring_faults_total": ("counter", "Faults by kind: refusals, loops and bots that failed"),
    "sparring_loop_failures_total": ("counter", "Failures of endless tasks"),
    "sparring_commit_seconds": ("histogram", "Duration of commits"),
    "sparring_read_seconds": ("histogram", "Duration of reads, with the wait for a connection"),
    "sparring_connection_wait_seconds": ("histogram", "How long reads waited for a connection"),
    "sparring_writes_waiting": ("gauge", "Writes that wait for a commit"),
    "sparring_memory_bytes": ("gauge", "Resident memory"),
    "sparring_disk_used_bytes": ("gauge", "Used space of the disk with the database"),
    "sparring_disk_free_bytes": ("gauge", "Free space of the disk with the database"),
}
#: Metrics that are the same in all processes of a machine: the largest counts.
SHARED = ("sparring_disk_used_bytes", "sparring_disk_free_bytes")

#: Values by sample: the name of a metric, with labels.
Figures = Mapping[str, float]


class ProcessReport(msgspec.Struct, frozen=True):
    """What a process writes about itself: its figures, and what has failed lately."""

    figures: dict[str, float] = {}
    faults: list[str] = []


class Histogram:
    """How many durations were at most as long as each of BUCKETS, with their number and sum."""

    def __init__(self) -> None:
        self._counts = [0] * len(BUCKETS)
        self._count, self._sum = 0, 0.0

    def add(self, seconds: float) -> None:
        """Count a duration."""
        self._count += 1
        self._sum += seconds
        for index, end in enumerate(BUCKETS):
            self._counts[index] += seconds <= end

    def figures(self, name: str) -> dict[str, float]:
        """Return the samples of the metric `name`."""
        counted = {f"{name}_bucket{labels(le=f'{end:g}')}": n for end, n in zip(BUCKETS, self._counts, strict=True)}
        return {
            **counted, f"{name}_bucket{labels(le='+Inf')}": self._count, f"{name}_sum": self._sum,
            f"{name}_count": self._count,
        }  # fmt: skip


def labels(**values: Any) -> str:
    """Return labels as a sample has them."""
    texts = {name: re.sub(r'[\\"\n]', "'", str(value)) for name, value in values.items()}
    return "{" + ",".join(f'{name}="{text}"' for name, text in texts.items()) + "}"


def added_up(processes: Iterable[Figures]) -> dict[str, float]:
    """Return the figures of several processes together."""
    total: dict[str, float] = {}
    for figures in processes:
        for sample, value in figures.items():
            before = total.get(sample, 0.0)
            total[sample] = max(before, value) if sample in SHARED else before + value
    return total


def as_text(figures: Figures) -> str:
    """Return figures in the text format of Prometheus."""
    lines = list[str]()
    for name, (kind, meaning) in METRICS.items():
        lines += [f"# HELP {name} {meaning}", f"# TYPE {name} {kind}"]
        names = {f"{name}{end}" for end in ("_bucket", "_sum", "_count")} if kind == "histogram" else {name}
        lines += [f"{key} {value:.17g}" for key, value in figures.items() if key.partition("{")[0] in names]
    return "\n".join(lines) + "\n"


#: How often to measure (seconds).
OFTEN = 0.1
#: The average waits from which newcomers are refused (seconds). The slowest of a hundred choices takes about ten times
#: as long as the event loop is late on average (`make load` prints both), and should take less than a quarter of a
#: second. A page reads up to four times, so that such waits cost a newcomer about a second.
LAG, WAIT = 0.02, 0.2
#: Newcomers are let in again when the average has stayed below this share of those waits for 50 measurements, which
#: are five seconds: the server would soon be full again if they all came at the first good moment.
CALM, CALM_FOR = 0.5, 50
#: The weight of a measurement in the average, which therefore follows within a second. One counts at most MOST_TIMES
#: times its limit, so that a single pause isn't overload, such as that of a machine that was suspended.
WEIGHT, MOST_TIMES = 0.1, 4.0
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
        super().__init__(say(NO_ROOM))
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
        self._average += WEIGHT * (min(max(lag / LAG, wait / WAIT), MOST_TIMES) - self._average)
        self._calm = self._calm + 1 if self._average < CALM else 0
        active = self._calm < CALM_FOR if self.active else self._average > 1.0 and self._connections() >= FEW
        if active != self.active:
            self.active = active
            said = "Overloaded, so newcomers are refused" if active else "Newcomers are let in again"
            log.warning("%s: the event loop was late by %.0f ms, reads waited %.0f ms", said, 1000 * lag, 1000 * wait)
