"""Measure requests: their number and latency, and on request a line in the access log for each."""

import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote, urlsplit

from sparring.monitoring.metrics import Histogram
from sparring.settings import Settings

log = logging.getLogger("sparring.access")


class RequestMeter:
    """Counts the requests of a process, apart from those that other processes forward: they have counted them."""

    def __init__(self, settings: Settings) -> None:
        self._inside = urlsplit(settings.inside).port
        self._logs = settings.access_log
        #: Requests by method and status.
        self.requests: Counter[tuple[str, int]] = Counter()
        #: Times until a response begins, since event streams last.
        self.latency = Histogram()

    async def measure(self, scope: Any, receive: Any, send: Any, answer: Callable[..., Awaitable[None]]) -> None:
        """Answer a request and count it."""
        if self._inside and scope["server"] and scope["server"][1] == self._inside:
            await answer(scope, receive, send)
            return
        started, status = time.perf_counter(), 0

        async def sending(message: Any) -> None:
            nonlocal status
            if not status:
                status = message["status"]
                self.requests[scope["method"], status] += 1
                self.latency.add(time.perf_counter() - started)
            await send(message)

        try:
            await answer(scope, receive, sending)
        finally:
            if self._logs:  # without the query, which may contain the secret of a link
                address, took = scope["client"][0] if scope["client"] else "-", 1000 * (time.perf_counter() - started)
                log.info("%s %s %s %s %.0f ms", address, scope["method"], quote(scope["path"]), status, took)
