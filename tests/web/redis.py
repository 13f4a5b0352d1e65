"""Redis, if installed: a broker for the test files that import the fixture."""

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
    """A local broker, which can be killed and started again."""

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
        """Kill it like a power failure: its data is lost."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """Shut it down."""
        self.kill()
        self._folder.cleanup()


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    """Start a broker for the tests of a file."""
    server = Broker()
    yield server
    server.stop()
