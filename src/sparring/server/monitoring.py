"""The log of a server, which requests can't fill, and a check of its site from outside, as a browser sees it."""

import logging
import ssl
import time
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sparring.settings import Settings

log = logging.getLogger(__name__)


class Throttle(logging.Filter):
    """Let each kind of message through once a minute, so that an attacker's requests can't fill the log.

    The next message of a kind says how many were suppressed.
    """

    INTERVAL = 60.0
    KINDS = 1000

    def __init__(self) -> None:
        super().__init__()
        self._seen: dict[tuple[Any, ...], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write a message."""
        if getattr(record, "counted", False):  # by the fault log
            return True
        kind = record.name, str(record.msg)[:80], record.exc_info and record.exc_info[0]
        last, more = self._seen.get(kind, (float("-inf"), 0))
        now = time.monotonic()
        if now - last < self.INTERVAL:
            self._seen[kind] = last, more + 1
            return False
        if len(self._seen) >= self.KINDS:
            self._seen.clear()
        self._seen[kind] = now, 0
        if more:
            record.msg = f"{record.msg} ({more} more since the last message)"
        return True


#: The logging configuration of a server.
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"throttle": {"()": "sparring.server.monitoring.Throttle"}},
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {
        "errors": {"class": "logging.StreamHandler", "filters": ["throttle"], "formatter": "plain"},
        "access": {"class": "logging.StreamHandler", "formatter": "plain"},
    },
    "loggers": {"sparring.access": {"handlers": ["access"], "level": "INFO", "propagate": False}},
    "root": {"handlers": ["errors"], "level": "WARNING"},
}


#: How long the site may take to answer (seconds), and the first bytes of a stream.
PATIENCE, FIRST_BYTES = 10.0, 5.0
#: Days that a certificate must still be valid, and seconds between clocks and of a day.
CERTIFICATE, CLOCKS, DAY = 14, 5.0, 86_400


class Finding(NamedTuple):
    """What a check found, and what to do; nothing if it is well."""

    subject: str
    says: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.subject:<12} {'to do' if self.remedy else 'ok':<6} {self.says} {self.remedy}".rstrip()


def check_site(settings: "Settings", table: str, version: int) -> Iterator[Finding]:
    """Ask the public address as a browser would: TLS, proxy, clock, streams."""
    address = settings.mail.site or (f"https://{settings.names[0]}" if settings.names else "")
    if not address:
        yield Finding("site", "It has no public address (`names`, `mail.site`).")
        return
    url = urlsplit(address)
    host = url.hostname or ""

    def ask(method: str, path: str, **headers: str) -> tuple[HTTPResponse, str]:
        """Return the answer, and until when the certificate is valid."""
        kind = HTTPSConnection if url.scheme == "https" else HTTPConnection
        connection = kind(host, url.port, timeout=PATIENCE)
        connection.request(method, path, headers=headers)
        connection.sock.settimeout(FIRST_BYTES if "events" in path else PATIENCE)
        certificate = connection.sock.getpeercert() if isinstance(connection.sock, ssl.SSLSocket) else None
        return connection.getresponse(), str((certificate or {}).get("notAfter", ""))

    try:
        answer, valid_until = ask("GET", "/health")
    except ssl.SSLError as problem:
        why = getattr(problem, "verify_message", "") or problem.reason
        yield Finding("tls", f"{address}: {why}.", "Renew the certificate, or mend the proxy's.")
        return
    except (OSError, HTTPException) as problem:
        says = f"{address} can't be reached from here: {str(problem) or type(problem).__name__}."
        yield Finding("site", says, "Check its DNS, the firewall and the proxy.")
        return
    yield _certificate(address, valid_until)
    wanted = {421: f"Add {host} to `names`.", 502: "Start the server, or mend the proxy's address of it."}
    remedy = "" if answer.status == 200 else wanted.get(answer.status, "Look at the proxy's log.")
    yield Finding("site", f"{address}/health answers {answer.status}.", remedy)
    if remedy:
        return
    if (start := ask("GET", "/")[0].status) != 200:
        yield Finding("pages", f"The start page answers {start}.", "Look at the server's log.")
    told = parsedate_to_datetime(answer.headers["Date"]).timestamp() if answer.headers["Date"] else time.time()
    if abs(told - time.time()) > CLOCKS:
        yield Finding("clock", f"{address} is {told - time.time():+,.0f} s apart.", "Set the clocks.")
    yield from _proxy(settings, url.scheme, lambda: ask("POST", "/theme", Origin=f"http://{url.netloc}")[0].status)
    if table:
        yield _stream(lambda: ask("GET", f"/table/{table}/events?version={version}")[0])


def _certificate(address: str, valid_until: str) -> Finding:
    if not valid_until:
        return Finding("tls", f"{address} isn't encrypted.", "Put a proxy with TLS before the server.")
    days = (ssl.cert_time_to_seconds(valid_until) - time.time()) / DAY
    says = f"The certificate is valid for {days:,.0f} days."
    return Finding("tls", says, "Renew it." if days < CERTIFICATE else "")


def _proxy(settings: "Settings", scheme: str, post: Callable[[], int]) -> Iterator[Finding]:
    """Check that the server learns the scheme: then it refuses a form from its own host over http."""
    if scheme != "https":
        return
    if not settings.proxy:
        yield Finding("proxy", "`proxy` isn't set.", "Set it to the proxy's IP address, as the server sees it.")
    elif post() == 403:
        yield Finding("proxy", "Its headers arrive.")
    else:
        remedy = "Let it send X-Forwarded-For and X-Forwarded-Proto, and check `proxy`."
        yield Finding("proxy", "The server doesn't get its headers.", remedy)


def _stream(ask: Callable[[], HTTPResponse]) -> Finding:
    try:
        answer = ask()
        if answer.status == 200 and answer.read1(1):
            return Finding("streams", "They arrive at once.")
        return Finding("streams", f"They weren't checked: the latest table answers {answer.status}.")
    except (OSError, HTTPException):
        return Finding("streams", "They are held up.", "Switch the proxy's buffering off (`proxy_buffering off`).")
