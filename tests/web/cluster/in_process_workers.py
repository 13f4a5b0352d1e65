"""A server and its workers in one process, for tests that record questions and work."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

import msgspec
import pytest

from sparring.web.bots.bot_players import BotAnswer, BotQuestion
from sparring.web.bots.worker_pool import WorkerProcess
from sparring.web.cluster import job_queue, job_worker
from sparring.web.cluster.broker import Broker, KeyChannel
from sparring.web.cluster.job_queue import JobQueue, QueuedJob
from sparring.web.cluster.job_worker import JobWorker
from web.redis import Broker as Redis

Answer = Callable[[QueuedJob], Coroutine[Any, Any, bytes]]


class WorkerSetup:
    """A server and its workers, which answer at once; all questions are recorded."""

    def __init__(self, redis: Redis) -> None:
        self.redis = redis
        self.brokers: list[Broker] = []
        self.broker = self.connect()
        self.jobs = JobQueue(self.broker, ["known", "older"])
        self.channel = KeyChannel(self.broker, "known")
        self.local_questions: list[msgspec.Struct] = []
        self.messages: list[str] = []
        self.tasks: list[asyncio.Task[Any]] = []
        self.workers: list[JobWorker] = []
        self.stop = asyncio.Event()

    def worker(self, think: Answer | None = None, places: int = 1, key: str = "known") -> JobWorker:
        made = JobWorker(KeyChannel(self.connect(), key), places)
        if think is not None:
            made._answer = think  # type: ignore[method-assign, assignment]
        self.workers.append(made)
        self.tasks.append(asyncio.create_task(made.run(self.stop, self.messages.append)))
        return made

    def connect(self) -> Broker:
        made = Broker(self.redis.url)
        self.brokers.append(made)
        return made

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not condition():  # noqa: ASYNC110 - it comes from elsewhere
                await asyncio.sleep(0.02)

    async def wait_for_places(self, places: int) -> None:
        await self.wait_until(lambda: self.jobs.places == places)


@pytest.fixture
def run_with_workers(
    broker: Redis, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Callable[[WorkerSetup], Coroutine[Any, Any, None]]], None]:
    """Return a function that runs a test in a new setup with short leases."""
    monkeypatch.setattr(job_worker, "LEASE", 0.4)
    monkeypatch.setattr(job_worker, "RENEWAL", 0.1)
    monkeypatch.setattr(job_worker, "OFTEN", 0.1)
    monkeypatch.setattr(job_queue, "BEAT", 0.1)
    monkeypatch.setattr(job_worker, "BEAT", 0.1)

    @contextlib.asynccontextmanager
    async def setup() -> AsyncIterator[WorkerSetup]:
        made = WorkerSetup(broker)
        await made.broker.redis.flushall()

        async def ask(_: WorkerProcess, question: msgspec.Struct, kind: Any, longest: float) -> Any:
            made.local_questions.append(question)
            return BotAnswer(action=question.legal[-1]) if isinstance(question, BotQuestion) else BotAnswer()

        monkeypatch.setattr(WorkerProcess, "ask", ask)
        following = asyncio.create_task(made.broker.follow())
        try:
            await made.wait_until(lambda: made.broker.connected)
            yield made
        finally:
            made.stop.set()
            for task in [doing for worker in made.workers for doing in worker._running]:
                task.cancel()
            await asyncio.gather(*made.tasks, return_exceptions=True)
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
            for each in made.brokers:
                await each.close()

    def played(what: Callable[[WorkerSetup], Coroutine[Any, Any, None]]) -> None:
        async def run() -> None:
            async with setup() as made:
                await what(made)

        asyncio.run(run())

    return played


def answer_with(answer: int, asked: list[QueuedJob]) -> Answer:
    async def think(job: QueuedJob) -> bytes:
        asked.append(job)
        return msgspec.msgpack.encode(BotAnswer(action=answer))

    return think


async def never_answer(job: QueuedJob) -> bytes:
    await asyncio.sleep(1000)
    raise AssertionError
