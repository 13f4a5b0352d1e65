"""Several processes of a server: a supervisor starts them, they share a port, and those that end are replaced.

A spare process is always ready, since starting one takes seconds while others need the processor. When a process ends,
the spare replaces it, and a new spare is started. Each process (`python -m sparring.server_processes FD`) is controlled
through its input: it prepares itself and waits for the order to serve. When the input ends, the process ends too.
"""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from dataclasses import fields, replace
from io import FileIO
from logging.config import dictConfig
from typing import Any, Self

import msgspec
from litestar import Litestar

from sparring.engine.errors import SparringError
from sparring.server.monitoring import LOGGING
from sparring.settings.server import SteadyClock

from .app import create_app
from .serve import FirstTable, PortUnavailable, prepare, run
from .settings import Limits, MailSettings, PushSettings, Settings

log = logging.getLogger(__name__)

#: The pause before replacing a process that has ended. It doubles, to a limit, while processes end young (seconds).
PAUSE, LONGEST_PAUSE, YOUNG = 0.5, 30.0, 20.0

#: The length of the socket's accept queue.
BACKLOG = 2048

#: The message on the input of a process to start serving.
SERVE = b"let in\n"
#: The message of a process that serves, followed by the path of the first page.
SERVING = b"open "

#: Settings that are objects themselves.
SECTIONS: dict[str, Callable[..., Any]] = {
    "limits": Limits, "mail": MailSettings, "push": PushSettings, "now": SteadyClock,
}  # fmt: skip


class NeedsPostgres(SparringError):
    """Several processes would serve a database that only one can."""


def serve_many(
    settings: Settings, processes: int, *, browser: bool = True, first: FirstTable | None = None, lan: bool = False
) -> None:
    """Serve with this many processes until stopped (Ctrl-C)."""
    if not settings.database.startswith("postgres"):
        raise NeedsPostgres("Several processes need a PostgreSQL database. With SQLite, leave --processes out.")
    if os.name != "posix":
        raise PortUnavailable("This system can't share a port among processes. Leave --processes out.")
    server = prepare(settings, first, browser=browser, say=print, lan=lan)
    shared = replace(server.settings, bot_processes=max(1, settings.bot_processes // processes))
    server.listener.listen(BACKLOG)
    dictConfig(LOGGING)
    with server.listener:
        asyncio.run(_Supervisor(shared, server.listener, first, server.started).run(processes))


class _Supervisor:
    """Keep the wanted number of processes and one spare running."""

    def __init__(
        self, settings: Settings, listener: socket.socket, first: FirstTable | None, started: Callable[[str], None]
    ) -> None:
        self._settings = settings
        self._listener = listener
        self._first = first
        self._started = started
        self._wanted = 0
        #: Processes that serve or are about to, and whether they have begun.
        self._serving: dict[Process, bool] = {}
        self._standing_by: list[Process] = []
        self._complete = asyncio.Event()
        self._stopped = asyncio.Event()
        self._reported = False

    async def run(self, processes: int) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._stop)
        self._wanted = processes
        await asyncio.gather(*(self._keep(first=not index) for index in range(processes)), self._keep_spare())

    def _stop(self) -> None:
        self._stopped.set()
        self._complete.set()
        for process in (*self._serving, *self._standing_by):
            _input(process).close()

    async def _keep_spare(self) -> None:
        await self._complete.wait()  # until then the others need the processor
        await self._keep()

    async def _keep(self, *, first: bool = False) -> None:
        """Keep one process running for as long as the server runs."""
        pause = 0.0
        while not self._stopped.is_set():
            started = time.monotonic()
            process = await self._start(self._first if first else None)
            await self._listen(process, tell=first)
            code = await process.wait()
            self._ended(process)
            young = time.monotonic() - started < YOUNG
            pause = min(2 * pause, LONGEST_PAUSE) if young and pause else PAUSE
            if not self._stopped.is_set():
                log.warning("A server process has ended (%s); replacing it in %.1f seconds", code, pause)
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stopped.wait(), pause)

    async def _start(self, first: FirstTable | None) -> Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "sparring.server_processes", str(self._listener.fileno()),
            stdin=PIPE, stdout=PIPE, pass_fds=[self._listener.fileno()], start_new_session=True,
        )  # fmt: skip
        # Its input stays open: when it closes, the process ends.
        _input(process).write(msgspec.json.encode(ProcessOrder.of(self._settings, first)) + b"\n")
        self._standing_by.append(process)
        self._fill_up()
        if self._stopped.is_set():
            _input(process).close()
        return process

    def _fill_up(self) -> None:
        """Order the longest waiting spares to serve, as many as are needed."""
        while self._standing_by and len(self._serving) < self._wanted:
            process = self._standing_by.pop(0)
            self._serving[process] = False
            _input(process).write(SERVE)

    def _ended(self, process: Process) -> None:
        """Let a spare replace a process that has ended."""
        if process in self._standing_by:
            self._standing_by.remove(process)
        self._serving.pop(process, None)
        self._fill_up()

    async def _listen(self, process: Process, *, tell: bool) -> None:
        """Read a process's messages until it ends."""
        assert process.stdout is not None
        async for line in process.stdout:
            if line.startswith(SERVING):
                self._serving[process] = True
                if all(self._serving.values()) and len(self._serving) == self._wanted:
                    self._complete.set()
                if tell and not self._reported:
                    self._first, self._reported = None, True
                    self._started(line.removeprefix(SERVING).decode().strip())


def _input(process: Process) -> asyncio.StreamWriter:
    """Return the pipe to a process's input."""
    assert process.stdin is not None
    return process.stdin


def _tupled(values: dict[str, Any]) -> dict[str, Any]:
    """Return values with tuples, which JSON reads as lists."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


class ProcessOrder(msgspec.Struct, frozen=True):
    """What a process is to serve."""

    settings: dict[str, Any]
    first: FirstTable | None = None

    @classmethod
    def of(cls, settings: Settings, first: FirstTable | None) -> Self:
        """Return an order that can be serialized."""
        return cls({field.name: getattr(settings, field.name) for field in fields(settings)}, first)

    def read(self) -> Settings:
        """Return the settings."""
        return Settings(**{
            name: SECTIONS[name](**_tupled(value)) if name in SECTIONS else value
            for name, value in _tupled(self.settings).items()
        })  # fmt: skip


class ParentListener:
    """Listen to the supervisor that started this process."""

    def __init__(self, commands: FileIO) -> None:
        self._input = commands

    async def stand_by(self, app: Litestar) -> None:
        """Wait for the order to serve; then end when the supervisor does."""
        lines = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), self._input)
        while await lines.readline() not in (SERVE, b""):
            pass

        async def follow_supervisor() -> None:
            await lines.read()
            os.kill(os.getpid(), signal.SIGTERM)  # the supervisor has ended

        app.state.loops.start(follow_supervisor)


def main() -> None:
    """Serve until the input ends or a signal arrives."""
    commands = FileIO(sys.stdin.fileno(), closefd=False)  # unbuffered: later input must stay unread
    order = msgspec.json.decode(commands.readline(), type=ProcessOrder)
    public = socket.socket(fileno=int(sys.argv[1]))
    settings = order.read()
    app = create_app(settings, standing_by=ParentListener(commands).stand_by)

    def started(path: str) -> None:
        sys.stdout.buffer.write(SERVING + f"{path}\n".encode())
        sys.stdout.buffer.flush()

    run(app, settings, public, order.first, started)


if __name__ == "__main__":
    main()
