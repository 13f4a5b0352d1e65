"""Logging: problems to standard error, each kind of message at most once a minute."""

import logging
import time
from typing import Any


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
    "filters": {"throttle": {"()": "sparring.web.security.logs.Throttle"}},
    "formatters": {"plain": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "handlers": {"errors": {"class": "logging.StreamHandler", "filters": ["throttle"], "formatter": "plain"}},
    "root": {"handlers": ["errors"], "level": "WARNING"},
}
