"""One of several processes of a server: `python -m sparring.web.server_process FD`, told by its input what to be.

It makes itself ready and stands by until it is told to let people in. From then on it is told who of the others has
ended, so that nobody waits for them. When the input ends, so does it.
"""

import asyncio
import logging
import os
import signal
import socket
import sys
from dataclasses import fields, replace
from io import FileIO
from typing import Any, Self
from urllib.parse import urlsplit

import msgspec
from litestar import Litestar

from .app import create_app
from .serve import FirstTable, listen, run, url
from .settings import Limits, Settings

log = logging.getLogger(__name__)

#: What it is told: to let people in; and who has ended, before the address at which the others reached that one.
LET_IN, GONE = b"let in\n", b"gone "
#: What it writes when people may come in, before its own address and the path of the first page.
OPEN = b"open "


class ProcessOrder(msgspec.Struct, frozen=True):
    """What a process is to serve; settings that are functions are as usual."""

    settings: dict[str, Any]
    first: FirstTable | None = None

    @classmethod
    def of(cls, settings: Settings, first: FirstTable | None) -> Self:
        """An order that can be written down."""
        kept = {field.name: getattr(settings, field.name) for field in fields(settings)}
        return cls({name: value for name, value in kept.items() if not callable(value)}, first)

    def read(self) -> Settings:
        """The settings that were written down."""
        kept: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in self.settings.items()
        }
        kept["limits"] = Limits(**self.settings["limits"])
        return Settings(**kept)


class ParentListener:
    """Hears what whoever started this process says."""

    def __init__(self, told: FileIO) -> None:
        self._told = told
        self._hearing: asyncio.Task[None] | None = None  # kept here, or else it might be cleared away

    async def stand_by(self, app: Litestar) -> None:
        """Wait until people are to be let in, and hear from then on who has ended."""
        lines = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), self._told)
        while await lines.readline() not in (LET_IN, b""):
            pass
        self._hearing = asyncio.create_task(self._hear(lines, app))

    async def _hear(self, lines: asyncio.StreamReader, app: Litestar) -> None:
        async for line in lines:
            if line.startswith(GONE):
                try:
                    await app.state.others.gone(line.removeprefix(GONE).decode().strip())
                except Exception:  # whatever it is, the end of the input must be heard
                    log.exception("What another process had could not be let go")
        os.kill(os.getpid(), signal.SIGTERM)  # whoever started this process has ended


def main() -> None:
    """Serve until the input ends, or somebody says so."""
    told = FileIO(sys.stdin.fileno(), closefd=False)  # not a byte is read that is for later
    order = msgspec.json.decode(told.readline(), type=ProcessOrder)
    public = socket.socket(fileno=int(sys.argv[1]))
    settings, sockets = order.read(), [public]
    if settings.inside:
        inside = listen(urlsplit(settings.inside).hostname or "", 0)
        settings = replace(settings, inside=url(*inside.getsockname()[:2]))
        sockets.append(inside)
    app = create_app(settings, standing_by=ParentListener(told).stand_by)

    def started(path: str) -> None:
        sys.stdout.buffer.write(OPEN + f"{app.state.others.fleet.address} {path}\n".encode())
        sys.stdout.buffer.flush()

    run(app, settings, sockets, order.first, started)


if __name__ == "__main__":
    main()
