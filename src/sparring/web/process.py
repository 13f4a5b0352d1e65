"""One of several processes of a server: `python -m sparring.web.process FD`, told by its input what to be."""

import os
import signal
import socket
import sys
import threading
from dataclasses import replace
from urllib.parse import urlsplit

import msgspec

from .serve import FirstTable, listen, run
from .settings import Settings

#: What it writes when people may come in, before the path of the first page.
OPEN = b"open "


class Order(msgspec.Struct, frozen=True):
    """What a process is to serve."""

    settings: Settings
    first: FirstTable | None = None


def main() -> None:
    """Serve until the input ends, or somebody says so."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    threading.Thread(target=_end_with_input, daemon=True).start()
    public = socket.socket(fileno=int(sys.argv[1]))
    inside = listen(urlsplit(order.settings.inside).hostname or "127.0.0.1", 0)
    host, port = inside.getsockname()[:2]
    settings = replace(order.settings, inside=f"http://{f'[{host}]' if ':' in host else host}:{port}")
    run(settings, [public, inside], order.first, _say)


def _say(path: str) -> None:
    sys.stdout.buffer.write(OPEN + path.encode() + b"\n")
    sys.stdout.buffer.flush()


def _end_with_input() -> None:
    """Whoever started this process has ended."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
