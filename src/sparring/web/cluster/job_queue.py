"""Jobs for workers on other machines: a row at the broker, from which each is taken by one of them at a time.

A job carries a question, which holds what the seat that is asked may know and nothing else. Whoever takes it has it on
lease, and says again and again that they are at it; a job whose worker was killed is taken by another. Its answer is
taken once. If nobody is there to work, or the broker goes away, servers do it themselves.

Workers hold a key of their own (`keys.py`), with which jobs and answers are sealed and nothing else.
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

#: How often a worker says that it is there, and after how long without that it is taken for gone (seconds).
BEAT, SILENCE = 1.0, 3.0
#: Under what name a job stands in the row.
JOB = b"job"
#: How many workers a server knows at most, and how many jobs one of them may do at once.
MOST_WORKERS, MOST_PLACES = 1000, 1000
#: How many jobs wait at most; those that waited longest make room, and are done by who asked.
MOST_WAITING = 10_000


class QueuedJob(msgspec.Struct, frozen=True):
    """A question for whoever runs this module, and to which server the answer goes."""

    number: str
    server: str
    module: str
    question: bytes


class JobResult(msgspec.Struct, frozen=True):
    """The answer to a job; none if whoever thought about it died."""

    number: str
    answer: bytes | None


class WorkerPresence(msgspec.Struct, frozen=True):
    """A worker is there, and does so many jobs at once."""

    worker: Annotated[str, Meta(max_length=64)]
    places: Annotated[int, Meta(ge=0, le=MOST_PLACES)]


class PresenceCall(msgspec.Struct, frozen=True):
    """A server has just come, and asks which workers there are."""


def alike() -> str:
    """A name that servers and workers share who play the same games by the same rules, with the same bots."""
    words = [version("sparring"), *sorted(f"{game.name} {game.version}" for game in games().values())]
    words += sorted(f"{bot.name} {bot.value}" for bot in entry_points("sparring.bots"))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=8).hexdigest()


def row(circle: KeyChannel) -> str:
    """Where jobs wait."""
    return circle.channel("jobs", alike())


def answers(circle: KeyChannel, server: str) -> str:
    """Where a server hears answers."""
    return circle.channel("done", server)


def presence(circle: KeyChannel) -> str:
    """Where servers hear of workers."""
    return circle.channel("workers", alike())


def calls(circle: KeyChannel) -> str:
    """Where workers hear of servers."""
    return circle.channel("calls", alike())


class WorkerGroup:
    """The workers who hold one key: which of them there are, and what they were asked."""

    def __init__(self, circle: KeyChannel, changed: Callable[[], None]) -> None:
        self._circle, self._broker = circle, circle.broker
        self._row = row(circle)
        self._changed = changed
        self._waiting: dict[str, asyncio.Future[bytes | None]] = {}
        #: What workers there are, and when each is taken for gone.
        self._workers: dict[str, tuple[int, asyncio.TimerHandle]] = {}
        circle.hear(answers(circle, self._broker.id), JobResult, self._done)
        circle.hear(presence(circle), WorkerPresence, self._here)
        self._broker.when_found(lambda: circle.tell(calls(circle), PresenceCall()))
        self._broker.when_lost(self._lost)

    @property
    def places(self) -> int:
        """How many jobs all of them do at once."""
        return sum(places for places, _ in self._workers.values())

    @property
    def free(self) -> int:
        """How many of their places this server has no job for."""
        return self.places - len(self._waiting)

    async def ask(self, module: str, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """The answer of a worker; None if it found none in time, Away if there are no workers any more."""
        number = secrets.token_urlsafe(12)
        job = QueuedJob(number, self._broker.id, module, msgspec.msgpack.encode(question))
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        place = None
        try:
            sealed = self._circle.seal.close(self._row, job)
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
        """Nobody waits for a job any more: who has not begun it need not."""
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
        """The broker is away, and who knows what it loses: nobody is waited for."""
        for _, timer in self._workers.values():
            timer.cancel()
        self._workers.clear()
        self._count()

    def _count(self) -> None:
        self._changed()
        if not self._workers:
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(WorkersAway("There are no workers any more."))


class JobQueue:
    """A server's side: it asks workers, whichever of its keys they hold; `keys` are theirs, the newest first."""

    def __init__(self, broker: Broker, keys: Sequence[str]) -> None:
        self.crews = [WorkerGroup(KeyChannel(broker, key), self._changed) for key in keys]
        self._followers: list[Callable[[int], None]] = []

    @property
    def places(self) -> int:
        """How many jobs all workers do at once."""
        return sum(crew.places for crew in self.crews)

    def follow_places(self, changed: Callable[[int], None]) -> None:
        """Say how many jobs are done at once, now and whenever that changes."""
        self._followers.append(changed)
        changed(self.places)

    def _changed(self) -> None:
        for changed in self._followers:
            changed(self.places)

    async def ask(self, module: str, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """The answer of a worker; None if it found none in time, Away if there are no workers any more."""
        freest = max(self.crews, key=lambda crew: crew.free)
        return await freest.ask(module, question, kind, longest)
