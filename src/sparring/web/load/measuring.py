"""One measurement: so many people at so many tables, for so long."""

import asyncio
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from sparring.web.security.connections import raise_file_limit
from sparring.web.settings import Limits, Settings

from .people import Somebody
from .server import SETTINGS, Server
from .stored import store_tables

GAME = "make-your-moves"
SECONDS, THINK = 20.0, 1.0

#: How many people come at the same time, and when a core counts as full.
AT_ONCE = 20
FULL = 0.9


@dataclass(frozen=True)
class Load:
    """What was measured, in seconds: from the start of the server to its first page, and from choice to new state."""

    tables: int
    choices: int
    first_page: float
    #: What half of the answers stay below, and 95 and 99 of a hundred.
    median: float
    p95: float
    p99: float
    choices_per_second: float
    #: How many answers a second of the server's processor time was enough for.
    choices_per_core: float
    #: How much memory the server had at first, and how much more for each table (MB).
    memory: float
    memory_each: float
    #: How much of one core the server used, and the one that measures; 1 is all of it.
    core: float
    own_core: float
    #: How many people were sent away, and what the first of them was told.
    refused: int
    reason: str
    processes: int = 1
    #: How many tables were stored already when the server started, and the processor time it took to its first page.
    stored: int = 0
    started: float = 0.0

    @property
    def limit(self) -> str:
        """Which limit was met; empty if none was."""
        if self.refused:
            return f"{self.refused} people were sent away: {self.reason}"
        if self.choices < 2:
            return "nobody was answered in so short a time"
        if self.core >= FULL * self.processes:
            return "the server's cores are full" if self.processes > 1 else "the server's core is full"
        if self.own_core >= FULL:
            return "the core of those who ask is full, so the server could do more"
        return "one of twenty answers takes more than a second" if self.p95 > 1 else ""

    def __str__(self) -> str:
        """A line for people."""
        waits = " ".join(
            f"p{part} {1000 * wait:.0f}" for part, wait in ((50, self.median), (95, self.p95), (99, self.p99))
        )
        core = f"{self.core:.0%} of a core, so {self.choices_per_core:.0f} answers/s to a full one"
        grown = self.memory + self.tables * self.memory_each
        memory = f"{self.memory:.0f} MB and {1000 * self.memory_each:.0f} kB a table, {grown:.0f} MB in all"
        where = f"{self.processes} processes, " if self.processes > 1 else ""
        stored = f" with {self.stored:,} tables stored" if self.stored else ""
        begun = f"first page{stored} after {self.first_page:.2f} s ({self.started:.2f} s of CPU time)"
        done = f"{begun}; {self.choices_per_second:.0f} answers/s, {waits} ms, {core}, {memory}"
        return f"{where}{self.tables} tables: {done}; {self.limit or 'no limit was met'}"


def measure(
    tables: int = 100, seconds: float = SECONDS, think: float = THINK, game: str = GAME, *, processes: int = 1,
    database: str = "", stored: int = 0,
) -> Load:  # fmt: skip
    """Play a game at so many tables for so long, at a server of so many processes; people think `think` seconds.

    Before it starts so many tables are `stored` in its database.
    """
    return asyncio.run(_measure(tables, seconds, think, game, processes, database, stored))


async def _measure(
    tables: int, seconds: float, think: float, game: str, processes: int, database: str, stored: int
) -> Load:
    raise_file_limit(Limits())
    with tempfile.TemporaryDirectory() as folder:
        if stored:
            more = {"database": database} if database else {}
            await store_tables(Settings.usual(Path(folder), SETTINGS, **more), game, stored)
        server, begin = Server(folder, processes, database), time.perf_counter()
        try:
            await server.start()
            first_page, started = time.perf_counter() - begin, server.used()
            await server.settle()
            memory = server.memory()
            people = [Somebody(server.port, f"Person {number}", think, game) for number in range(tables)]
            for some in range(0, tables, AT_ONCE):
                await asyncio.gather(*(person.come() for person in people[some : some + AT_ONCE]))
            begin, before, own = time.perf_counter(), server.used(), time.process_time()
            tasks = [asyncio.create_task(person.play()) for person in people]
            await asyncio.wait(tasks, timeout=seconds)
            took, grown = time.perf_counter() - begin, server.memory() - memory
            used, own_core = server.used() - before, (time.process_time() - own) / took
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for person in people:
                person.close()
        finally:
            await server.stop()
    answers = sorted(answer for person in people for answer in person.answers)
    reasons = [person.refused for person in people if person.refused]
    parts = statistics.quantiles(answers if len(answers) > 1 else [took, took], n=100)
    return Load(
        tables=tables, choices=len(answers), first_page=first_page, median=parts[49], p95=parts[94], p99=parts[98],
        choices_per_second=len(answers) / took, choices_per_core=len(answers) / (used or took), memory=memory,
        memory_each=grown / tables, core=used / took, own_core=own_core, refused=len(reasons),
        reason="".join(reasons[:1]), processes=processes, stored=stored, started=started,
    )  # fmt: skip
