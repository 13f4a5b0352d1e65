"""Worker: take jobs from the queue, run them in processes, and send the answers."""

import asyncio
import contextlib
import logging
import secrets
import signal
from collections.abc import Callable

import msgspec

from sparring.engine.game import games
from sparring.web.bots.bot_players import MODULE as BOTS
from sparring.web.bots.bot_players import BotQuestion, ProcessBotPlayers
from sparring.web.bots.worker_pool import WorkerPool, WorkersUnavailable
from sparring.web.replay.review_messages import BATCH_TIMEOUT, ReviewPart, ReviewRequest
from sparring.web.replay.review_messages import MODULE as REVIEWS

from .broker import Broker, KeyChannel
from .job_queue import (
    BEAT,
    JOB,
    JobResult,
    PresenceCall,
    QueuedJob,
    WorkerPresence,
    answers,
    calls,
    presence,
    stream_name,
)

log = logging.getLogger(__name__)

#: The lease time of a job, and how often a worker renews it (seconds).
LEASE, RENEWAL = 2.0, 0.5
#: How many workers may try a job: if all of them die, the job is to blame.
TRIES = 3
#: All workers use one consumer name: only age distinguishes leases.
GROUP = "workers"
#: How long to wait for a job before looking for expired leases, and the pause after the broker is lost (seconds).
OFTEN, PAUSE = 0.5, 0.5
#: How long unfinished jobs may take when a worker is stopped (seconds).
STOP_TIMEOUT = 10.0


class JobWorker:
    """A worker that does `places` jobs at once."""

    def __init__(self, key_channel: KeyChannel, places: int) -> None:
        self._key_channel, self._broker, self._redis, self._places = (
            key_channel,
            key_channel.broker,
            key_channel.broker.redis,
            places,
        )
        self._stream = stream_name(key_channel)
        self._bots = ProcessBotPlayers(places)
        self._reviews = WorkerPool(REVIEWS, places)
        self._free = asyncio.Semaphore(places)
        self._name = secrets.token_urlsafe(12)
        self._running: set[asyncio.Task[None]] = set()
        #: The number of servers that receive this worker's announcements; -1 without a broker.
        self.servers = -1
        self._called = asyncio.Event()
        key_channel.subscribe(calls(key_channel), PresenceCall, lambda _: self._called.set())

    async def run(self, stop: asyncio.Event, say: Callable[[str], None]) -> None:
        """Work until `stop` is set, then finish the current jobs."""
        tasks = [asyncio.create_task(work) for work in (
            self._broker.follow(), self._bots.warm(list(games().values())), self._keep_announcing(say),
            self._take_all(),
        )]  # fmt: skip
        await stop.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(WorkersUnavailable):
            await self._announce(0)
        if self._running:
            await asyncio.wait(self._running, timeout=STOP_TIMEOUT)
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await asyncio.gather(self._bots.close(), self._reviews.stop())

    async def _announce(self, places: int) -> int:
        return await self._key_channel.publish(presence(self._key_channel), WorkerPresence(self._name, places))

    async def _keep_announcing(self, say: Callable[[str], None]) -> None:
        """Announce this worker regularly, and report changes of its state to the person who started it."""
        while True:
            try:
                servers = await self._announce(self._places)
            except WorkersUnavailable:
                servers = -1
            if servers != self.servers:
                say(state_sentence(servers))
            self.servers = servers
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT):
                    await self._called.wait()
            self._called.clear()

    async def _take_all(self) -> None:
        """Take jobs one after the other, as many at once as there are places."""
        while True:
            await self._free.acquire()
            task = asyncio.create_task(self._do(*await self._next()))
            self._running.add(task)
            task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._free.release()
        if not task.cancelled() and (problem := task.exception()):
            log.error("A job failed", exc_info=problem)

    async def _next(self) -> tuple[bytes, bytes]:
        """Return the next job as its stream id and content: one with an expired lease, or the oldest waiting one."""
        while True:
            try:
                for entry, fields in await self._expired_jobs() or await self._queued_jobs():
                    return entry, fields.get(JOB, b"")
            except WorkersUnavailable as problem:
                if "NOGROUP" in str(problem.__cause__):
                    await self._create_group()
                else:
                    await asyncio.sleep(PAUSE)

    async def _expired_jobs(self) -> list[tuple[bytes, dict[bytes, bytes]]]:
        lease = int(LEASE * 1000)
        _, claimed, *_ = await self._broker.ask(self._redis.xautoclaim(self._stream, GROUP, GROUP, lease, count=1))
        return list(claimed)

    async def _queued_jobs(self) -> list[tuple[bytes, dict[bytes, bytes]]]:
        block = int(OFTEN * 1000)
        read = await self._broker.ask(self._redis.xreadgroup(GROUP, GROUP, {self._stream: ">"}, count=1, block=block))
        return list(read[0][1]) if read else []

    async def _create_group(self) -> None:
        with contextlib.suppress(WorkersUnavailable):  # another worker may have been faster
            await self._broker.ask(self._redis.xgroup_create(self._stream, GROUP, "0", mkstream=True))

    async def _do(self, entry: bytes, sealed: bytes) -> None:
        """Do a job, send its answer and remove it from the queue; if that fails, another worker repeats it."""
        job = self._key_channel.seal.unseal(self._stream, sealed, QueuedJob)
        with contextlib.suppress(WorkersUnavailable):
            if job is not None and await self._is_wanted(job, entry):
                renewal = asyncio.create_task(self._keep_lease(entry))
                try:
                    answer = await self._answer(job)
                finally:
                    renewal.cancel()
                await self._key_channel.publish(answers(self._key_channel, job.server), JobResult(job.number, answer))
            await self._broker.ask(self._redis.xack(self._stream, GROUP, entry))
            await self._broker.ask(self._redis.xdel(self._stream, entry))

    async def _is_wanted(self, job: QueuedJob, entry: bytes) -> bool:
        """Return whether the server that asked still exists, and the job hasn't killed too many workers."""
        channel = answers(self._key_channel, job.server)
        if not (await self._broker.subscriber_counts([channel]))[channel]:
            return False
        pending = await self._broker.ask(self._redis.xpending_range(self._stream, GROUP, entry, entry, 1))
        if pending and pending[0]["times_delivered"] > TRIES:
            log.warning("Abandoned a job after it was lost with %s workers", TRIES)
            await self._key_channel.publish(channel, JobResult(job.number, None))
            return False
        return True

    async def _keep_lease(self, entry: bytes) -> None:
        """Renew the lease of a job while it is being done."""
        while True:
            await asyncio.sleep(RENEWAL)
            with contextlib.suppress(WorkersUnavailable):
                await self._broker.ask(self._redis.xclaim(self._stream, GROUP, GROUP, 0, [entry], justid=True))

    async def _answer(self, job: QueuedJob) -> bytes | None:
        """Return the answer of a process; None if it died or the question is malformed."""
        answer: msgspec.Struct | None = None
        with contextlib.suppress(msgspec.MsgspecError):
            if job.module == BOTS:
                answer = await self._bots.answer(msgspec.msgpack.decode(job.question, type=BotQuestion), "")
            elif job.module == REVIEWS:
                request = msgspec.msgpack.decode(job.question, type=ReviewRequest)
                answer = await self._reviews.ask(request, ReviewPart, BATCH_TIMEOUT, "")
        return None if answer is None else msgspec.msgpack.encode(answer)


def state_sentence(servers: int) -> str:
    """Return the state of a worker in a sentence, for the person who started it."""
    if servers < 0:
        return "The broker doesn't answer. Retrying ..."
    if servers == 0:
        return "No server answers. Waiting for one with the same key, games and bots."
    return f"Working for {servers} server {'process' if servers == 1 else 'processes'}."


def work(url: str, key: str, places: int, say: Callable[[str], None] = print) -> None:
    """Run a worker until it is stopped (Ctrl-C)."""

    async def run() -> None:
        stop, broker = asyncio.Event(), Broker(url)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        try:
            await JobWorker(KeyChannel(broker, key), places).run(stop, say)
        finally:
            await broker.close()

    asyncio.run(run())
