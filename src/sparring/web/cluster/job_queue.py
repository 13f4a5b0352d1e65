"""Job queue for workers on other machines: a Redis stream, from which one worker at a time leases each job.

A job contains a question with what one seat may know, and nothing else. A worker renews its lease while it works;
another one takes over the job of a worker that was killed. Each answer is accepted once. Without workers or a broker,
servers do the work themselves.

Workers have a separate key (`worker_keys.py`), which encrypts jobs and answers only.
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
from sparring.web.bots.worker_pool import WorkersUnavailable

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
    """A new server asks the workers to announce themselves."""


def compatibility_id() -> str:
    """Return a name shared by servers and workers with the same games, rules versions and bots."""
    words = [version("sparring"), *sorted(f"{game.name} {game.version}" for game in games().values())]
    words += sorted(f"{bot.name} {bot.value}" for bot in entry_points("sparring.bots"))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=8).hexdigest()


def stream_name(key_channel: KeyChannel) -> str:
    """Return the name of the job stream."""
    return key_channel.channel("jobs", compatibility_id())


def answers(key_channel: KeyChannel, server: str) -> str:
    """Return the channel of a server's answers."""
    return key_channel.channel("done", server)


def presence(key_channel: KeyChannel) -> str:
    """Return the channel on which workers announce themselves."""
    return key_channel.channel("workers", compatibility_id())


def calls(key_channel: KeyChannel) -> str:
    """Return the channel on which servers call for workers."""
    return key_channel.channel("calls", compatibility_id())


class WorkerGroup:
    """The workers that hold one key, and the jobs they have been given."""

    def __init__(self, key_channel: KeyChannel, changed: Callable[[], None]) -> None:
        self._key_channel, self._broker = key_channel, key_channel.broker
        self._stream = stream_name(key_channel)
        self._changed = changed
        self._pending: dict[str, asyncio.Future[bytes | None]] = {}
        #: Places of each worker, and the timer after which it counts as gone.
        self._workers: dict[str, tuple[int, asyncio.TimerHandle]] = {}
        key_channel.subscribe(answers(key_channel, self._broker.id), JobResult, self._receive_result)
        key_channel.subscribe(presence(key_channel), WorkerPresence, self._receive_presence)
        self._broker.on_connected(lambda: key_channel.publish(calls(key_channel), PresenceCall()))
        self._broker.on_lost(self._lost)

    @property
    def places(self) -> int:
        """Return how many jobs these workers do at once."""
        return sum(places for places, _ in self._workers.values())

    @property
    def free(self) -> int:
        """Return how many places have no job from this server."""
        return self.places - len(self._pending)

    async def ask(self, module: str, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """Return a worker's answer, or None after `longest` seconds; raise WorkersAway if there are no workers."""
        number = secrets.token_urlsafe(12)
        job = QueuedJob(number, self._broker.id, module, msgspec.msgpack.encode(question))
        pending = self._pending[number] = asyncio.get_running_loop().create_future()
        entry = None
        try:
            sealed = self._key_channel.seal.seal(self._stream, job)
            entry = await self._broker.ask(self._broker.redis.xadd(self._stream, {JOB: sealed}, maxlen=MOST_WAITING))
            async with asyncio.timeout(longest):
                result = await pending
            return msgspec.msgpack.decode(result, type=kind) if result else None
        except (TimeoutError, msgspec.MsgspecError):
            return None
        finally:
            del self._pending[number]
            if entry is not None and (pending.cancelled() or not pending.done() or pending.exception()):
                await self._withdraw(entry)

    async def _withdraw(self, entry: bytes) -> None:
        """Remove a job whose answer isn't needed any more, unless a worker has already started it."""
        with contextlib.suppress(WorkersUnavailable):
            await self._broker.ask(self._broker.redis.xdel(self._stream, entry))

    def _receive_result(self, result: JobResult) -> None:
        pending = self._pending.get(result.number)
        if pending is not None and not pending.done():
            pending.set_result(result.answer)

    def _receive_presence(self, announced: WorkerPresence) -> None:
        _, timer = self._workers.pop(announced.worker, (0, None))
        if timer is not None:
            timer.cancel()
        if announced.places > 0 and len(self._workers) < MOST_WORKERS:
            timeout = asyncio.get_running_loop().call_later(
                SILENCE, self._receive_presence, WorkerPresence(announced.worker, 0)
            )
            self._workers[announced.worker] = announced.places, timeout
        self._places_changed()

    def _lost(self) -> None:
        """Forget all workers: the broker is away and may have lost jobs."""
        for _, timer in self._workers.values():
            timer.cancel()
        self._workers.clear()
        self._places_changed()

    def _places_changed(self) -> None:
        self._changed()
        if not self._workers:
            for waiting in self._pending.values():
                if not waiting.done():
                    waiting.set_exception(WorkersUnavailable("There are no workers left."))


class JobQueue:
    """Send jobs to workers, whichever of the server's `keys` they hold (newest first)."""

    def __init__(self, broker: Broker, keys: Sequence[str]) -> None:
        self.groups = [WorkerGroup(KeyChannel(broker, key), self._changed) for key in keys]
        self._followers: list[Callable[[int], None]] = []

    @property
    def places(self) -> int:
        """Return how many jobs all workers do at once."""
        return sum(group.places for group in self.groups)

    def follow_places(self, changed: Callable[[int], None]) -> None:
        """Call `changed` with the number of places, now and at every change."""
        self._followers.append(changed)
        changed(self.places)

    def _changed(self) -> None:
        for changed in self._followers:
            changed(self.places)

    async def ask(self, module: str, question: msgspec.Struct, kind: type[T], longest: float) -> T | None:
        """Return a worker's answer, or None after `longest` seconds; raise WorkersAway if there are no workers."""
        freest = max(self.groups, key=lambda group: group.free)
        return await freest.ask(module, question, kind, longest)
