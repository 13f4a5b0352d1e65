"""A worker: takes jobs from the row at the broker, has its processes do them, and sends the answers."""

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
from sparring.web.bots.worker_pool import WorkerPool, WorkersAway
from sparring.web.replay.review_messages import LONGEST_PIECE, ReviewPart, ReviewRequest
from sparring.web.replay.review_messages import MODULE as REVIEWS

from .broker import Broker, KeyChannel
from .job_queue import BEAT, JOB, JobResult, PresenceCall, QueuedJob, WorkerPresence, answers, calls, presence, row

log = logging.getLogger(__name__)

#: After how long without a word a job is taken from its worker (seconds), and how often it says that it is at it.
LEASE, AT_IT = 2.0, 0.5
#: How many workers may take a job: one that was lost with all of them is to blame for it.
TRIES = 3
#: All workers share one name: a lease is known by its age alone.
GROUP = "workers"
#: How long is waited for a job before others' are looked at (seconds), and how long after the broker went away.
OFTEN, PAUSE = 0.5, 0.5
#: How long jobs may take that are done when a worker is to end (seconds).
LAST = 10.0


class JobWorker:
    """One worker, which does so many jobs at once."""

    def __init__(self, circle: KeyChannel, places: int) -> None:
        self._circle, self._broker, self._redis, self._places = circle, circle.broker, circle.broker.redis, places
        self._row = row(circle)
        self._bots = ProcessBotPlayers(places)
        self._reviews = WorkerPool(REVIEWS, places)
        self._free = asyncio.Semaphore(places)
        self._name = secrets.token_urlsafe(12)
        self._doing: set[asyncio.Task[None]] = set()
        #: How many servers hear of this worker.
        self.servers = -1
        self._called = asyncio.Event()
        circle.hear(calls(circle), PresenceCall, lambda _: self._called.set())

    async def run(self, stop: asyncio.Event, say: Callable[[str], None]) -> None:
        """Work until somebody says stop; what is being done then is brought to its end."""
        tasks = [asyncio.create_task(work) for work in (
            self._broker.follow(), self._bots.warm(list(games().values())), self._be_there(say), self._take_all(),
        )]  # fmt: skip
        await stop.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with contextlib.suppress(WorkersAway):
            await self._say_here(0)
        if self._doing:
            await asyncio.wait(self._doing, timeout=LAST)
        for task in self._doing:
            task.cancel()
        await asyncio.gather(*self._doing, return_exceptions=True)
        await asyncio.gather(self._bots.close(), self._reviews.stop())

    async def _say_here(self, places: int) -> int:
        return await self._circle.tell(presence(self._circle), WorkerPresence(self._name, places))

    async def _be_there(self, say: Callable[[str], None]) -> None:
        """Say again and again that this worker is there; and to whoever started it how it stands."""
        while True:
            try:
                servers = await self._say_here(self._places)
            except WorkersAway:
                servers = -1
            if servers != self.servers:
                say(standing(servers))
            self.servers = servers
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT):
                    await self._called.wait()
            self._called.clear()

    async def _take_all(self) -> None:
        """Take one job after the other, as many at once as there are places."""
        while True:
            await self._free.acquire()
            task = asyncio.create_task(self._do(*await self._next()))
            self._doing.add(task)
            task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._doing.discard(task)
        self._free.release()
        if not task.cancelled() and (problem := task.exception()):
            log.error("A job could not be done", exc_info=problem)

    async def _next(self) -> tuple[bytes, bytes]:
        """The next job: one whose worker was lost, or the one that waits for longest. Its place, and what it says."""
        while True:
            try:
                for place, fields in await self._lost() or await self._waiting():
                    return place, fields.get(JOB, b"")
            except WorkersAway as problem:
                if "NOGROUP" in str(problem.__cause__):
                    await self._begin_row()
                else:
                    await asyncio.sleep(PAUSE)

    async def _lost(self) -> list[tuple[bytes, dict[bytes, bytes]]]:
        lease = int(LEASE * 1000)
        _, found, *_ = await self._broker.ask(self._redis.xautoclaim(self._row, GROUP, GROUP, lease, count=1))
        return list(found)

    async def _waiting(self) -> list[tuple[bytes, dict[bytes, bytes]]]:
        block = int(OFTEN * 1000)
        found = await self._broker.ask(self._redis.xreadgroup(GROUP, GROUP, {self._row: ">"}, count=1, block=block))
        return list(found[0][1]) if found else []

    async def _begin_row(self) -> None:
        with contextlib.suppress(WorkersAway):  # another worker may have been faster
            await self._broker.ask(self._redis.xgroup_create(self._row, GROUP, "0", mkstream=True))

    async def _do(self, place: bytes, sealed: bytes) -> None:
        """Do a job, send its answer, and take it out of the row; if that fails another worker will do it anew."""
        job = self._circle.seal.open(self._row, sealed, QueuedJob)
        with contextlib.suppress(WorkersAway):
            if job is not None and await self._is_wanted(job, place):
                at_it = asyncio.create_task(self._say_at_it(place))
                try:
                    answer = await self._answer(job)
                finally:
                    at_it.cancel()
                await self._circle.tell(answers(self._circle, job.server), JobResult(job.number, answer))
            await self._broker.ask(self._redis.xack(self._row, GROUP, place))
            await self._broker.ask(self._redis.xdel(self._row, place))

    async def _is_wanted(self, job: QueuedJob, place: bytes) -> bool:
        """Whether the server is there that asked, and not all who took this job were lost with it."""
        channel = answers(self._circle, job.server)
        if not (await self._broker.heard([channel]))[channel]:
            return False
        taken = await self._broker.ask(self._redis.xpending_range(self._row, GROUP, place, place, 1))
        if taken and taken[0]["times_delivered"] > TRIES:
            log.warning("A job was lost with %s workers, and is given up", TRIES)
            await self._circle.tell(channel, JobResult(job.number, None))
            return False
        return True

    async def _say_at_it(self, place: bytes) -> None:
        """Keep a job on lease while it is done."""
        while True:
            await asyncio.sleep(AT_IT)
            with contextlib.suppress(WorkersAway):
                await self._broker.ask(self._redis.xclaim(self._row, GROUP, GROUP, 0, [place], justid=True))

    async def _answer(self, job: QueuedJob) -> bytes | None:
        """What one of the processes answers; none if it died, or the question is none."""
        found: msgspec.Struct | None = None
        with contextlib.suppress(msgspec.MsgspecError):
            if job.module == BOTS:
                found = await self._bots.answer(msgspec.msgpack.decode(job.question, type=BotQuestion), "")
            elif job.module == REVIEWS:
                piece = msgspec.msgpack.decode(job.question, type=ReviewRequest)
                found = await self._reviews.ask(piece, ReviewPart, LONGEST_PIECE, "")
        return None if found is None else msgspec.msgpack.encode(found)


def standing(servers: int) -> str:
    """How it stands with a worker, for whoever started it."""
    if servers < 0:
        return "The broker does not answer; I try again until it does."
    if servers == 0:
        return "No server hears me. I wait: one with the same key, and the same games and bots, will."
    return f"I work for {servers} {'process' if servers == 1 else 'processes'} of a server."


def work(url: str, key: str, places: int, say: Callable[[str], None] = print) -> None:
    """Be a worker until somebody stops it (Ctrl-C)."""

    async def run() -> None:
        stop, broker = asyncio.Event(), Broker(url)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        try:
            await JobWorker(KeyChannel(broker, key), places).run(stop, say)
        finally:
            await broker.close()

    asyncio.run(run())
