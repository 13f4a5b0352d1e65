"""One of several processes of a server: `python -m sparring.server_process FD`, controlled through its input.

It prepares itself and waits for the order to serve. From then on its input reports which other processes have ended, so
that it doesn't wait for them. When the input ends, the process ends too.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from io import FileIO
from typing import Any, Self
from urllib.parse import urlsplit

import msgspec
from litestar import Litestar

from sparring.settings.steady_clock import SteadyClock

from .app import create_app
from .serve import FirstTable, listen, run, url
from .settings import Limits, MailSettings, PushSettings, Settings

#: Messages on the input: start serving; and a process has ended, followed by its address.
SERVE, PEER_ENDED = b"let in\n", b"gone "
#: The message when the process serves, followed by its address and the path of the first page.
SERVING = b"open "


#: Settings that are objects themselves.
SECTIONS: dict[str, Callable[..., Any]] = {
    "limits": Limits, "mail": MailSettings, "push": PushSettings, "now": SteadyClock,
}  # fmt: skip


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
        """Wait for the order to serve, then listen for processes that have ended."""
        lines = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), self._input)
        while await lines.readline() not in (SERVE, b""):
            pass

        async def follow_supervisor() -> None:
            async for line in lines:
                if line.startswith(PEER_ENDED):
                    await app.state.cluster.process_ended(line.removeprefix(PEER_ENDED).decode().strip())
            os.kill(os.getpid(), signal.SIGTERM)  # the supervisor has ended

        app.state.loops.start(follow_supervisor)


def main() -> None:
    """Serve until the input ends or a signal arrives."""
    commands = FileIO(sys.stdin.fileno(), closefd=False)  # unbuffered: later input must stay unread
    order = msgspec.json.decode(commands.readline(), type=ProcessOrder)
    public = socket.socket(fileno=int(sys.argv[1]))
    settings, sockets = order.read(), [public]
    if settings.inside:
        internal = listen(urlsplit(settings.inside).hostname or "", 0)
        settings = replace(settings, inside=url(*internal.getsockname()[:2]))
        sockets.append(internal)
    app = create_app(settings, standing_by=ParentListener(commands).stand_by)

    def started(path: str) -> None:
        sys.stdout.buffer.write(SERVING + f"{app.state.cluster.node.address} {path}\n".encode())
        sys.stdout.buffer.flush()

    run(app, settings, sockets, order.first, started)


if __name__ == "__main__":
    main()
