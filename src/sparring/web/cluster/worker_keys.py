"""The key that a server's workers hold: made from the server's own, and good for jobs and nothing else."""

import base64
import hashlib
import hmac
import os
from pathlib import Path

from sparring.engine.errors import SparringError
from sparring.web.settings import SECRET, read_secrets

#: Where a worker finds its key.
VARIABLE = "SPARRING_WORKER_KEY"
#: How the key of a worker begins, so that nobody takes it for the server's.
WORD = "worker-"
#: Its length (bytes), and that of the check at its end by which a slip of the hand is found.
LENGTH, CHECK = 32, 4


class WorkerKeyMissing(SparringError):
    """A worker that has no key it could work with."""


def worker_key(secret: str) -> str:
    """The key of those who work for whoever has this secret; from it nobody learns the secret."""
    key = hashlib.blake2b(b"a worker's key", key=secret.encode()[:64], digest_size=LENGTH).digest()
    return WORD + base64.urlsafe_b64encode(key + _check(key)).decode()


def own_key(folder: Path) -> str:
    """The key of a worker here: the one it was given, or that of the server which keeps its things in this folder."""
    if given := os.environ.get(VARIABLE, "").strip():
        return _checked(given)
    if not (folder / SECRET).exists():
        raise WorkerKeyMissing(
            f"A worker needs a key: `sparring admin worker-key` tells it at the server; put it into {VARIABLE}."
        )
    return worker_key(read_secrets(folder / SECRET)[0])


def _checked(given: str) -> str:
    try:
        body = base64.b64decode(given.removeprefix(WORD), altchars=b"-_", validate=True)
    except ValueError:
        body = b""
    key, check = body[:LENGTH], body[LENGTH:]
    if not given.startswith(WORD) or len(key) != LENGTH or not hmac.compare_digest(check, _check(key)):
        raise WorkerKeyMissing(
            f"What stands in {VARIABLE} is no key of a worker; `sparring admin worker-key` tells one."
        )
    return given


def _check(key: bytes) -> bytes:
    return hashlib.blake2b(key, digest_size=CHECK).digest()
