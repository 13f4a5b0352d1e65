"""Jobs for workers on other machines: a row at the broker, from which each is taken by one of them at a time.

A job carries a question, which holds what the seat that is asked may know and nothing else. Whoever takes it has it on
lease, and says again and again that they are at it; a job whose worker was killed is taken by another. Its answer is
taken once. If nobody is there to work, or the broker goes away, servers do it themselves.
"""

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import Callable
from importlib.metadata import entry_points, version
from typing import TypeVar

import msgspec

from sparring.engine.game import games
from sparring.web.bots.asking import Away

from .broker import Broker

T = TypeVar("T", bound=msgspec.Struct)

#: How often a worker says that it is there, and after how long without that it is taken for gone (seconds).
BEAT, SILENCE = 1.0, 3.0
#: Under what name a job stands in the row.
JOB = b"job"
#: How many jobs wait at most; those that waited longest make room, and are done by who asked.
MOST_WAITING = 10_000


class Job(msgspec.Struct, frozen=True):
    """A question for whoever runs this module, and to which server the answer goes."""

    number: str
    server: str
    module: str
    question: bytes


class Done(msgspec.Struct, frozen=True):
    """The answer to a job; none if whoever thought about it died."""

    number: str
    answer: bytes | None


class Here(msgspec.Struct, frozen=True):
    """A worker is there, and does so many jobs at once."""

    worker: str
    places: int


def alike() -> str:
    """A name that servers and workers share who play the same games by the same rules, with the same bots."""
    words = [version("sparring"), *sorted(f"{game.name} {game.version}" for game in games().values())]
    words += sorted(f"{bot.name} {bot.value}" for bot in entry_points(group="sparring.bots"))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=8).hexdigest()


def row(broker: Broker) -> str:
    """Where jobs wait."""
    return broker.channel("jobs", alike())


def answers(broker: Broker, server: str) -> str:
    """Where a server hears answers."""
    return broker.channel("done", server)


def presence(broker: Broker) -> str:
    """Where servers hear of workers."""
    return broker.channel("workers", alike())


class Jobs:
    """A server's side: it puts jobs into the row, and knows which workers there are."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._row = row(broker)
        self._waiting: dict[str, asyncio.Future[bytes | None]] = {}
        #: What workers there are, and when each is taken for gone.
        self._workers: dict[str, tuple[int, asyncio.TimerHandle]] = {}
        self._followers: list[Callable[[int], None]] = []
        broker.hear(answers(broker, broker.id), Done, self._done)
        broker.hear(presence(broker), Here, self._here)
        broker.when_lost(self._lost)

    @property
    def places(self) -> int:
        """How many jobs all workers do at once."""
        return sum(places for places, _ in self._workers.values())

    def follow_places(self, changed: Callable[[int], None]) -> None:
        """Say how many jobs are done at once, now and whenever that changes."""
        self._followers.append(changed)
        changed(self.places)

    async def ask(self, module: str, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """The answer of a worker; None if it found none in time, Away if there are no workers any more."""
        number = secrets.token_urlsafe(12)
        job = Job(number, self._broker.id, module, msgspec.msgpack.encode(question))
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        place = None
        try:
            sealed = self._broker.seal.close(self._row, job)
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
        with contextlib.suppress(Away):
            await self._broker.ask(self._broker.redis.xdel(self._row, place))

    def _done(self, done: Done) -> None:
        waiting = self._waiting.get(done.number)
        if waiting is not None and not waiting.done():
            waiting.set_result(done.answer)

    def _here(self, here: Here) -> None:
        _, timer = self._workers.pop(here.worker, (0, None))
        if timer is not None:
            timer.cancel()
        if here.places > 0:
            silent = asyncio.get_running_loop().call_later(SILENCE, self._here, Here(here.worker, 0))
            self._workers[here.worker] = here.places, silent
        self._changed()

    def _lost(self) -> None:
        """The broker is away, and who knows what it loses: nobody is waited for."""
        for _, timer in self._workers.values():
            timer.cancel()
        self._workers.clear()
        self._changed()

    def _changed(self) -> None:
        for changed in self._followers:
            changed(self.places)
        if not self._workers:
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(Away("There are no workers any more."))
