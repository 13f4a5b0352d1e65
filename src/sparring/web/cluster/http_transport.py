"""The wire between processes that see each other: HTTP, at a port of its own that each of them has for the others."""

import contextlib
import hashlib
import hmac
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import ClientConnectorError, ClientError, ClientResponse, ClientSession, ClientTimeout, TCPConnector
from yarl import URL

from .transport import NodeUnreachable, ProxiedRequest, ProxiedResponse, TransportBroken

#: The header by which a process believes another who asks.
PASSED = b"sparring-passed"

#: What aiohttp would add by itself to what was asked.
AUTOMATIC = ("Accept", "Accept-Encoding", "User-Agent", "Content-Type")

#: For how long a connection that nobody uses is kept (seconds): not as long as at its other end.
IDLE = 3.0


class HttpTransport:
    """Asks others at their addresses, and knows them again when they ask here."""

    def __init__(self, secret: str) -> None:
        self._key = hashlib.blake2b(b"passing on", key=secret.encode()[:64]).digest()
        self._session = ClientSession(
            connector=TCPConnector(limit=0, keepalive_timeout=IDLE),
            timeout=ClientTimeout(total=None, sock_connect=5),
            auto_decompress=False,
        )

    async def close(self) -> None:
        """Let go of the others."""
        await self._session.close()

    def believes(self, scope: Any) -> bool:
        """Whether another process asks; then it says for whom."""
        for name, value in scope["headers"]:
            if name == PASSED:
                mark, client, scheme = (*value.decode("latin-1").split(" "), "", "", "")[:3]
                wanted = self._mark(scope["method"], scope["path"], client, scheme)
                if not hmac.compare_digest(mark.encode(), wanted.encode()):
                    return False
                scope["client"], scope["scheme"] = (client, 0), scheme
                return True
        return False

    def _mark(self, method: str, path: str, client: str, scheme: str) -> str:
        asked = f"{method} {path} {client} {scheme}"
        return hashlib.blake2b(asked.encode(), key=self._key, digest_size=32).hexdigest()

    @contextlib.asynccontextmanager
    async def ask(self, address: str, asked: ProxiedRequest) -> AsyncIterator[ProxiedResponse]:
        """Have the process at an address answer."""
        mark = self._mark(asked.method, asked.path, asked.client, asked.scheme)
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in asked.headers if name != PASSED]
        headers.append((PASSED.decode(), f"{mark} {asked.client} {asked.scheme}"))
        query = f"?{asked.query.decode('latin-1')}" if asked.query else ""
        url = URL(f"{address}{asked.raw_path.decode('latin-1')}{query}", encoded=True)
        try:
            async with self._session.request(
                asked.method, url, headers=headers, data=asked.body or None, allow_redirects=False,
                skip_auto_headers=AUTOMATIC,
            ) as answer:  # fmt: skip
                yield ProxiedResponse(answer.status, list(answer.raw_headers), _pieces(answer))
        except ClientConnectorError:
            raise NodeUnreachable(gone=True) from None
        except (ClientError, TimeoutError) as problem:
            raise TransportBroken from problem


async def _pieces(answer: ClientResponse) -> AsyncIterator[bytes]:
    async for piece in answer.content.iter_any():
        yield piece
