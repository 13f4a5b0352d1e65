"""The server as a separate process, which can be killed and started again."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import programs

TOY = Path(__file__).parent / "toy"
START = """
import sys
from functools import partial
from pathlib import Path
from sparring.tables.workers.bot_players import ProcessBotPlayers
from sparring.serve import serve
from sparring.settings import Limits, Settings
async def nothing(*_): pass
ProcessBotPlayers.warm = nothing
limits = Limits(connections_each=1000, tables_at_once=1000, tables_going_on=1000)
folder, port = Path(sys.argv[1]), int(sys.argv[2])
settings = Settings.load(folder, host="127.0.0.1", port=port, slot=0.04, limits=limits)
serve(settings, browser=False, say=partial(print, flush=True))
"""


class ServerProcess:
    """A server process on a free port.

    It compiles nothing: its bots are random, and compilation would be lost when it is stopped."""

    def __init__(self, folder: Path) -> None:
        programs.needs_marker("server", "browser", "journey")
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start, and wait until it prints its address."""
        environment = {**os.environ, "PYTHONPATH": str(TOY)}
        words = [sys.executable, "-c", START, str(self.folder), str(self.port)]
        self.process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        assert self.process.stdout.readline(), "the server did not start"

    def kill(self) -> None:
        """Kill it like a power failure."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> None:
        """Stop it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=20)
