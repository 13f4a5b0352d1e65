"""Around every request: the server's host names, limits, counts, the names of cookies, and the headers of responses.

Another site could point its own name here, and browsers would treat its pages as ours (DNS rebinding): only the names
of this server are answered. Forged cookies and tokens, banned clients and exceeded limits are refused without a
database query.

Browsers ignore ports: servers on one host get each other's cookies, and could overwrite them. So a browser knows each
cookie as `NAME-HASH`, with a hash of the server's id; the application sees plain names. Cookies without a hash are from
before: they are read until they expire, unless another server's key has signed them.
"""

import contextlib
import hashlib
import ipaddress
import logging
import re
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import lru_cache
from gettext import NullTranslations
from typing import Any, NamedTuple, cast
from urllib.parse import quote

from litestar import Litestar
from litestar.types import HTTPScope, LifeSpanScope, Scope

from sparring.engine.messages import reading_in, say
from sparring.monitoring import Histogram
from sparring.people.fair_queue import Caller, caller
from sparring.people.rate_limits import Requester, TooMany
from sparring.server.protocol import decrement
from sparring.settings import Limits, Settings
from sparring.settings.requests import is_api, refusal
from sparring.store.networks import network, shares, turn_of

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
            if name == b"cache-control" and b"max-age" in value and b"immutable" not in value:
                written.append(BY_LANGUAGE)  # what is immutable is in no language
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


class StreamLimits:
    """Count the open event streams."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.by_person: Counter[str] = Counter()
        self.by_address: Counter[str] = Counter()

    def check(self, person: str, address: str) -> None:
        """Raise TooMany unless a person (empty: a stranger) may open another event stream from an address.

        Both are counted, since creating guests is free.
        """
        if person and self.by_person[person] >= self.limits.streams_each:
            raise TooMany(say("You have too many tables open. Close one of them and reload this page."))
        if any(self.by_address[each] >= self.limits.streams_from * times for each, times in shares(address).items()):
            raise TooMany(say("Too many tables are open in your network. Close one of them and reload this page."))
        if self.by_person.total() >= self.limits.streams:
            raise TooMany(say("Too many people are watching tables right now. Please try again soon."))

    @contextlib.contextmanager
    def open(self, person: str, address: str) -> Iterator[None]:
        """Count an event stream while it is open."""
        self.by_person[person] += 1
        self.by_address.update(shares(address).keys())
        try:
            yield
        finally:
            decrement(self.by_person, person)
            for each in shares(address):
                decrement(self.by_address, each)


#: The form of a Host header: a name, an IPv4 address or an IPv6 address in brackets, with an optional port.
HOST = re.compile(r"([A-Za-z0-9._-]{1,255}|\[(?P<ipv6>[A-Fa-f0-9:.]{2,45})\])(:(?P<port>[0-9]{0,5}))?")
HIGHEST_PORT = 65_535


def own_names(more: Iterable[str] = ()) -> frozenset[str]:
    """Return the names of this machine and configured ones, in lower case."""
    hostname = socket.gethostname()
    names = {"localhost", hostname, f"{hostname.partition('.')[0]}.local", *more}
    return frozenset(name.strip().rstrip(".").lower() for name in names if name.strip())


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine itself."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


@lru_cache(maxsize=64)
def read_host(host: str) -> str:
    """Return the name or address in a Host header, in lower case; empty if it is malformed."""
    match = HOST.fullmatch(host)
    if not match or int(match["port"] or 0) > HIGHEST_PORT:
        return ""
    if match["ipv6"]:
        return match["ipv6"].lower() if ":" in match["ipv6"] and _is_address(match["ipv6"]) else ""
    return match[1].rstrip(".").lower()


def is_served(name: str, names: frozenset[str]) -> bool:
    """Return whether the server answers to a name: one of these, localhost, or any address."""
    return name in names or name.endswith(".localhost") or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


#: What is refused before the application reads a request: status and sentence.
NO_HOST = 400, "The Host header of this request is missing or malformed."
OTHER_HOST = 421, "This server doesn't answer to that host name."
NO_PAGE = 404, "There is nothing at this address."
TOO_FAST = 429, "Your network sends too many requests. Please wait a moment."


#: Returns the language in which to answer a request; None is English. Each language is one object: caches know it by
#: that.
LanguageOf = Callable[[Scope], NullTranslations | None]
#: By what a language may be chosen; browsers keep what they cache apart by these headers.
BY_LANGUAGE = b"vary", b"Accept-Language, Cookie"


def english(_: Scope) -> None:
    """Answer in English: there is no other language yet."""


class GuardedApplication(Litestar):
    """An application that refuses some requests before it reads them, and counts and completes all others.

    Its state is a `ServerState`.
    """

    async def __call__(self, scope: Scope | LifeSpanScope, receive: Any, send: Any) -> None:
        """Answer a request, unless it is for another host or its path can't belong to a page."""
        if scope["type"] == "lifespan":
            await super().__call__(scope, receive, send)
            return
        names, meter, cookies = self.state.cookie_names, self.state.meter, ReadCookies()
        started, status, method = time.perf_counter(), 0, cast("HTTPScope", scope)["method"]

        async def sending(message: Any) -> None:
            nonlocal status
            if not status:
                status = message["status"]
                meter.count(method, status, started)
                message["headers"] = names.write(message.get("headers", ()), cookies)
            await send(message)

        try:
            if refused := self._refusal(scope):
                await _refuse(sending, scope["path"], *refused)
            else:
                cookies = names.read(scope)
                with reading_in(self.state.language_of(scope)):
                    await super().__call__(scope, receive, sending)
        finally:
            meter.log(scope, status, started)

    def _refusal(self, scope: Any) -> tuple[int, str] | None:
        """Return why a request is refused before the application reads it, or count it for its address."""
        path, hosts = scope["path"], [value for name, value in scope["headers"] if name == b"host"]
        host = read_host(hosts[0].decode("latin-1")) if len(hosts) == 1 else ""
        if not host:
            return NO_HOST
        if not is_served(host, self.state.host_names):
            return OTHER_HOST
        if "\0" in path or path.startswith("//"):  # browsers take `//` in a link for a host
            return NO_PAGE
        address = network(scope["client"][0]) if scope["client"] else ""
        if not self.state.request_limit.take(Requester(address=address).keys):
            return TOO_FAST
        caller.set(Caller(turn_of(address)))
        return None


async def _refuse(send: Any, path: str, status: int, sentence: str) -> None:
    """Answer without the application: as JSON for the API, otherwise as a page."""
    headers, body = refusal(sentence, json=is_api(path))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
