"""The server as people start it: a process of its own, which can be killed and started again."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

TOY = Path(__file__).parent / "toy"
START = """
import sys
from pathlib import Path
from sparring.web.bots.players import Processes
from sparring.web.serve import serve
from sparring.web.settings import Limits, Settings
async def nothing(*_): pass
Processes.warm = nothing
limits = Limits(connections_each=1000, tables_at_once=1000, tables_going_on=1000)
folder, port = Path(sys.argv[1]), int(sys.argv[2])
serve(Settings.usual(folder, host="127.0.0.1", port=port, slot=0.04, limits=limits), browser=False)
"""


class Server:
    """A server process on a free port.

    It compiles nothing: its bots choose at random, and what it has begun to compile would be lost when it is stopped.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers."""
        environment = {**os.environ, "PYTHONPATH": str(TOY)}
        self.process = subprocess.Popen(
            [sys.executable, "-c", START, str(self.folder), str(self.port)], env=environment, stdout=subprocess.DEVNULL
        )
        for _ in range(600):
            try:
                httpx.get(self.url).raise_for_status()
                return
            except httpx.TransportError:
                assert self.process.poll() is None, "the server did not start"
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """As when the power fails: no goodbye."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        """As with Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)
