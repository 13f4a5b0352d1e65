"""Proxying: forward a request from any process to the one that owns its table.

If another process owns the table, the registry raises `OnOtherNode` before anything has changed. That refusal isn't
sent; instead the original request goes to the owner, and its response is streamed back. Owners are cached, so that most
requests go there directly. A request is forwarded only once.
"""

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from sparring.monitoring.fault_log import FaultLog, cause_of
from sparring.server.requests.errors import ELSEWHERE as ELSEWHERE_HEADER
from sparring.settings import Settings
from sparring.settings.refusals import is_api, logged_as, refusal
from sparring.store.group_commit import StoreError

from .http_transport import HOP_BY_HOP, HttpTransport, NodeUnreachable, TransportBroken
from .nodes import ClusterNode

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]

#: The response header that names a table's owner.
OWNER_HEADER = ELSEWHERE_HEADER.encode()

#: How many attempts to make while a table changes owners.
TRIES = 3

#: How many tables' owners to cache.
CACHED = 20_000

OUTSIDER = "Only other processes of this server may connect here."
TOO_LONG = "The request is too long. Nothing was changed."
UNREACHABLE = "This table can't be reached right now. Please try again in a moment: nothing you saved is lost."


class ProxyMiddleware:
    """Middleware in front of one process's application."""

    def __init__(self, node: ClusterNode, settings: Settings, faults: FaultLog) -> None:
        self._node = node
        self._faults = faults
        self._longest = settings.longest_body
        self._port = urlsplit(settings.inside).port
        self._transport = HttpTransport(settings.secret)
        self._owners: OrderedDict[str, tuple[str, str]] = OrderedDict()

    async def close(self) -> None:
        """Close all connections to other processes."""
        await self._transport.close()

    async def __call__(self, scope: Any, receive: Receive, send: Send, app: App) -> None:
        """Answer a request here, or forward it to another process."""
        if self._transport.authenticate(scope):
            await app(scope, receive, send)
            return
        if self._port and scope["server"] and scope["server"][1] == self._port:
            await _refuse(send, scope["path"], 403, OUTSIDER)
            return
        request, table = _ReplayableRequest(receive), table_of(scope["path"])
        owner = self._owners.get(table)
        for _ in range(TRIES):
            if owner is None:
                response = _InterceptedResponse(send)
                await app({**scope, "state": dict(scope["state"])}, request.replay(), response.send)
                if response.elsewhere is None:
                    return
                owner = response.elsewhere
                self._remember(table, owner)
            if await self._forward(owner, scope, request, send):
                return
            self._owners.pop(table, None)
            owner = None
        await self._refuse_unreachable(send, scope["path"], "the table has changed owners again and again")

    def forget(self, address: str) -> None:
        """Forget the owner of tables at an address whose process has ended."""
        for table in [table for table, (_, owner_address) in self._owners.items() if owner_address == address]:
            del self._owners[table]

    def _remember(self, table: str, owner: tuple[str, str]) -> None:
        if table:
            self._owners[table] = owner
        if len(self._owners) > CACHED:
            self._owners.popitem(last=False)

    async def _forward(self, owner: tuple[str, str], scope: Any, request: "_ReplayableRequest", send: Send) -> bool:
        """Forward a request to another process; return False if that process is gone or isn't the owner any more."""
        process, address = owner
        started = False
        try:
            body = await request.body(self._longest)
            async with self._transport.ask(address, scope, body) as response:
                if _elsewhere(response.raw_headers):
                    return False  # it doesn't own the table any more
                headers = [(name, value) for name, value in response.raw_headers if name.lower() not in HOP_BY_HOP]
                started = True
                await send({"type": "http.response.start", "status": response.status, "headers": headers})
                async with request.while_client_waits():
                    async for chunk in response.content.iter_any():
                        await send({"type": "http.response.body", "body": chunk, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except _BodyTooLong:
            await _refuse(send, scope["path"], 413, TOO_LONG)
        except NodeUnreachable:
            with contextlib.suppress(StoreError):
                await self._node.remove(process)
            return False
        except (TransportBroken, OSError) as problem:
            if not started:
                await self._refuse_unreachable(send, scope["path"], cause_of(problem))
            return True  # the browser reopens a stream itself
        return True

    async def _refuse_unreachable(self, send: Send, path: str, cause: str) -> None:
        await _refuse(send, path, 503, logged_as(UNREACHABLE, self._faults.report(UNREACHABLE, cause)))


def table_of(path: str) -> str:
    """Return the table id in a path; empty if it has none."""
    parts = path.split("/")
    if "table" in parts[1:3]:
        after = parts.index("table") + 1
        return parts[after] if after < len(parts) else ""
    return ""


async def _refuse(send: Send, path: str, status: int, sentence: str) -> None:
    headers, body = refusal(sentence, json=is_api(path))
    await send({"type": "http.response.start", "status": status, "headers": [*headers, (b"retry-after", b"1")]})
    await send({"type": "http.response.body", "body": body})


class _BodyTooLong(Exception):
    """The body is longer than any that is accepted."""


class _ReplayableRequest:
    """An incoming request that can be read again."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._messages: list[Any] = []

    def replay(self) -> Receive:
        """Return a receiver that replays what has arrived, and then continues."""
        indexes = iter(range(len(self._messages)))

        async def receive() -> Any:
            index = next(indexes, None)
            return self._messages[index] if index is not None else await self._next()

        return receive

    async def body(self, longest: int) -> bytes:
        """Return the whole body; raise _BodyTooLong beyond `longest` bytes."""
        while not self._messages or self._messages[-1].get("more_body"):
            if (await self._next())["type"] == "http.disconnect":
                raise ConnectionError("The client has disconnected.")
            if sum(len(message.get("body", b"")) for message in self._messages) > longest:
                raise _BodyTooLong
        return b"".join(message.get("body", b"") for message in self._messages)

    async def _next(self) -> Any:
        message = await self._receive()
        if message["type"] == "http.request":
            self._messages.append(message)
        return message

    @contextlib.asynccontextmanager
    async def while_client_waits(self) -> AsyncIterator[None]:
        """Cancel the block when the client disconnects."""
        task = asyncio.current_task()
        assert task is not None
        disconnected = False

        async def watch() -> None:
            nonlocal disconnected
            while (await self._receive())["type"] != "http.disconnect":
                pass
            disconnected = True
            task.cancel()

        watcher = asyncio.create_task(watch())
        try:
            yield
        except asyncio.CancelledError:
            if not disconnected:
                raise
            task.uncancel()
            raise ConnectionError("The client has disconnected.") from None
        finally:
            watcher.cancel()


class _InterceptedResponse:
    """An outgoing response, held back if it only names the table's owner."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.elsewhere: tuple[str, str] | None = None

    async def send(self, message: Any) -> None:
        """Forward a message to the client, unless another process owns the table."""
        if message["type"] == "http.response.start":
            self.elsewhere = _elsewhere(message["headers"])
        if self.elsewhere is None:
            await self._send(message)


def _elsewhere(headers: Iterable[tuple[bytes, bytes]]) -> tuple[str, str] | None:
    """Return the owner of a table that a response names: process and address."""
    for name, value in headers:
        if name.lower() == OWNER_HEADER:
            process, _, address = value.decode("latin-1").partition(" ")
            return process, address
    return None
