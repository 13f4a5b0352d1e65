"""One of several processes of a server: `python -m sparring.web.process FD`, told by its input what to be."""

import os
import signal
import socket
import sys
import threading
from dataclasses import fields, replace
from typing import Any, Self
from urllib.parse import urlsplit

import msgspec

from .serve import FirstTable, listen, run
from .settings import Limits, Settings

#: What it writes when people may come in, before the path of the first page.
OPEN = b"open "


class Order(msgspec.Struct, frozen=True):
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


def main() -> None:
    """Serve until the input ends, or somebody says so."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    threading.Thread(target=_end_with_input, daemon=True).start()
    public = socket.socket(fileno=int(sys.argv[1]))
    settings, sockets = order.read(), [public]
    if settings.inside:
        inside = listen(urlsplit(settings.inside).hostname or "", 0)
        host, port = inside.getsockname()[:2]
        settings = replace(settings, inside=f"http://{f'[{host}]' if ':' in host else host}:{port}")
        sockets.append(inside)
    run(settings, sockets, order.first, _say)


def _say(path: str) -> None:
    sys.stdout.buffer.write(OPEN + path.encode() + b"\n")
    sys.stdout.buffer.flush()


def _end_with_input() -> None:
    """Whoever started this process has ended."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
