"""A broker (Redis) between processes and workers that may not see each other: messages, and a queue of jobs.

Whatever goes over it is sealed with a key that those share who speak there (`Circle`): whoever runs the broker can
neither read nor make a message, nor hand one to somebody else. It keeps nothing that is needed: if it goes away,
whoever waits is told, and what was stored is in the database. `Broker` comes back by itself.
"""

import asyncio
import contextlib
import hashlib
import logging
import os
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from sparring.web.bots.worker_pool import WorkersAway

log = logging.getLogger(__name__)

#: The longest message that is sent or read (bytes): a content file with its pictures, and what surrounds it.
LONGEST = 2 * 1024 * 1024
#: How long a connection may take, and how long after it was lost another one is tried (seconds).
PATIENCE, PAUSE = 2.0, 0.3
#: How long a broker that has just been started may be one that others have not come back to (seconds).
SETTLED = 4
#: What a message is sealed with besides its key.
NONCE = 12


class MessageSeal:
    """Seals messages for one channel each; what was sealed with another key, or with none, is not opened."""

    def __init__(self, secret: str) -> None:
        key = secret.encode()[:64]
        self._cipher = AESGCM(hashlib.blake2b(b"sealed for the broker", key=key, digest_size=32).digest())
        #: By what name the channels of those are known who have the key; it tells nothing of that.
        self.realm = hashlib.blake2b(b"who shares a broker", key=key, digest_size=8).hexdigest()

    def close(self, channel: str, message: msgspec.Struct) -> bytes:
        """A message as it is sent."""
        nonce = os.urandom(NONCE)
        sealed = nonce + self._cipher.encrypt(nonce, msgspec.msgpack.encode(message), channel.encode())
        if len(sealed) > LONGEST:
            raise WorkersAway("This is too long for the broker.")
        return sealed

    def open(self, channel: str, sealed: bytes, kind: type[Any]) -> Any:
        """The message; None if it was not sealed for this channel with our key, or is none of this kind."""
        if len(sealed) > LONGEST:
            return None
        try:
            return msgspec.msgpack.decode(
                self._cipher.decrypt(sealed[:NONCE], sealed[NONCE:], channel.encode()), type=kind
            )
        except (InvalidTag, ValueError, msgspec.MsgspecError):
            return None


class Broker:
    """The connection of one process to the broker."""

    def __init__(self, url: str, loss: str = "") -> None:
        """`loss` is what the log says when it goes away; usually nothing, where it is said elsewhere."""
        self.id = secrets.token_urlsafe(12)
        self._loss = loss
        #: Whether what is said is heard.
        self.there = False
        self.redis = Redis.from_url(
            url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, socket_keepalive=True,
            health_check_interval=5, retry=Retry(NoBackoff(), 0), protocol=2,
        )  # fmt: skip
        self._hearers: dict[str, Callable[[bytes], None]] = {}
        self._finders: list[Callable[[], Awaitable[object]]] = []
        self._losers: list[Callable[[], None]] = []
        self._told = False

    def hear(self, channel: str, hearer: Callable[[bytes], None]) -> None:
        """Have messages of a channel heard, in their order; to be said before it is followed."""
        self._hearers[channel] = hearer

    def when_found(self, finder: Callable[[], Awaitable[object]]) -> None:
        """Have somebody told that whatever is said from now on is heard."""
        self._finders.append(finder)

    def when_lost(self, loser: Callable[[], None]) -> None:
        """Have somebody told that messages may have been lost."""
        self._losers.append(loser)

    async def heard(self, channels: Sequence[str]) -> dict[str, int]:
        """How many there are who hear each of these channels."""
        return {name.decode(): many for name, many in await self.ask(self.redis.pubsub_numsub(*channels))}

    async def settled(self) -> bool:
        """Whether the broker has run for so long that whoever lives has come back to it."""
        return int((await self.ask(self.redis.info("server")))["uptime_in_seconds"]) >= SETTLED

    async def ask(self, answer: Awaitable[Any]) -> Any:
        """What the broker answers to a command; Away if it does not."""
        try:
            found = await answer
        except (RedisError, OSError) as problem:
            _heed()
            raise WorkersAway("The broker does not answer.") from problem
        _heed()
        return found

    async def follow(self) -> None:
        """Hear what is said, for as long as the process runs."""
        while True:
            try:
                await self._listen()
            except (RedisError, OSError):
                _heed()
                self._lose()
            await asyncio.sleep(PAUSE)

    async def _listen(self) -> None:
        async with self.redis.pubsub() as ear:
            await ear.subscribe(*self._hearers)
            while True:
                message = await ear.get_message(timeout=1.0)
                _heed()
                if message is not None and message["type"] == "message":
                    self._hearers[message["channel"].decode()](message["data"])
                elif message is not None and message["data"] == len(self._hearers):
                    await self._find()  # all channels are heard now

    async def _find(self) -> None:
        self.there = True
        if self._told:
            log.warning("The broker is back.")
        self._told = False
        with contextlib.suppress(WorkersAway):
            for finder in self._finders:
                await finder()

    def _lose(self) -> None:
        self.there = False
        if self._loss and not self._told:
            log.warning(self._loss)
            self._told = True
        for loser in self._losers:
            loser()

    async def close(self) -> None:
        """Let go of it."""
        await self.redis.aclose()


class KeyChannel:
    """Those who share a key, at a broker: the processes of a server, or a server and its workers."""

    def __init__(self, broker: Broker, secret: str) -> None:
        self.broker = broker
        self.seal = MessageSeal(secret)

    def channel(self, *words: str) -> str:
        """A name that only those use who have the key."""
        return ":".join(("sparring", self.seal.realm, *words))

    def hear(self, channel: str, kind: type[Any], hearer: Callable[[Any], None]) -> None:
        """Have messages of a channel heard that somebody with the key has sealed."""

        def opened(sealed: bytes) -> None:
            message = self.seal.open(channel, sealed, kind)
            if message is not None:
                hearer(message)

        self.broker.hear(channel, opened)

    async def tell(self, channel: str, message: msgspec.Struct) -> int:
        """Send a message; how many heard it. Away if it cannot be sent."""
        return int(await self.broker.ask(self.broker.redis.publish(channel, self.seal.close(channel, message))))


def _heed() -> None:
    """End a task that is to end: up to Python 3.11 `asyncio.wait_for`, on which redis stands, may forget that."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
