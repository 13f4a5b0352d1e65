"""Connect to the Redis broker between processes and workers that can't reach each other: messages and a job queue.

Messages are sealed with a key that both sides share (`KeyChannel`), so the broker can neither read nor forge them, nor
move one to another channel. The broker stores nothing that is needed later: if it goes away, waiting callers get an
error. `Broker` reconnects automatically.
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

from sparring.web.bots.worker_pool import WorkersUnavailable

log = logging.getLogger(__name__)

#: The longest message (bytes): a content file with its pictures, and overhead.
LONGEST = 2 * 1024 * 1024
#: Timeout of a connection attempt, and the pause before reconnecting (seconds).
PATIENCE, PAUSE = 2.0, 0.3
#: For how long after a broker's start other processes may not have reconnected yet (seconds).
SETTLED = 4
#: The length of the AES-GCM nonce.
NONCE = 12


class MessageSeal:
    """Encrypt and authenticate messages, each for one channel; messages sealed with another key are rejected."""

    def __init__(self, secret: str) -> None:
        key = secret.encode()[:64]
        self._cipher = AESGCM(hashlib.blake2b(b"sealed for the broker", key=key, digest_size=32).digest())
        #: The channel prefix of all holders of this key; it reveals nothing about the key.
        self.realm = hashlib.blake2b(b"who shares a broker", key=key, digest_size=8).hexdigest()

    def seal(self, channel: str, message: msgspec.Struct) -> bytes:
        """Return a message as it is sent; raise WorkersAway if it is too long."""
        nonce = os.urandom(NONCE)
        sealed = nonce + self._cipher.encrypt(nonce, msgspec.msgpack.encode(message), channel.encode())
        if len(sealed) > LONGEST:
            raise WorkersUnavailable("This message is too long for the broker.")
        return sealed

    def unseal(self, channel: str, sealed: bytes, kind: type[Any]) -> Any:
        """Return the message; None if it wasn't sealed for this channel with this key, or isn't of this kind."""
        if len(sealed) > LONGEST:
            return None
        try:
            return msgspec.msgpack.decode(
                self._cipher.decrypt(sealed[:NONCE], sealed[NONCE:], channel.encode()), type=kind
            )
        except (InvalidTag, ValueError, msgspec.MsgspecError):
            return None


class Broker:
    """One process's connection to the broker."""

    def __init__(self, url: str, loss: str = "") -> None:
        """`loss` is the log message when the broker goes away; empty where something else logs it."""
        self.id = secrets.token_urlsafe(12)
        self._loss = loss
        #: Whether all channels are subscribed.
        self.connected = False
        self.redis = Redis.from_url(
            url, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE, socket_keepalive=True,
            health_check_interval=5, retry=Retry(NoBackoff(), 0), protocol=2,
        )  # fmt: skip
        self._handlers: dict[str, Callable[[bytes], None]] = {}
        self._connected_callbacks: list[Callable[[], Awaitable[object]]] = []
        self._lost_callbacks: list[Callable[[], None]] = []
        self._reported = False

    def subscribe(self, channel: str, handler: Callable[[bytes], None]) -> None:
        """Register the handler of a channel's messages, which are delivered in order; call this before `follow`."""
        self._handlers[channel] = handler

    def on_connected(self, callback: Callable[[], Awaitable[object]]) -> None:
        """Register a callback for when all channels are subscribed again."""
        self._connected_callbacks.append(callback)

    def on_lost(self, callback: Callable[[], None]) -> None:
        """Register a callback for when messages may have been lost."""
        self._lost_callbacks.append(callback)

    async def subscriber_counts(self, channels: Sequence[str]) -> dict[str, int]:
        """Return the number of subscribers of each channel."""
        return {name.decode(): count for name, count in await self.ask(self.redis.pubsub_numsub(*channels))}

    async def settled(self) -> bool:
        """Return whether the broker has run for so long that every living process has reconnected."""
        return int((await self.ask(self.redis.info("server")))["uptime_in_seconds"]) >= SETTLED

    async def ask(self, command: Awaitable[Any]) -> Any:
        """Return the result of a command; raise WorkersAway if the broker doesn't answer."""
        try:
            result = await command
        except (RedisError, OSError) as problem:
            _raise_if_cancelled()
            raise WorkersUnavailable("The broker doesn't answer.") from problem
        _raise_if_cancelled()
        return result

    async def follow(self) -> None:
        """Receive messages until the task is cancelled."""
        while True:
            try:
                await self._listen()
            except (RedisError, OSError):
                _raise_if_cancelled()
                self._report_lost()
            await asyncio.sleep(PAUSE)

    async def _listen(self) -> None:
        async with self.redis.pubsub() as pubsub:
            await pubsub.subscribe(*self._handlers)
            while True:
                message = await pubsub.get_message(timeout=1.0)
                _raise_if_cancelled()
                if message is not None and message["type"] == "message":
                    self._handlers[message["channel"].decode()](message["data"])
                elif message is not None and message["data"] == len(self._handlers):
                    await self._report_connected()  # all channels are subscribed now

    async def _report_connected(self) -> None:
        self.connected = True
        if self._reported:
            log.warning("The broker is back.")
        self._reported = False
        with contextlib.suppress(WorkersUnavailable):
            for callback in self._connected_callbacks:
                await callback()

    def _report_lost(self) -> None:
        self.connected = False
        if self._loss and not self._reported:
            log.warning(self._loss)
            self._reported = True
        for callback in self._lost_callbacks:
            callback()

    async def close(self) -> None:
        """Close the connection."""
        await self.redis.aclose()


class KeyChannel:
    """The channels of those who share a key at a broker: the processes of a server, or a server and its workers."""

    def __init__(self, broker: Broker, secret: str) -> None:
        self.broker = broker
        self.seal = MessageSeal(secret)

    def channel(self, *words: str) -> str:
        """Return a channel name that only holders of the key use."""
        return ":".join(("sparring", self.seal.realm, *words))

    def subscribe(self, channel: str, kind: type[Any], handler: Callable[[Any], None]) -> None:
        """Register a handler of a channel's messages, if they are sealed with the key."""

        def opened(sealed: bytes) -> None:
            message = self.seal.unseal(channel, sealed, kind)
            if message is not None:
                handler(message)

        self.broker.subscribe(channel, opened)

    async def publish(self, channel: str, message: msgspec.Struct) -> int:
        """Publish a message and return how many received it; raise WorkersAway if that fails."""
        return int(await self.broker.ask(self.broker.redis.publish(channel, self.seal.seal(channel, message))))


def _raise_if_cancelled() -> None:
    """End a cancelled task: up to Python 3.11 `asyncio.wait_for`, which redis uses, may lose the cancellation."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
