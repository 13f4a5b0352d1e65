"""A server and its workers in one process, for tests that record questions and work."""

import asyncio
import contextlib
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import msgspec
import pytest

from sparring import job_worker
from sparring.job_worker import JobWorker
from sparring.monitoring import FaultLog, Loops
from sparring.tables.workers import job_queue
from sparring.tables.workers.bot_players import BotAnswer, BotQuestion
from sparring.tables.workers.job_queue import JobQueue
from sparring.tables.workers.worker_pool import WorkerProcess
from web.postgres import Postgres

Answer = Callable[[str, bytes], Coroutine[Any, Any, bytes]]


#: A worker in a process of its own, which never answers.
SILENT = """
import asyncio, sys
from sparring.tables.workers.bot_players import ProcessBotPlayers
from sparring.tables.workers import job_queue
from sparring import job_worker
for module in (job_queue, job_worker):
    module.compatibility_id = lambda: sys.argv[2]
job_worker.HEARTBEAT = job_worker.OFTEN = 0.1
async def nothing(*_): pass
async def never(*_): await asyncio.sleep(1000)
ProcessBotPlayers.warm = nothing
worker = job_worker.JobWorker(sys.argv[1], 1)
worker._answer = never
asyncio.run(worker.run(asyncio.Event(), print))
"""


class WorkerSetup:
    """A server and its workers, which answer at once; all questions are recorded."""

    def __init__(self, postgres: Postgres) -> None:
        self.postgres = postgres
        self.jobs = JobQueue(postgres.jobs)
        self.local_questions: list[msgspec.Struct] = []
        self.messages: list[str] = []
        self.tasks: list[asyncio.Task[Any]] = []
        self.processes: list[subprocess.Popen[bytes]] = []
        self.stop = asyncio.Event()

    def worker(self, think: Answer | None = None, places: int = 1) -> JobWorker:
        made = JobWorker(self.postgres.jobs, places)
        if think is not None:
            made._answer = think  # type: ignore[method-assign, assignment]
        self.tasks.append(asyncio.create_task(made.run(self.stop, self.messages.append)))
        return made

    def silent_worker(self) -> subprocess.Popen[bytes]:
        """Start a worker that never answers, to kill it."""
        words = [sys.executable, "-c", SILENT, self.postgres.jobs, job_queue.compatibility_id()]
        self.processes.append(subprocess.Popen(words, stdout=subprocess.DEVNULL))
        return self.processes[-1]

    async def wait_until_begun(self, attempts: int = 0) -> None:
        """Wait until a worker has begun the only job, after a number of earlier attempts."""
        async with asyncio.timeout(30):
            while [(job["status"], job["attempts"]) for job in await self.stored_jobs()] != [("doing", attempts)]:  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    async def wait_for_stored(self, jobs: int) -> None:
        """Wait until the database holds a number of jobs."""
        async with asyncio.timeout(30):
            while len(await self.stored_jobs()) != jobs:  # noqa: ASYNC110 - it is in a database
                await asyncio.sleep(0.02)

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not condition():  # noqa: ASYNC110 - it comes from elsewhere
                await asyncio.sleep(0.02)

    async def wait_for_places(self, places: int) -> None:
        await self.wait_until(lambda: self.jobs.places == places)

    async def stored_jobs(self) -> list[dict[str, Any]]:
        """Return the jobs in the database."""
        assert self.jobs._app is not None
        query = "SELECT status, attempts FROM procrastinate_jobs WHERE queue_name = %(queue)s"
        return await self.jobs._app.connector.execute_query_all_async(query, queue=job_queue.compatibility_id())


@pytest.fixture
def run_with_workers(
    postgres_server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[WorkerSetup], Coroutine[Any, Any, None]]], None]:
    """Return a function that runs a test in a new setup, with a queue of its own and short leases."""
    queue = secrets.token_hex(8)
    for module in (job_queue, job_worker):
        monkeypatch.setattr(module, "compatibility_id", lambda: queue)
    for module, name, seconds in ((job_queue, "LEASE", 1.0), (job_queue, "BEAT", 0.1), (job_worker, "BEAT", 0.1),
                                  (job_worker, "HEARTBEAT", 0.1), (job_worker, "OFTEN", 0.1)):  # fmt: skip
        monkeypatch.setattr(module, name, seconds)
    monkeypatch.setattr(job_worker, "STOP_TIMEOUT", 0.2)

    @contextlib.asynccontextmanager
    async def setup() -> AsyncIterator[WorkerSetup]:
        made = WorkerSetup(postgres_server)

        async def ask(_: WorkerProcess, question: msgspec.Struct, kind: Any, longest: float) -> Any:
            made.local_questions.append(question)
            return BotAnswer(action=question.legal[-1]) if isinstance(question, BotQuestion) else BotAnswer()

        monkeypatch.setattr(WorkerProcess, "ask", ask)
        loops = Loops(FaultLog())
        loops.start(made.jobs.follow)
        try:
            await made.wait_until(lambda: made.jobs.connected)
            yield made
        finally:
            made.stop.set()
            for process in made.processes:
                process.kill()
                process.wait()
            await asyncio.gather(*made.tasks, return_exceptions=True)
            await loops.stop()

    def played(what: Callable[[WorkerSetup], Coroutine[Any, Any, None]]) -> None:
        async def run() -> None:
            async with setup() as made:
                await what(made)

        asyncio.run(run())

    return played


def with_workers(play: Callable[[WorkerSetup], Coroutine[Any, Any, None]]) -> Callable[[Any], None]:
    """Make a test of what a server and its workers do."""

    def test(run_with_workers: Any) -> None:
        run_with_workers(play)

    return test


def answer_with(answer: int, asked: list[bytes]) -> Answer:
    async def think(_: str, question: bytes) -> bytes:
        asked.append(question)
        return msgspec.msgpack.encode(BotAnswer(action=answer))

    return think


def never_answer(asked: list[bytes]) -> Answer:
    async def think(_: str, question: bytes) -> bytes:
        asked.append(question)
        await asyncio.sleep(1000)
        raise AssertionError

    return think
