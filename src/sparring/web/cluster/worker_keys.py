"""Worker keys: derived from the server's secret, and valid for jobs only."""

import base64
import hashlib
import hmac
import os
from pathlib import Path

from sparring.engine.errors import SparringError
from sparring.web.settings import SECRET, read_secrets

#: The environment variable with a worker's key.
VARIABLE = "SPARRING_WORKER_KEY"
#: The prefix of worker keys, which tells them apart from the server's secret.
PREFIX = "worker-"
#: The length in bytes, and of the checksum at the end that detects typing errors.
LENGTH, CHECKSUM = 32, 4


class WorkerKeyMissing(SparringError):
    """There is no valid worker key."""


def worker_key(secret: str) -> str:
    """Return the worker key of a server's secret, which it doesn't reveal."""
    key = hashlib.blake2b(b"a worker's key", key=secret.encode()[:64], digest_size=LENGTH).digest()
    return PREFIX + base64.urlsafe_b64encode(key + _checksum(key)).decode()


def own_key(folder: Path) -> str:
    """Return the key of a worker on this machine: the one it was given, or that of the server in the data folder."""
    if given := os.environ.get(VARIABLE, "").strip():
        return _checked(given)
    if not (folder / SECRET).exists():
        raise WorkerKeyMissing(
            f"A worker needs a key. Run `sparring admin worker-key` at the server, and set {VARIABLE} to its output."
        )
    return worker_key(read_secrets(folder / SECRET)[0])


def _checked(given: str) -> str:
    try:
        body = base64.b64decode(given.removeprefix(PREFIX), altchars=b"-_", validate=True)
    except ValueError:
        body = b""
    key, checksum = body[:LENGTH], body[LENGTH:]
    if not given.startswith(PREFIX) or len(key) != LENGTH or not hmac.compare_digest(checksum, _checksum(key)):
        raise WorkerKeyMissing(
            f"{VARIABLE} isn't a valid worker key. Run `sparring admin worker-key` at the server to get one."
        )
    return given


def _checksum(key: bytes) -> bytes:
    return hashlib.blake2b(key, digest_size=CHECKSUM).digest()
