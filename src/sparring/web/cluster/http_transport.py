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
FORWARDED = b"sparring-passed"

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
            if name == FORWARDED:
                signature, client, scheme = (*value.decode("latin-1").split(" "), "", "", "")[:3]
                expected = self._signature(scope["method"], scope["path"], client, scheme)
                if not hmac.compare_digest(signature.encode(), expected.encode()):
                    return False
                scope["client"], scope["scheme"] = (client, 0), scheme
                return True
        return False

    def _signature(self, method: str, path: str, client: str, scheme: str) -> str:
        signed = f"{method} {path} {client} {scheme}"
        return hashlib.blake2b(signed.encode(), key=self._key, digest_size=32).hexdigest()

    @contextlib.asynccontextmanager
    async def ask(self, address: str, request: ProxiedRequest) -> AsyncIterator[ProxiedResponse]:
        """Send a request to the process at an address."""
        signature = self._signature(request.method, request.path, request.client, request.scheme)
        headers = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers if name != FORWARDED
        ]
        headers.append((FORWARDED.decode(), f"{signature} {request.client} {request.scheme}"))
        query = f"?{request.query.decode('latin-1')}" if request.query else ""
        url = URL(f"{address}{request.raw_path.decode('latin-1')}{query}", encoded=True)
        try:
            async with self._session.request(
                request.method, url, headers=headers, data=request.body or None, allow_redirects=False,
                skip_auto_headers=AUTOMATIC,
            ) as response:  # fmt: skip
                yield ProxiedResponse(response.status, list(response.raw_headers), _chunks(response))
        except ClientConnectorError:
            raise NodeUnreachable(gone=True) from None
        except (ClientError, TimeoutError) as problem:
            raise TransportBroken from problem


async def _chunks(response: ClientResponse) -> AsyncIterator[bytes]:
    async for chunk in response.content.iter_any():
        yield chunk
