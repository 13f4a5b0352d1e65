"""One of several processes of a server: `python -m sparring.server_process FD`, controlled through its input.

It prepares itself and waits for the order to serve. When the input ends, the process ends too.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import fields
from io import FileIO
from typing import Any, Self

import msgspec
from litestar import Litestar

from sparring.settings.server import SteadyClock

from .app import create_app
from .serve import FirstTable, run
from .settings import Limits, MailSettings, PushSettings, Settings

#: The message on the input to start serving.
SERVE = b"let in\n"
#: The message when the process serves, followed by the path of the first page.
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
