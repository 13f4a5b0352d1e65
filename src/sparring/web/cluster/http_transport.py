"""HTTP transport between processes that can reach each other, on an internal port of each process."""

import contextlib
import hashlib
import hmac
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import ClientConnectorError, ClientError, ClientResponse, ClientSession, ClientTimeout, TCPConnector
from yarl import URL

from .transport import NodeUnreachable, ProxiedRequest, ProxiedResponse, TransportBroken

#: The header that authenticates a forwarded request.
PASSED = b"sparring-passed"

#: Headers that aiohttp would otherwise add.
AUTOMATIC = ("Accept", "Accept-Encoding", "User-Agent", "Content-Type")

#: How long to keep idle connections (seconds): shorter than the other side does.
IDLE = 3.0


class HttpTransport:
    """Forward requests over HTTP, and authenticate those that arrive."""

    def __init__(self, secret: str) -> None:
        self._key = hashlib.blake2b(b"passing on", key=secret.encode()[:64]).digest()
        self._session = ClientSession(
            connector=TCPConnector(limit=0, keepalive_timeout=IDLE),
            timeout=ClientTimeout(total=None, sock_connect=5),
            auto_decompress=False,
        )

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

    def authenticate(self, scope: Any) -> bool:
        """Return whether the request was forwarded by another process; if so, set the original client and scheme."""
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
        """Send a request to the process at an address."""
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
