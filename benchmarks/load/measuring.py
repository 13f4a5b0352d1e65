"""One measurement: a number of clients at a number of tables, for some time."""

import asyncio
import contextlib
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.databases import backends, executed, new_database
from sparring.serve import raise_file_limit
from sparring.settings import Limits, Settings

from .people import LoadClient, Pair, PairedClient
from .server import ROOT, SETTINGS, Server, used
from .stored import store_tables

GAME = "make-your-moves"
SECONDS, THINK = 20.0, 1.0

#: How many clients arrive per second, and the utilization at which a core counts as full.
ARRIVALS = 20
FULL = 0.9
#: How long to measure what an idle server uses (seconds).
IDLE = 5.0


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
    #: Median and 99th percentile of the time until the other player saw a choice.
    seen_median: float = 0.0
    seen_p99: float = 0.0
    #: What PostgreSQL did per answer: statements, transactions, and its processor time in seconds.
    statements: float = 0.0
    transactions: float = 0.0
    database_used: float = 0.0
    #: Before people arrive: utilization of a core by the server, and statements per second.
    idle_core: float = 0.0
    idle_statements: float = 0.0

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
        lag += f", {1000 / self.choices_per_core:.2f} ms of CPU time per answer" if self.choices else ""
        if self.seen_median:
            lag += (
                f", the other player saw it after p50 {1000 * self.seen_median:.0f} p99 {1000 * self.seen_p99:.0f} ms"
            )
        if self.statements:
            lag += f", PostgreSQL per answer: {self.statements:.1f} statements, {self.transactions:.1f} transactions, "
            lag += f"{1000 * self.database_used:.2f} ms of CPU time (before people arrive: {self.idle_statements:.1f} "
            lag += f"statements per second, and the server uses {self.idle_core:.1%} of a core)"
        results = f"{start}; {self.choices_per_second:.0f} answers/s, {percentiles} ms, {lag}, {core}, {memory}"
        return f"{prefix}{self.tables} tables: {results}; {self.limit or 'no limit reached'}"


def measure(
    tables: int = 100, seconds: float = SECONDS, think: float = THINK, game: str = GAME, *, processes: int = 1,
    database: str = "", stored: int = 0, pairs: bool = False, postgres: str = "", tree: Path = ROOT,
) -> Load:  # fmt: skip
    """Play a game at `tables` tables for `seconds`, on a server with some processes; people think `think` seconds.

    `stored` tables are stored in the database before the server starts. With `pairs`, each table has two people instead
    of one and a bot, and each process its own address: the two are connected to different ones. `postgres` is a
    PostgreSQL server that gets a new database, and `tree` the checkout whose server is measured.
    """
    return asyncio.run(_measure(tables, seconds, think, game, processes, database, stored, pairs, postgres, tree))


async def _measure(
    tables: int, seconds: float, think: float, game: str, processes: int, database: str, stored: int, pairs: bool,
    postgres: str, tree: Path,
) -> Load:  # fmt: skip
    raise_file_limit(Limits())
    async with contextlib.AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        if postgres:
            database = await stack.enter_async_context(new_database(postgres))
        if stored:
            more: dict[str, Any] = {"database": database} if database else {}
            await store_tables(Settings.load(Path(folder), SETTINGS, **more), game, stored)
        server, began = Server(folder, processes, database, apart=pairs, tree=tree), time.perf_counter()
        stack.push_async_callback(server.stop)
        await server.start()
        first_page, started = time.perf_counter() - began, server.used()
        await server.settle()
        memory, idle_before = server.memory(), (server.used(), *await _work(postgres, database))
        await asyncio.sleep(IDLE if postgres else 0)
        idle = [after - before for before, after in zip(
            idle_before, (server.used(), *await _work(postgres, database)), strict=True
        )]  # fmt: skip
        people = _pairs(server.ports, tables, think, game) if pairs else [
            LoadClient(server.port, f"Person {number}", think, game) for number in range(tables)
        ]  # fmt: skip
        tasks = list[asyncio.Task[None]]()
        for person in people:
            tasks.append(asyncio.create_task(person.live()))
            await asyncio.sleep(1 / ARRIVALS)
        for person in people:
            person.answers.clear()
            person.seen.clear()
        late_before, work_before = await server.lateness(), await _work(postgres, database)
        began, used_before, own_before = time.perf_counter(), server.used(), time.process_time()
        await asyncio.wait(tasks, timeout=seconds)
        elapsed, grown = time.perf_counter() - began, server.memory() - memory
        used, own_core = server.used() - used_before, (time.process_time() - own_before) / elapsed
        late, times = (after - before for before, after in zip(late_before, await server.lateness(), strict=True))
        work = [after - before for before, after in zip(work_before, await _work(postgres, database), strict=True)]
        waiting = sum(person.waits for person in people)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for person in people:
            person.close()
    answers = sorted(answer for person in people for answer in person.answers)
    seen = [each for person in people for each in person.seen]
    turned_away = [max(person.turned_away) for person in people if person.turned_away]
    reasons = [person.refused for person in people if person.refused]
    parts = statistics.quantiles(answers if len(answers) > 1 else [elapsed, elapsed], n=100)
    seen_parts = statistics.quantiles(seen if len(seen) > 1 else [0.0, 0.0], n=100)
    statements, transactions, database_used = (each / max(len(answers), 1) for each in work)
    return Load(
        tables=tables, choices=len(answers), first_page=first_page, median=parts[49], p95=parts[94], p99=parts[98],
        choices_per_second=len(answers) / elapsed, choices_per_core=len(answers) / (used or elapsed), memory=memory,
        memory_each=grown / tables, core=used / elapsed, own_core=own_core, refused=len(reasons),
        reason="".join(reasons[:1]), turned_away=len(turned_away), waiting=waiting,
        lag=late / max(times, 1), told_after=max(turned_away, default=0.0), processes=processes, stored=stored,
        started=started, seen_median=seen_parts[49], seen_p99=seen_parts[98], statements=statements,
        transactions=transactions, database_used=database_used, idle_core=idle[0] / IDLE,
        idle_statements=idle[1] / IDLE,
    )  # fmt: skip


def _pairs(ports: Sequence[int], tables: int, think: float, game: str) -> Sequence[LoadClient]:
    """Return two clients for each table, connected to different processes if there are several."""
    people = list[LoadClient]()
    for number in range(tables):
        pair = Pair()
        for seat in (0, 1):
            port = ports[(number + seat) % len(ports)]
            people.append(PairedClient(port, f"Person {number} {seat}", think, game, pair, first=not seat))
    return people


async def _work(postgres: str, database: str) -> tuple[float, float, float]:
    """Return the statements, transactions and processor seconds of PostgreSQL for a database; 0 without it."""
    if not postgres:
        return 0, 0, 0
    return *await executed(postgres, database), used(await backends(postgres, database))
