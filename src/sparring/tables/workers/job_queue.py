"""Jobs for workers on other machines, in a PostgreSQL database: a queue of Procrastinate, and who is connected.

A job contains a question with what one seat may know, and nothing else. The answer comes as a notification. Another
worker repeats the job of one that was killed, and each answer is accepted once. Without workers or a database, servers
do the work themselves. Servers and workers know each other by the names of their connections; a connection of a process
that dies is closed.
"""

import asyncio
import base64
import binascii
import contextlib
import hashlib
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from functools import cache
from importlib.metadata import version
from typing import Any, TypeVar

import msgspec
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ProcrastinateException
from procrastinate.jobs import Status
from psycopg import AsyncConnection, Error

from sparring.engine.game import games
from sparring.engine.plugins import entry_points
from sparring.monitoring import is_cancelled

from .worker_pool import WorkersUnavailable

#: The errors while the database is away.
UNAVAILABLE = (ProcrastinateException, Error, OSError)
#: How often servers and workers look who is connected, and the pause before connecting again (seconds).
BEAT, PAUSE = 1.0, 0.5
#: How long to wait for a connection (seconds), and how many there are besides the listening one.
PATIENCE, CONNECTIONS = 2, 4
#: The name of the only task.
TASK = "answer"
#: The first word of the name of a connection.
SERVER, WORKER = "sparring-server", "sparring-worker"

# It would log the arguments of failed jobs, which contain what single seats may know.
logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # callers handle lost connections

log = logging.getLogger(__name__)
T = TypeVar("T", bound=msgspec.Struct)
#: After how long without a heartbeat of its worker a job is given to another one (seconds).
LEASE = 2.0
#: How many workers may try a job: if all of them die, the job is to blame.
TRIES = 3
#: The most places of one worker, and the longest answer (characters).
MOST_PLACES, LONGEST = 1000, 2 * 1024 * 1024
#: What is logged when the database goes away, and when it is back.
AWAY = "The database of jobs is unreachable: bots run here until it is back."
BACK = "The database of jobs is back."


@cache
def compatibility_id() -> str:
    """Return the name of the queue, shared by servers and workers with the same games, rules versions and bots."""
    words = [version("sparring"), *sorted(f"{game.name} {game.version}" for game in games().values())]
    words += sorted(f"{bot.name} {bot.value}" for bot in entry_points("sparring.bots"))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=8).hexdigest()


def _connecting(name: str) -> dict[str, Any]:
    """Return the options of a connection. It notices within seconds that the other machine is gone."""
    alive = {"tcp_keepalives_idle": 2, "tcp_keepalives_interval": 1, "tcp_keepalives_count": 3}
    options = {"search_path": _schema(), "synchronous_commit": "off", **alive}
    return {
        "application_name": name, "connect_timeout": PATIENCE, "keepalives_idle": 2, "keepalives_interval": 1,
        "keepalives_count": 3, "options": " ".join(f"-c {key}={value}" for key, value in options.items()),
    }  # fmt: skip


@cache
def _schema() -> str:
    """Return the schema of this version of Procrastinate: a new version starts with a new one, as jobs don't last."""
    return f"jobs_{version('procrastinate').replace('.', '_')}"


@contextlib.asynccontextmanager
async def open_queue(url: str) -> AsyncIterator[App]:
    """Connect to the queue, which is created if necessary."""
    connector = PsycopgConnector(
        conninfo=url, kwargs=_connecting("sparring"), min_size=1, max_size=CONNECTIONS, timeout=PATIENCE
    )
    app = App(connector=connector)
    async with app.open_async():
        async with connector.pool.connection() as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [_schema()])
            await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_schema()}")
            if not await app.check_connection_async():
                await connection.execute(app.schema_manager.get_schema())
        yield app


@contextlib.asynccontextmanager
async def presence(url: str, name: str) -> AsyncIterator[AsyncConnection[Any]]:
    """Keep a connection with a name while the context lasts."""
    async with await AsyncConnection.connect(url, autocommit=True, **_connecting(name)) as connection:
        yield connection


async def present(connection: AsyncConnection[Any], kind: str) -> list[str]:
    """Return the last words of the names of connections of a kind, which work on the same queue."""
    prefix = f"{kind} {compatibility_id()} "
    found = await connection.execute(
        "SELECT application_name FROM pg_stat_activity"
        " WHERE datname = current_database() AND starts_with(application_name, %s)",
        [prefix],
    )
    rows = await found.fetchall()
    return [str(name).removeprefix(prefix) for (name,) in rows]


class _PendingAnswer:
    """An answer that arrives in parts."""

    def __init__(self) -> None:
        self.whole: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self._text = ""

    def fail(self) -> None:
        """Report that no worker is left to answer."""
        if not self.whole.done():
            self.whole.set_exception(WorkersUnavailable("There are no workers left."))
            self.whole.exception()  # the caller may have given up already

    def take(self, part: str, *, last: bool) -> None:
        """Add a part. A worker sends no text if it has no answer."""
        self._text += part
        if self.whole.done() or not (last or len(self._text) > LONGEST):
            return
        try:
            self.whole.set_result(base64.b64decode(self._text, validate=True) if len(self._text) <= LONGEST else None)
        except binascii.Error:
            self.whole.set_result(None)


class JobQueue:
    """Give jobs to workers, and count their places."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.id = secrets.token_hex(8)
        #: Whether the database answers.
        self.connected = False
        #: How many jobs all workers do at once.
        self.places = 0
        self._app: App | None = None
        self._pending: dict[str, _PendingAnswer] = {}
        self._followers: list[Callable[[int], None]] = []

    def follow_places(self, changed: Callable[[int], None]) -> None:
        """Call `changed` with the number of places, now and at every change."""
        self._followers.append(changed)
        changed(self.places)

    def _set_places(self, places: int) -> None:
        if places != self.places:
            self.places = places
            for changed in self._followers:
                changed(places)
        if not places:
            for pending in self._pending.values():
                pending.fail()

    async def follow(self) -> None:
        """Stay connected until the task is cancelled."""
        reported = False
        while not is_cancelled():
            try:
                async with open_queue(self._url) as self._app:
                    if reported:
                        log.warning(BACK)
                        reported = False
                    await self._listen(self._app)
            except UNAVAILABLE:
                if not reported:
                    log.warning(AWAY)
                    reported = True
            finally:
                self.connected = False
                self._set_places(0)
            await asyncio.sleep(PAUSE)

    async def _listen(self, app: App) -> None:
        """Receive answers and count workers."""
        async with presence(self._url, f"{SERVER} {compatibility_id()} {self.id}") as connection:
            await connection.execute(f'LISTEN "{self.id}"')
            self.connected = True
            while True:
                places = [int(text) for text in await present(connection, WORKER) if text.isdecimal()]
                self._set_places(sum(min(each, MOST_PLACES) for each in places))
                await self._repeat_lost_jobs(app, await present(connection, SERVER))
                async for notification in connection.notifies(timeout=BEAT):
                    self._hear(notification.payload)

    async def _repeat_lost_jobs(self, app: App, servers: list[str]) -> None:
        """Let other workers do the jobs of dead ones, except those that no one waits for or that killed too many."""
        queue = compatibility_id()
        for job in await app.job_manager.get_stalled_jobs(queue=queue, seconds_since_heartbeat=LEASE):
            server, pending = job.task_kwargs.get("server"), self._pending.get(str(job.task_kwargs.get("number")))
            if server != self.id and server in servers:
                continue  # that server takes care of it
            with contextlib.suppress(*UNAVAILABLE):  # its worker was only slow, and finished it
                if pending is not None and job.attempts < TRIES - 1:
                    await app.job_manager.retry_job(job)
                    continue
                await app.job_manager.finish_job(job, Status.FAILED, delete_job=True)
                if pending is not None:
                    log.warning("Abandoned a job after it was lost with %s workers", TRIES)
                    pending.take("", last=True)

    def _hear(self, payload: str) -> None:
        """Take a part of an answer: the number of the job, `last` or `more`, the part's place, and text."""
        number, what, _, part = (*payload.split(" ", 3), "", "", "")[:4]
        if pending := self._pending.get(number):
            pending.take(part, last=what == "last")

    async def ask(self, module: str, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """Return a worker's answer, or None after `longest` seconds; raise WorkersUnavailable if there are none."""
        if self._app is None:
            raise WorkersUnavailable("The database of jobs has not answered yet.")
        number, job = secrets.token_urlsafe(12), None
        pending = self._pending[number] = _PendingAnswer()
        deferrer = self._app.configure_task(TASK, queue=compatibility_id())
        text = base64.b64encode(msgspec.msgpack.encode(question)).decode()
        try:
            job = await deferrer.defer_async(server=self.id, number=number, module=module, question=text)
            async with asyncio.timeout(longest):
                answer = await pending.whole
            job = None
            return msgspec.msgpack.decode(answer, type=kind) if answer else None
        except (TimeoutError, msgspec.MsgspecError, RecursionError):  # the last one for lists in lists in lists
            return None
        except UNAVAILABLE as problem:
            raise WorkersUnavailable("The database of jobs doesn't answer.") from problem
        finally:
            del self._pending[number]
            if job is not None:  # no one waits for it any more
                with contextlib.suppress(*UNAVAILABLE):
                    await self._app.job_manager.cancel_job_by_id_async(job, delete_job=True)
