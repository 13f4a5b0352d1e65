"""Redis, if it is installed: a broker for the tests of a file that import the fixture."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

PROGRAM = shutil.which("redis-server") or shutil.which("valkey-server")
NEEDS_REDIS = pytest.mark.skipif(
    not os.environ.get("CI") and (PROGRAM is None or find_spec("redis") is None),
    reason="Redis is not installed here, or its package is not",
)


class Broker:
    """A broker that this machine alone reaches; it can be killed and started again."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}"
        self._folder = tempfile.TemporaryDirectory(prefix="sparring-redis-")
        self.start()

    def start(self) -> None:
        """Start, and wait until it listens."""
        assert PROGRAM is not None, "Redis is not installed"
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", self._folder.name]
        self.process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.DEVNULL)
        for _ in range(1000):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        raise AssertionError("Redis does not listen")

    def kill(self) -> None:
        """As when the power fails: nothing that it had is there afterwards."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End, and leave nothing behind."""
        self.kill()
        self._folder.cleanup()


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    """A broker for the tests of a file."""
    server = Broker()
    yield server
    server.stop()
