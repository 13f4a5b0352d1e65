"""Job queue for workers on other machines: a Redis stream, from which one worker at a time leases each job.

A job contains a question with what one seat may know, and nothing else. A worker renews its lease while it works;
another one takes over the job of a worker that was killed. Each answer is accepted once. Without workers or a broker,
servers do the work themselves.

Workers have a key of their own (`worker_keys.py`), which seals jobs and answers and nothing else.
"""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from sparring.engine.game import games
from sparring.engine.plugins import entry_points
from sparring.web.bots.worker_pool import WorkersAway

from .broker import Broker, KeyChannel

T = TypeVar("T", bound=msgspec.Struct)

#: How often a worker announces itself, and after how much silence it counts as gone (seconds).
BEAT, SILENCE = 1.0, 3.0
#: The field of a job in the stream.
JOB = b"job"
#: The most workers a server counts, and the most places of one.
MOST_WORKERS, MOST_PLACES = 1000, 1000
#: The most jobs in the queue; the oldest ones are dropped, and the server that asked does them itself.
MOST_WAITING = 10_000


class QueuedJob(msgspec.Struct, frozen=True):
    """A question for a module, and the server that gets the answer."""

    number: str
    server: str
    module: str
    question: bytes


class JobResult(msgspec.Struct, frozen=True):
    """The answer to a job; None if its process died."""

    number: str
    answer: bytes | None


class WorkerPresence(msgspec.Struct, frozen=True):
    """A worker announces itself with its number of places; 0: it leaves."""

    worker: Annotated[str, Meta(max_length=64)]
    places: Annotated[int, Meta(ge=0, le=MOST_PLACES)]


class PresenceCall(msgspec.Struct, frozen=True):
    """A new server asks which workers there are."""


def compatibility_id() -> str:
    """Return a name shared by servers and workers with the same games, rules versions and bots."""
    words = [version("sparring"), *sorted(f"{game.name} {game.version}" for game in games().values())]
    words += sorted(f"{bot.name} {bot.value}" for bot in entry_points("sparring.bots"))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=8).hexdigest()


def stream_name(circle: KeyChannel) -> str:
    """Return the name of the job stream."""
    return circle.channel("jobs", compatibility_id())


def answers(circle: KeyChannel, server: str) -> str:
    """Return the channel of a server's answers."""
    return circle.channel("done", server)


def presence(circle: KeyChannel) -> str:
    """Return the channel on which workers announce themselves."""
    return circle.channel("workers", compatibility_id())


def calls(circle: KeyChannel) -> str:
    """Return the channel on which servers call for workers."""
    return circle.channel("calls", compatibility_id())


class WorkerGroup:
    """The workers that hold one key, and the jobs they have been given."""

    def __init__(self, circle: KeyChannel, changed: Callable[[], None]) -> None:
        self._circle, self._broker = circle, circle.broker
        self._row = stream_name(circle)
        self._changed = changed
        self._waiting: dict[str, asyncio.Future[bytes | None]] = {}
        #: Places of each worker, and the timer after which it counts as gone.
        self._workers: dict[str, tuple[int, asyncio.TimerHandle]] = {}
        circle.subscribe(answers(circle, self._broker.id), JobResult, self._done)
        circle.subscribe(presence(circle), WorkerPresence, self._here)
        self._broker.on_connected(lambda: circle.publish(calls(circle), PresenceCall()))
        self._broker.on_lost(self._lost)

    @property
    def places(self) -> int:
        """Return how many jobs these workers do at once."""
        return sum(places for places, _ in self._workers.values())

    @property
    def free(self) -> int:
        """Return how many places have no job from this server."""
        return self.places - len(self._waiting)

    async def ask(self, module: str, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """Return a worker's answer, or None after `longest` seconds; raise WorkersAway if there are no workers."""
        number = secrets.token_urlsafe(12)
        job = QueuedJob(number, self._broker.id, module, msgspec.msgpack.encode(question))
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        place = None
        try:
            sealed = self._circle.seal.seal(self._row, job)
            place = await self._broker.ask(self._broker.redis.xadd(self._row, {JOB: sealed}, maxlen=MOST_WAITING))
            async with asyncio.timeout(longest):
                found = await answer
            return msgspec.msgpack.decode(found, type=kind) if found else None
        except (TimeoutError, msgspec.MsgspecError):
            return None
        finally:
            del self._waiting[number]
            if place is not None and (answer.cancelled() or not answer.done() or answer.exception()):
                await self._withdraw(place)

    async def _withdraw(self, place: bytes) -> None:
        """Remove a job that nobody waits for, unless a worker has already started it."""
        with contextlib.suppress(WorkersAway):
            await self._broker.ask(self._broker.redis.xdel(self._row, place))

    def _done(self, done: JobResult) -> None:
        waiting = self._waiting.get(done.number)
        if waiting is not None and not waiting.done():
            waiting.set_result(done.answer)

    def _here(self, here: WorkerPresence) -> None:
        _, timer = self._workers.pop(here.worker, (0, None))
        if timer is not None:
            timer.cancel()
        if here.places > 0 and len(self._workers) < MOST_WORKERS:
            silent = asyncio.get_running_loop().call_later(SILENCE, self._here, WorkerPresence(here.worker, 0))
            self._workers[here.worker] = here.places, silent
        self._count()

    def _lost(self) -> None:
        """Forget all workers: the broker is away and may have lost jobs."""
        for _, timer in self._workers.values():
            timer.cancel()
        self._workers.clear()
        self._count()

    def _count(self) -> None:
        self._changed()
        if not self._workers:
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(WorkersAway("There are no workers left."))


class JobQueue:
    """Send jobs to workers, whichever of the server's `keys` they hold (newest first)."""

    def __init__(self, broker: Broker, keys: Sequence[str]) -> None:
        self.groups = [WorkerGroup(KeyChannel(broker, key), self._changed) for key in keys]
        self._followers: list[Callable[[int], None]] = []

    @property
    def places(self) -> int:
        """Return how many jobs all workers do at once."""
        return sum(crew.places for crew in self.groups)

    def follow_places(self, changed: Callable[[int], None]) -> None:
        """Call `changed` with the number of places, now and at every change."""
        self._followers.append(changed)
        changed(self.places)

    def _changed(self) -> None:
        for changed in self._followers:
            changed(self.places)

    async def ask(self, module: str, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """Return a worker's answer, or None after `longest` seconds; raise WorkersAway if there are no workers."""
        freest = max(self.groups, key=lambda crew: crew.free)
        return await freest.ask(module, question, kind, longest)
