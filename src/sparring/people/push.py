"""Web Push: encrypt a message for a browser, sign it with the server's key (VAPID), and post it to the push service.

The formats are RFC 8030 (protocol), RFC 8291 (encryption) and RFC 8292 (VAPID).
"""

import binascii
import hashlib
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from sparring.engine.errors import SparringError
from sparring.settings import DAY, PushSettings
from sparring.store.notifications import NotificationStore
from sparring.store.schema import PushDeviceRow

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey


#: How long a push service may take, keep a message, and accept a signature (seconds).
PATIENCE, TTL, SIGNED = 20.0, DAY, DAY // 2
LONGEST_ENDPOINT = 2000
#: The status codes of a push service that no longer knows a browser.
GONE = (404, 410)


class BadDevice(SparringError):
    """The browser's push subscription is malformed, or belongs to an unknown push service."""


class PushFailed(SparringError):
    """The push service didn't take a message."""


class DeviceGone(PushFailed):
    """The push service no longer knows this browser."""


class PushMessage(msgspec.Struct, frozen=True):
    """A push notification as the service worker gets it."""

    title: str
    text: str
    path: str


class PushSender:
    """The push notifications of a server."""

    def __init__(self, settings: PushSettings, store: NotificationStore) -> None:
        self._settings, self._store = settings, store
        self._key: EllipticCurvePrivateKey | None = None

    async def public_key(self) -> str:
        """Return the server's public key, which browsers need to subscribe."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        key = (await self._private_key()).public_key()
        return _text(key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    async def _private_key(self) -> "EllipticCurvePrivateKey":
        """Return the server's key; the first process that needs it creates it."""
        from cryptography.hazmat.primitives.asymmetric import ec

        if self._key is None:
            number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
            stored = await self._store.push_key(_text(number.to_bytes(32)))
            self._key = ec.derive_private_key(int.from_bytes(_bytes(stored)), ec.SECP256R1())
        return self._key

    async def send(self, device: PushDeviceRow, message: PushMessage) -> None:
        """Send a message to a browser; raise DeviceGone if it is unknown by now, or PushFailed."""
        from aiohttp import ClientError, ClientSession, ClientTimeout
        from py_vapid import Vapid02
        from pywebpush import WebPusher

        check_endpoint(device.endpoint, self._settings.services)  # the setting may have changed
        url = urlsplit(device.endpoint)
        signed = Vapid02(await self._private_key()).sign(
            {"sub": self._settings.contact, "aud": f"{url.scheme}://{url.netloc}", "exp": int(time.time()) + SIGNED}
        )
        keys = {"p256dh": device.p256dh, "auth": device.auth}
        pusher = WebPusher({"endpoint": device.endpoint, "keys": keys})
        body = pusher.encode(msgspec.json.encode(message), content_encoding="aes128gcm")["body"]
        topic = _text(hashlib.blake2b(message.path.encode(), digest_size=16).digest())
        headers = {**signed, "Content-Encoding": "aes128gcm", "TTL": str(TTL), "Topic": topic}
        try:
            async with (
                ClientSession(timeout=ClientTimeout(PATIENCE)) as session,
                session.post(device.endpoint, data=body, headers=headers, allow_redirects=False) as response,
            ):
                status = response.status
        except (ClientError, OSError, TimeoutError) as problem:
            raise PushFailed(f"The push service can't be reached: {type(problem).__name__}.") from None
        if status in GONE:
            raise DeviceGone("The push service no longer knows this browser.")
        if not 200 <= status < 300:
            raise PushFailed(f"The push service answered {status}.")


def read_device(
    person: str, label: str, endpoint: str, p256dh: str, auth: str, services: Sequence[str]
) -> PushDeviceRow:
    """Return a browser that wants push notifications; raise BadDevice if its subscription is malformed."""
    from cryptography.hazmat.primitives.asymmetric import ec

    check_endpoint(endpoint, services)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(p256dh))
        correct = len(_bytes(auth)) == 16 and len(p256dh) <= 128 and len(auth) <= 32
    except (ValueError, binascii.Error):
        correct = False
    if not correct:
        raise BadDevice("This browser sent keys for push notifications that can't be used.")
    number = hashlib.blake2b(endpoint.encode(), digest_size=16).hexdigest()
    return PushDeviceRow(id=number, person=person, label=label, endpoint=endpoint, p256dh=p256dh, auth=auth)


def check_endpoint(endpoint: str, services: Sequence[str]) -> None:
    """Raise BadDevice unless an endpoint belongs to one of the push services: hosts or origins."""
    try:
        url = urlsplit(endpoint)
        scheme, host, port = url.scheme, url.hostname or "", url.port
    except ValueError:
        scheme, host, port = "", "", None
    known = scheme == "https" and port in (None, 443) and any(f".{host}".endswith(f".{each}") for each in services)
    origin = f"{scheme}://{host}:{port}"
    readable = len(endpoint) <= LONGEST_ENDPOINT and endpoint.isascii() and endpoint.isprintable()
    if not host or not readable or not (known or origin in services):
        raise BadDevice("This browser uses a push service that the server doesn't know.")


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
