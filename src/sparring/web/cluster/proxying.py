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

from sparring.web.requests.identity_and_errors import ELSEWHERE as ELSEWHERE_HEADER
from sparring.web.security.refusals import is_api, refusal
from sparring.web.settings import Settings
from sparring.web.storage import StoreError

from .http_transport import PASSED, HttpTransport
from .nodes import ClusterNode
from .transport import BY_BROKER, NodeUnreachable, ProxiedRequest, Transport, TransportBroken, address_from

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]

#: The response header that names a table's owner.
ELSEWHERE = ELSEWHERE_HEADER.encode()

#: How many attempts to make while a table changes owners.
TRIES = 3

#: How many tables' owners to cache.
KNOWN = 20_000

#: Headers that apply to a single connection.
OF_A_CONNECTION = {b"connection", b"keep-alive", b"transfer-encoding", b"te", b"trailer", b"upgrade", b"expect", PASSED}

STRANGER = "Only other processes of this server may connect here."
TOO_LONG = "The request is too long. Nothing was changed."
GONE = "This table can't be reached right now. Please try again in a moment: nothing you saved is lost."


class ProxyMiddleware:
    """Middleware in front of one process's application."""

    def __init__(self, fleet: ClusterNode, settings: Settings, relay: Transport | None) -> None:
        self._fleet = fleet
        self._longest = settings.longest_body
        self._port = urlsplit(settings.inside).port
        self._machine = settings.machine
        self._direct = HttpTransport(settings.secret)
        self._relay = relay
        self._where: OrderedDict[str, tuple[str, str]] = OrderedDict()

    async def close(self) -> None:
        """Close all connections to other processes."""
        await self._direct.close()

    async def __call__(self, scope: Any, receive: Receive, send: Send, app: App) -> None:
        """Answer a request here, or forward it to another process."""
        if self._direct.authenticate(scope):
            await app(scope, receive, send)
            return
        if self._port and scope["server"] and scope["server"][1] == self._port:
            await _refuse(send, scope["path"], 403, STRANGER)
            return
        request, table = _ReplayableRequest(receive), table_of(scope["path"])
        where = self._where.get(table)
        for _ in range(TRIES):
            if where is None:
                answer = _InterceptedResponse(send)
                await app({**scope, "state": dict(scope["state"])}, request.again(), answer.send)
                if answer.elsewhere is None:
                    return
                where = answer.elsewhere
                self._remember(table, where)
            if await self._pass_on(where, scope, request, send):
                return
            self._where.pop(table, None)
            where = None
        await _refuse(send, scope["path"], 503, GONE)

    def forget(self, address: str) -> None:
        """Forget the owner of tables at an address whose process has ended."""
        for table in [table for table, (_, where) in self._where.items() if where == address]:
            del self._where[table]

    def _remember(self, table: str, where: tuple[str, str]) -> None:
        if table:
            self._where[table] = where
        if len(self._where) > KNOWN:
            self._where.popitem(last=False)

    def _wire(self, address: str) -> Transport:
        """Return the transport to an address; raise TransportBroken if there is none."""
        if not address.startswith(BY_BROKER):
            return self._direct
        if self._relay is None:
            raise TransportBroken
        return self._relay

    async def _pass_on(self, where: tuple[str, str], scope: Any, request: "_ReplayableRequest", send: Send) -> bool:
        """Forward a request to another process; return False if that process is gone or isn't the owner any more."""
        process, address = where[0], address_from(where[1], self._machine)
        begun = False
        try:
            asked = asked_in(scope, await request.body(self._longest))
            async with self._wire(address).ask(address, asked) as answer:
                if _elsewhere(answer.headers):
                    return False  # it doesn't own the table any more
                kept = [(name, value) for name, value in answer.headers if name.lower() not in OF_A_CONNECTION]
                begun = True
                await send({"type": "http.response.start", "status": answer.status, "headers": kept})
                async with request.while_somebody_waits():
                    async for piece in answer.pieces:
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except _BodyTooLong:
            await _refuse(send, scope["path"], 413, TOO_LONG)
        except NodeUnreachable as problem:
            if problem.gone:
                with contextlib.suppress(StoreError):
                    await self._fleet.remove(process)
            return False
        except (TransportBroken, OSError):
            if not begun:
                await _refuse(send, scope["path"], 503, GONE)
            return True  # the browser reopens a stream itself
        return True


def asked_in(scope: Any, body: bytes) -> ProxiedRequest:
    """Return the request to forward."""
    return ProxiedRequest(
        method=scope["method"], path=scope["path"], query=scope["query_string"], body=body, scheme=scope["scheme"],
        raw_path=scope.get("raw_path", scope["path"].encode()).partition(b"?")[0],
        headers=[(name, value) for name, value in scope["headers"] if name not in OF_A_CONNECTION],
        client=scope["client"][0] if scope["client"] else "",
    )  # fmt: skip


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
        self._come: list[Any] = []

    def again(self) -> Receive:
        """Return a receiver that replays what has arrived, and then continues."""
        begin = iter(range(len(self._come)))

        async def receive() -> Any:
            place = next(begin, None)
            return self._come[place] if place is not None else await self._next()

        return receive

    async def body(self, longest: int) -> bytes:
        """Return the whole body; raise _BodyTooLong beyond `longest` bytes."""
        while not self._come or self._come[-1].get("more_body"):
            if (await self._next())["type"] == "http.disconnect":
                raise ConnectionError("The client has disconnected.")
            if sum(len(message.get("body", b"")) for message in self._come) > longest:
                raise _BodyTooLong
        return b"".join(message.get("body", b"") for message in self._come)

    async def _next(self) -> Any:
        message = await self._receive()
        if message["type"] == "http.request":
            self._come.append(message)
        return message

    @contextlib.asynccontextmanager
    async def while_somebody_waits(self) -> AsyncIterator[None]:
        """Cancel the block when the client disconnects."""
        inside = asyncio.current_task()
        assert inside is not None
        left = False

        async def watch() -> None:
            nonlocal left
            while (await self._receive())["type"] != "http.disconnect":
                pass
            left = True
            inside.cancel()

        watcher = asyncio.create_task(watch())
        try:
            yield
        except asyncio.CancelledError:
            if not left:
                raise
            inside.uncancel()
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
        if name.lower() == ELSEWHERE:
            process, _, address = value.decode("latin-1").partition(" ")
            return process, address
    return None
