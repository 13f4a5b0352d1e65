"""Around every request: its count, the names of cookies, and the headers of every response.

Browsers ignore ports: servers on one host get each other's cookies, and could overwrite them. So a browser knows each
cookie as `NAME-HASH`, with a hash of the server's id; the application sees plain names. Cookies without a hash are from
before: they are read until they expire, unless another server's key has signed them.
"""

import hashlib
import logging
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, NamedTuple
from urllib.parse import quote

from sparring.monitoring import Histogram
from sparring.settings import Settings

Header = tuple[bytes, bytes]

#: The key of a request's state with the names of its signed cookies that have no hash yet.
UNHASHED = "unhashed"
#: The header that removes a cookie from the browser.
FORGET = b"%s=; Max-Age=0; Path=/; SameSite=lax"

#: Everything is loaded from this server; pages contain no inline scripts or styles.
CONTENT_SECURITY_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    b"manifest-src 'self'; worker-src 'self'; "
    b"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: Headers of every response, errors included. Responses that may be cached set the last one themselves.
HEADERS = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)

access_log = logging.getLogger("sparring.access")


class RequestMeter:
    """Counts the requests of a process."""

    def __init__(self, settings: Settings) -> None:
        self._logs = settings.access_log
        #: Requests by method and status.
        self.requests: Counter[tuple[str, int]] = Counter()
        #: Times until a response begins, since event streams last.
        self.latency = Histogram()

    def count(self, method: str, status: int, started: float) -> None:
        """Count a request whose response begins; `started` is when it came, by `time.perf_counter`."""
        self.requests[method, status] += 1
        self.latency.add(time.perf_counter() - started)

    def log(self, scope: Any, status: int, started: float) -> None:
        """Log a request that was answered, without the query, which may contain the secret of a link."""
        if self._logs:
            address, took = scope["client"][0] if scope["client"] else "-", 1000 * (time.perf_counter() - started)
            access_log.info("%s %s %s %s %.0f ms", address, scope["method"], quote(scope["path"]), status, took)


class ReadCookies(NamedTuple):
    """The names of a request's signed cookies that have no hash yet, and of those whose key is gone."""

    unhashed: Set[str] = frozenset()
    forged: Set[str] = frozenset()


class CookieNames:
    """The cookie names of one server. `signed` tells for each signed cookie whether this server has signed a value."""

    def __init__(self, server_id: str, signed: Mapping[str, Callable[[str], bool]]) -> None:
        self.suffix = f"-{hashlib.blake2b(server_id.encode(), digest_size=4).hexdigest()}"
        self._signed = signed

    def read(self, scope: Any) -> ReadCookies:
        """Give the cookies of a request their plain names."""
        cookies = b";".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
        if not cookies:
            return ReadCookies()
        pairs = [(name, value) for name, _, value in (each.strip().partition("=") for each in cookies.split(";"))]
        own = [(name.removesuffix(self.suffix), value) for name, value in pairs if name.endswith(self.suffix)]
        known = {name for name, _ in own}
        old = [(name, value) for name, value in pairs if name not in known and self._signed.get(name, bool)(value)]
        plain = "; ".join(f"{name}={value}" for name, value in (*old, *own)).encode("latin-1")
        scope["headers"] = [*(each for each in scope["headers"] if each[0] != b"cookie"), (b"cookie", plain)]
        unhashed = {name for name, _ in old} & self._signed.keys()
        scope.setdefault("state", {})[UNHASHED] = unhashed

        # Pages remove cookies whose key is gone. Otherwise the first form would, and it is refused, so that people know
        # that they are strangers now.
        forged = set[str]()
        if scope["method"] in ("GET", "HEAD"):
            forged = known & self._signed.keys() - {name for name, value in own if self._signed.get(name, bool)(value)}
        return ReadCookies(unhashed, forged)

    def write(self, headers: Iterable[Header], cookies: ReadCookies) -> list[Header]:
        """Return the headers of a response with the hashed names of its cookies, and those that every response has."""
        written = [(b"set-cookie", self._hashed(FORGET % name.encode())) for name in cookies.forged]
        present = set[bytes]()
        for key, value in headers:
            name = key.lower()
            present.add(name)
            if name != b"set-cookie":
                written.append((key, value))
                continue
            written.append((key, self._hashed(value)))
            plain = value.partition(b"=")[0]
            if plain.decode("latin-1") in cookies.unhashed:  # our own cookie without a hash is replaced
                written.append((key, FORGET % plain))
        return [*written, *(header for header in HEADERS if header[0] not in present)]

    def _hashed(self, cookie: bytes) -> bytes:
        name, _, rest = cookie.partition(b"=")
        return b"%s%s=%s" % (name, self.suffix.encode(), rest)
