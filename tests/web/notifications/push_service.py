"""A push service on this machine, and browsers that decrypt what it gets for them."""

import json
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sparring.settings import PushSettings
from web.accounts.account_helpers import base64

CONTACT = "mailto:play@table.example"


@dataclass(frozen=True)
class PushRequest:
    """What a push service gets."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class PushService:
    """The requests that a push service got; `statuses` are its answers to paths other than 201."""

    url: str
    got: list[PushRequest] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)

    @property
    def settings(self) -> PushSettings:
        return PushSettings(contact=CONTACT, services=(self.url,))

    def take(self) -> PushRequest:
        """Return the only request since the last call."""
        [request] = self.got
        self.got.clear()
        return request


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.got.append(PushRequest(self.path, dict(self.headers), body))
            status = service.statuses.get(self.path, 201)
            self.send_response(status)
            if status == 307:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Write nothing to standard error."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        service = PushService(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()


@dataclass(frozen=True)
class PushBrowser:
    """A browser with a push subscription."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = field(default_factory=lambda: secrets.token_bytes(16))

    @property
    def subscription(self) -> dict[str, Any]:
        """Return the subscription as the page sends it."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {
            "endpoint": self.endpoint,
            "keys": {"p256dh": base64(point), "auth": base64(self.auth)},
            "label": "Phone",
        }

    def read(self, request: PushRequest) -> dict[str, str]:
        """Decrypt a message."""
        told = http_ece.decrypt(request.body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        return json.loads(told)  # type: ignore[no-any-return]
