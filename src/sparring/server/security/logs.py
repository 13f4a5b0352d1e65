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
    "filters": {"throttle": {"()": "sparring.server.security.logs.Throttle"}},
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {
        "errors": {"class": "logging.StreamHandler", "filters": ["throttle"], "formatter": "plain"},
        "access": {"class": "logging.StreamHandler", "formatter": "plain"},
    },
    "loggers": {"sparring.access": {"handlers": ["access"], "level": "INFO", "propagate": False}},
    "root": {"handlers": ["errors"], "level": "WARNING"},
}
