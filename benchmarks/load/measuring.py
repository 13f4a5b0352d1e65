"""One measurement: a number of clients at a number of tables, for some time."""

import asyncio
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sparring.server.security.connections import raise_file_limit
from sparring.settings import Limits, Settings

from .people import LoadClient
from .server import SETTINGS, Server
from .stored import store_tables

GAME = "make-your-moves"
SECONDS, THINK = 20.0, 1.0

#: How many clients arrive per second, and the utilization at which a core counts as full.
ARRIVALS = 20
FULL = 0.9


@dataclass(frozen=True)
class Load:
    """Results in seconds: from the server's start to its first page, and from choice to new state."""

    tables: int
    choices: int
    first_page: float
    #: Median, 95th and 99th percentile of response times.
    median: float
    p95: float
    p99: float
    choices_per_second: float
    #: Answers per second of the server's processor time.
    choices_per_core: float
    #: Memory of the server at first, and growth per table (MB).
    memory: float
    memory_each: float
    #: Utilization of one core by the server and by the clients; 1 is a full core.
    core: float
    own_core: float
    #: The number of clients that were refused, and the first reason.
    refused: int
    reason: str
    #: How late the server's event loop was on average, from its `/metrics`.
    lag: float = 0.0
    #: How many clients were told to come back later, how many of them still wait, and the slowest such answer.
    turned_away: int = 0
    waiting: int = 0
    told_after: float = 0.0
    processes: int = 1
    #: The number of tables stored before the server's start, and processor time until its first page.
    stored: int = 0
    started: float = 0.0

    @property
    def limit(self) -> str:
        """Return the limit that was reached; empty if none was."""
        if self.refused:
            return f"{self.refused} clients were refused: {self.reason}"
        if self.choices < 2:
            return "there were no answers in this time"
        if self.core >= FULL * self.processes:
            return "the server's cores are saturated" if self.processes > 1 else "the server's core is saturated"
        if self.own_core >= FULL:
            return "the clients' core is saturated, so the server could do more"
        return "more than 5% of the answers take over a second" if self.p95 > 1 else ""

    def __str__(self) -> str:
        """Return a line of results."""
        percentiles = " ".join(
            f"p{part} {1000 * seconds:.0f}" for part, seconds in ((50, self.median), (95, self.p95), (99, self.p99))
        )
        core = f"{self.core:.0%} of a core, so {self.choices_per_core:.0f} answers/s per full core"
        total = self.memory + self.tables * self.memory_each
        memory = f"{self.memory:.0f} MB and {1000 * self.memory_each:.0f} kB a table, {total:.0f} MB in all"
        prefix = f"{self.processes} processes, " if self.processes > 1 else ""
        stored = f" with {self.stored:,} tables stored" if self.stored else ""
        start = f"first page{stored} after {self.first_page:.2f} s ({self.started:.2f} s of CPU time)"
        if self.turned_away:
            start += f"; {self.turned_away} clients had to come back later, {self.waiting} still wait, "
            start += f"told within {1000 * self.told_after:.0f} ms"
        lag = f"event loop late by {1000 * self.lag:.0f} ms"
        results = f"{start}; {self.choices_per_second:.0f} answers/s, {percentiles} ms, {lag}, {core}, {memory}"
        return f"{prefix}{self.tables} tables: {results}; {self.limit or 'no limit reached'}"


def measure(
    tables: int = 100, seconds: float = SECONDS, think: float = THINK, game: str = GAME, *, processes: int = 1,
    database: str = "", stored: int = 0,
) -> Load:  # fmt: skip
    """Play a game at `tables` tables for `seconds`, on a server with some processes; people think `think` seconds.

    `stored` tables are stored in the database before the server starts.
    """
    return asyncio.run(_measure(tables, seconds, think, game, processes, database, stored))


async def _measure(
    tables: int, seconds: float, think: float, game: str, processes: int, database: str, stored: int
) -> Load:
    raise_file_limit(Limits())
    with tempfile.TemporaryDirectory() as folder:
        if stored:
            more: dict[str, Any] = {"database": database} if database else {}
            await store_tables(Settings.load(Path(folder), SETTINGS, **more), game, stored)
        server, began = Server(folder, processes, database), time.perf_counter()
        try:
            await server.start()
            first_page, started = time.perf_counter() - began, server.used()
            await server.settle()
            memory = server.memory()
            people = [LoadClient(server.port, f"Person {number}", think, game) for number in range(tables)]
            tasks = list[asyncio.Task[None]]()
            for person in people:
                tasks.append(asyncio.create_task(person.live()))
                await asyncio.sleep(1 / ARRIVALS)
            for person in people:
                person.answers.clear()
            late_before = await server.lateness()
            began, used_before, own_before = time.perf_counter(), server.used(), time.process_time()
            await asyncio.wait(tasks, timeout=seconds)
            elapsed, grown = time.perf_counter() - began, server.memory() - memory
            late, times = (after - before for before, after in zip(late_before, await server.lateness(), strict=True))
            waiting = sum(person.waits for person in people)
            used, own_core = server.used() - used_before, (time.process_time() - own_before) / elapsed
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for person in people:
                person.close()
        finally:
            await server.stop()
    answers = sorted(answer for person in people for answer in person.answers)
    turned_away = [max(person.turned_away) for person in people if person.turned_away]
    reasons = [person.refused for person in people if person.refused]
    parts = statistics.quantiles(answers if len(answers) > 1 else [elapsed, elapsed], n=100)
    return Load(
        tables=tables, choices=len(answers), first_page=first_page, median=parts[49], p95=parts[94], p99=parts[98],
        choices_per_second=len(answers) / elapsed, choices_per_core=len(answers) / (used or elapsed), memory=memory,
        memory_each=grown / tables, core=used / elapsed, own_core=own_core, refused=len(reasons),
        reason="".join(reasons[:1]), turned_away=len(turned_away), waiting=waiting,
        lag=late / max(times, 1), told_after=max(turned_away, default=0.0), processes=processes, stored=stored,
        started=started,
    )  # fmt: skip
