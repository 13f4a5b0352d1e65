"""HTTP transport between the processes of a server, on an internal port of each."""

import contextlib
import hashlib
import hmac
from collections.abc import AsyncIterator
from typing import Any

from aiohttp import ClientConnectorError, ClientError, ClientResponse, ClientSession, ClientTimeout, TCPConnector
from yarl import URL

#: The header that authenticates a forwarded request.
FORWARDED = b"sparring-passed"

#: Headers that apply to one connection only.
HOP_BY_HOP = {b"connection", b"keep-alive", b"transfer-encoding", b"te", b"trailer", b"upgrade", b"expect", FORWARDED}

#: Headers that aiohttp would otherwise add.
AUTOMATIC = ("Accept", "Accept-Encoding", "User-Agent", "Content-Type")

#: How long to keep idle connections (seconds): shorter than the other side does.
IDLE = 3.0


class NodeUnreachable(Exception):
    """No process answers at the address, and the request wasn't delivered."""


class TransportBroken(Exception):
    """The connection broke: the request may or may not have been handled."""


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
    async def ask(self, address: str, scope: Any, body: bytes) -> AsyncIterator[ClientResponse]:
        """Forward a request to the process at an address; leaving the context cancels it.

        Raise NodeUnreachable or TransportBroken if there is no response, or it breaks off.
        """
        method, client, scheme = scope["method"], scope["client"][0] if scope["client"] else "", scope["scheme"]
        headers = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in scope["headers"]
            if name not in HOP_BY_HOP
        ]
        signature = self._signature(method, scope["path"], client, scheme)
        headers.append((FORWARDED.decode(), f"{signature} {client} {scheme}"))
        path = scope.get("raw_path", scope["path"].encode()).partition(b"?")[0].decode("latin-1")
        query = f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""
        try:
            async with self._session.request(
                method, URL(f"{address}{path}{query}", encoded=True), headers=headers, data=body or None,
                allow_redirects=False, skip_auto_headers=AUTOMATIC,
            ) as response:  # fmt: skip
                yield response
        except ClientConnectorError:
            raise NodeUnreachable from None
        except (ClientError, TimeoutError) as problem:
            raise TransportBroken from problem
