"""Worker: take jobs from the queue, run them in processes, and send the answers."""

import asyncio
import base64
import contextlib
import logging
import signal
from collections.abc import Callable
from logging.config import dictConfig

import msgspec
from procrastinate import App

from sparring.monitoring import Loops, is_cancelled
from sparring.server.monitoring import LOGGING
from sparring.site.replay.review_process import BATCH_TIMEOUT, ReviewPart, ReviewRequest
from sparring.site.replay.review_process import MODULE as REVIEWS
from sparring.tables.workers.bot_players import MODULE as BOTS
from sparring.tables.workers.bot_players import BotQuestion, ProcessBotPlayers
from sparring.tables.workers.job_queue import (
    BEAT,
    PAUSE,
    SERVER,
    TASK,
    UNAVAILABLE,
    WORKER,
    compatibility_id,
    open_queue,
    presence,
    present,
)
from sparring.tables.workers.worker_pool import WorkerPool

log = logging.getLogger(__name__)

#: The heartbeat interval of a worker, and how often it looks for jobs that were given up by another one (seconds).
HEARTBEAT, OFTEN = 0.5, 0.5
#: How long unfinished jobs may take when a worker is stopped (seconds).
STOP_TIMEOUT = 10.0
#: How often a job may go back to the queue.
TRIES = 3
#: The longest part of an answer: PostgreSQL limits notifications to 8,000 bytes.
PART = 7500
#: Send the parts of an answer in one transaction, so that they arrive together and in order.
SEND = "SELECT pg_notify(%(server)s, part) FROM unnest(%(parts)s::text[]) AS part"


class JobWorker:
    """A worker that does `places` jobs at once."""

    def __init__(self, url: str, places: int) -> None:
        self._url, self._places = url, places
        self._bots = ProcessBotPlayers(places)
        self._reviews = WorkerPool(REVIEWS, places)

    async def run(self, stop: asyncio.Event, say: Callable[[str], None]) -> None:
        """Work until `stop` is set, then finish the current jobs."""
        loops = Loops(self._bots.faults)

        async def stay_present() -> None:
            await self._stay_present(say)

        for task in (self._bots.keep_compiled, stay_present, self._take_all):
            loops.start(task)
        await stop.wait()
        await loops.stop()
        await asyncio.gather(self._bots.close(), self._reviews.stop())

    async def _stay_present(self, say: Callable[[str], None]) -> None:
        """Let servers count this worker, and report changes of its state to the person who started it."""
        said = ""
        while not is_cancelled():
            with contextlib.suppress(*UNAVAILABLE):
                async with presence(self._url, f"{WORKER} {compatibility_id()} {self._places}") as connection:
                    while True:
                        if (sentence := state_sentence(len(await present(connection, SERVER)))) != said:
                            say(said := sentence)
                        await asyncio.sleep(BEAT)
            if said != AWAY:
                say(said := AWAY)
            await asyncio.sleep(PAUSE)

    async def _take_all(self) -> None:
        """Take jobs, as many at once as there are places."""
        while not is_cancelled():
            with contextlib.suppress(*UNAVAILABLE):
                async with open_queue(self._url) as app:

                    @app.task(name=TASK, retry=TRIES)  # a job that a worker can't finish when it is stopped goes back
                    async def answer(server: str, number: str, module: str, question: str) -> None:
                        await self._do(app, server, number, module, question)

                    await app.run_worker_async(
                        queues=[compatibility_id()], concurrency=self._places, update_heartbeat_interval=HEARTBEAT,
                        fetch_job_polling_interval=OFTEN, delete_jobs="always", install_signal_handlers=False,
                        shutdown_graceful_timeout=STOP_TIMEOUT,
                    )  # fmt: skip
            await asyncio.sleep(PAUSE)

    async def _do(self, app: App, server: str, number: str, module: str, question: str) -> None:
        """Do a job and send its answer."""
        answer = None
        try:
            answer = await self._answer(module, base64.b64decode(question, validate=True))
        except Exception:
            log.exception("A job failed")
        text = base64.b64encode(answer).decode() if answer else ""
        *firsts, last = [text[start : start + PART] for start in range(0, len(text) or 1, PART)]
        parts = [*(f"{number} more {place} {part}" for place, part in enumerate(firsts)), f"{number} last 0 {last}"]
        await app.connector.execute_query_async(SEND, server=server, parts=parts)

    async def _answer(self, module: str, question: bytes) -> bytes | None:
        """Return the answer of a process; None if it died or the question is malformed."""
        answer: msgspec.Struct | None = None
        with contextlib.suppress(msgspec.MsgspecError):
            if module == BOTS:
                answer = await self._bots.answer(msgspec.msgpack.decode(question, type=BotQuestion), "")
            elif module == REVIEWS:
                request = msgspec.msgpack.decode(question, type=ReviewRequest)
                answer = await self._reviews.ask(request, ReviewPart, BATCH_TIMEOUT, "")
        return None if answer is None else msgspec.msgpack.encode(answer)


#: The states of a worker.
AWAY = "The database of jobs doesn't answer. Retrying ..."
ALONE = "No server is connected. Waiting for one with the same version, games and bots."


def state_sentence(servers: int) -> str:
    """Return the state of a worker in a sentence, for the person who started it."""
    return f"Working for {servers} server {'process' if servers == 1 else 'processes'}." if servers else ALONE


def work(url: str, places: int, say: Callable[[str], None] = print) -> None:
    """Run a worker until it is stopped (Ctrl-C)."""

    async def run() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C ends it
                asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await JobWorker(url, places).run(stop, say)

    dictConfig(LOGGING)
    asyncio.run(run())
