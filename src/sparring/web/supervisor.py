"""Starts the processes of a server, which all listen at one port, and starts those anew that end by themselves."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from dataclasses import replace

import msgspec

from .process import OPEN, Order
from .serve import FirstTable, NoPort, prepare
from .settings import Settings

log = logging.getLogger(__name__)

#: How long after its end a process is started anew (seconds).
PAUSE = 0.5

#: How many connections may wait to be taken in.
BACKLOG = 2048


def serve_many(
    settings: Settings, processes: int, *, browser: bool = True, first: FirstTable | None = None,
    say: Callable[[str], None] = print,
) -> None:  # fmt: skip
    """Serve in so many processes until somebody stops it (Ctrl-C)."""
    if os.name != "posix":
        raise NoPort("This system cannot share a port among processes; leave --processes out.")
    opened = prepare(settings, first, browser=browser, say=say)
    inside = settings.inside or ("" if settings.broker else "http://127.0.0.1:0")
    shared = replace(opened.settings, workers=max(1, settings.workers // processes), inside=inside)
    opened.listener.listen(BACKLOG)
    with opened.listener:
        asyncio.run(_Supervisor(shared, opened.listener, first, opened.started).run(processes))


class _Supervisor:
    def __init__(
        self, settings: Settings, listener: socket.socket, first: FirstTable | None, started: Callable[[str], None]
    ) -> None:
        self._settings = settings
        self._listener = listener
        self._first = first
        self._started = started
        self._running: set[Process] = set()
        self._stopped = False
        self._told = False

    async def run(self, processes: int) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        await asyncio.gather(*(self._keep(first=not place) for place in range(processes)))

    def _stop(self) -> None:
        self._stopped = True
        for process in self._running:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()

    async def _keep(self, *, first: bool) -> None:
        """Have one process for as long as the server runs."""
        while not self._stopped:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "sparring.web.process", str(self._listener.fileno()),
                stdin=PIPE, stdout=PIPE, pass_fds=[self._listener.fileno()], start_new_session=True,
            )  # fmt: skip
            self._running.add(process)
            assert process.stdin is not None
            order = Order.of(self._settings, self._first if first else None)
            process.stdin.write(msgspec.json.encode(order) + b"\n")  # it stays open: when it closes, the process ends
            await self._listen(process, tell=first)
            code = await process.wait()
            self._running.discard(process)
            if not self._stopped:
                log.warning("A process of the server has ended (%s); it is started anew", code)
                await asyncio.sleep(PAUSE)

    async def _listen(self, process: Process, *, tell: bool) -> None:
        """Hear what a process says of itself until it ends."""
        assert process.stdout is not None
        async for line in process.stdout:
            if line.startswith(OPEN) and tell and not self._told:
                self._first, self._told = None, True
                self._started(line.removeprefix(OPEN).decode().strip())
