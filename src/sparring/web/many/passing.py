"""A request comes to any process, and goes on to the one that has its table.

Whoever needs a table that another process has raises `Elsewhere` before anything has changed; its refusal is not sent,
and the request as it came goes to that process, whose answer is handed back piece by piece. Where a table is, is
remembered, so that most requests go there at once. A request is passed on once only.
"""

import asyncio
import contextlib
import hashlib
import hmac
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

from aiohttp import ClientConnectorError, ClientError, ClientSession, ClientTimeout, TCPConnector
from yarl import URL

from sparring.web.requests.exchange import ELSEWHERE as ELSEWHERE_HEADER
from sparring.web.settings import Settings
from sparring.web.storage import StoreError

from .fleet import Fleet

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]

#: The header by which a process believes another who asks, and how a refusal says where the table is.
PASSED, ELSEWHERE = b"sparring-passed", ELSEWHERE_HEADER.encode()

#: What aiohttp would add by itself to what was asked.
AUTOMATIC = ("Accept", "Accept-Encoding", "User-Agent", "Content-Type")

#: For how long a connection that nobody uses is kept (seconds): not as long as at its other end.
IDLE = 3.0

#: How often a request is tried while its table goes from one process to another.
TRIES = 3

#: Of how many tables is remembered where they are.
KNOWN = 20_000

#: Headers that speak of one connection only.
OF_A_CONNECTION = {b"connection", b"keep-alive", b"transfer-encoding", b"te", b"trailer", b"upgrade", b"expect", PASSED}

STRANGER = b"Only other processes of this server come in here."
TOO_LONG = b"This is too long. Nothing was changed."
GONE = b"The process that has this table has just ended. Look again in a moment: what was stored is there."


class Passing:
    """Stands before the application of one process."""

    def __init__(self, fleet: Fleet, settings: Settings) -> None:
        self._fleet = fleet
        self._longest = settings.longest_body
        self._port = URL(settings.inside).port
        self._key = hashlib.blake2b(b"passing on", key=settings.secret.encode()[:64]).digest()
        self._where: OrderedDict[str, tuple[str, str]] = OrderedDict()
        self._session = ClientSession(
            connector=TCPConnector(limit=0, keepalive_timeout=IDLE),
            timeout=ClientTimeout(total=None, sock_connect=5),
            auto_decompress=False,
        )

    async def close(self) -> None:
        """Let go of the others."""
        await self._session.close()

    async def __call__(self, scope: Any, receive: Receive, send: Send, app: App) -> None:
        """Answer a request here, or have another process answer it."""
        if self._came_from_another(scope):
            await app(scope, receive, send)
            return
        if scope["server"] and scope["server"][1] == self._port:
            await _say(send, 403, STRANGER)
            return
        request, table = _Request(receive), table_of(scope["path"])
        where = self._where.get(table)
        for _ in range(TRIES):
            if where is None:
                answer = _Answer(send)
                await app({**scope, "state": dict(scope["state"])}, request.again(), answer.send)
                if answer.elsewhere is None:
                    return
                where = answer.elsewhere
                self._remember(table, where)
            if await self._pass_on(where, scope, request, send):
                return
            self._where.pop(table, None)
            where = None
        await _say(send, 503, GONE)

    def _remember(self, table: str, where: tuple[str, str]) -> None:
        if table:
            self._where[table] = where
        if len(self._where) > KNOWN:
            self._where.popitem(last=False)

    # From another process

    def _came_from_another(self, scope: Any) -> bool:
        """Whether another process asks; then it says for whom."""
        for name, value in scope["headers"]:
            if name == PASSED:
                mark, client, scheme = (*value.decode("latin-1").split(" "), "", "", "")[:3]
                if not hmac.compare_digest(mark.encode(), self._mark(scope, client, scheme).encode()):
                    return False
                scope["client"], scope["scheme"] = (client, 0), scheme
                return True
        return False

    def _mark(self, scope: Any, client: str, scheme: str) -> str:
        asked = f"{scope['method']} {scope['path']} {client} {scheme}"
        return hashlib.blake2b(asked.encode(), key=self._key, digest_size=32).hexdigest()

    # To another process

    async def _pass_on(self, where: tuple[str, str], scope: Any, request: "_Request", send: Send) -> bool:
        """Have another process answer; False if there is none at that address any more, and nothing was asked."""
        process, address = where
        client, scheme = scope["client"][0] if scope["client"] else "", scope["scheme"]
        headers = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]
            if name not in OF_A_CONNECTION
        ]  # fmt: skip
        headers.append((PASSED.decode(), f"{self._mark(scope, client, scheme)} {client} {scheme}"))
        query = scope["query_string"].decode("latin-1")
        path = scope.get("raw_path", scope["path"].encode()).decode("latin-1").partition("?")[0]
        url = f"{address}{path}{f'?{query}' if query else ''}"
        begun = False
        try:
            body = await request.body(self._longest)
            async with self._session.request(
                scope["method"], URL(url, encoded=True), headers=headers,
                data=body or None, allow_redirects=False, skip_auto_headers=AUTOMATIC,
            ) as answer:  # fmt: skip
                if _elsewhere(answer.raw_headers):
                    return False  # it has the table no longer
                kept = [(name, value) for name, value in answer.raw_headers if name.lower() not in OF_A_CONNECTION]
                begun = True
                await send({"type": "http.response.start", "status": answer.status, "headers": kept})
                async with request.while_somebody_waits():
                    async for piece in answer.content.iter_any():
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
                await send({"type": "http.response.body", "body": b""})
        except _TooLong:
            await _say(send, 413, TOO_LONG)
        except ClientConnectorError:
            with contextlib.suppress(StoreError):
                await self._fleet.gone(process)
            return False
        except (ClientError, TimeoutError, OSError):
            if not begun:
                await _say(send, 503, GONE)
            return True  # if it was a stream the browser asks again
        return True


def table_of(path: str) -> str:
    """The table that a path speaks of; empty if it speaks of none."""
    parts = path.split("/")
    if "table" in parts[1:3]:
        after = parts.index("table") + 1
        return parts[after] if after < len(parts) else ""
    return ""


async def _say(send: Send, status: int, sentence: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(sentence))]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, (b"retry-after", b"1")]})
    await send({"type": "http.response.body", "body": sentence})


class _TooLong(Exception):
    """A body that is longer than any that is taken."""


class _Request:
    """What comes in, which may be needed once more."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._come: list[Any] = []

    def again(self) -> Receive:
        """What has come, from the beginning, and then the rest."""
        begin = iter(range(len(self._come)))

        async def receive() -> Any:
            place = next(begin, None)
            return self._come[place] if place is not None else await self._next()

        return receive

    async def body(self, longest: int) -> bytes:
        """All of the body, if it is not too long for anybody."""
        while not self._come or self._come[-1].get("more_body"):
            if (await self._next())["type"] == "http.disconnect":
                raise ConnectionError("Nobody waits any more.")
            if sum(len(message.get("body", b"")) for message in self._come) > longest:
                raise _TooLong
        return b"".join(message.get("body", b"") for message in self._come)

    async def _next(self) -> Any:
        message = await self._receive()
        if message["type"] == "http.request":
            self._come.append(message)
        return message

    @contextlib.asynccontextmanager
    async def while_somebody_waits(self) -> AsyncIterator[None]:
        """What happens inside ends when nobody waits for it any more."""
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
            raise ConnectionError("Nobody waits any more.") from None
        finally:
            watcher.cancel()


class _Answer:
    """What goes out, unless it says that the table is elsewhere."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.elsewhere: tuple[str, str] | None = None

    async def send(self, message: Any) -> None:
        """Send a message on."""
        if message["type"] == "http.response.start":
            self.elsewhere = _elsewhere(message["headers"])
        if self.elsewhere is None:
            await self._send(message)


def _elsewhere(headers: Iterable[tuple[bytes, bytes]]) -> tuple[str, str] | None:
    """Where a table is, if an answer says no more than that."""
    for name, value in headers:
        if name.lower() == ELSEWHERE:
            process, _, address = value.decode("latin-1").partition(" ")
            return process, address
    return None
