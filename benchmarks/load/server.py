"""The measured server, in separate processes, and its resource use."""

import asyncio
import contextlib
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from sparring.serve import listen

from .people import LoadClient

#: The settings of the server, in a file that operators can use too.
SETTINGS = Path(__file__).parent / "load.toml"

#: The module of a multi-process server's processes.
PART = "sparring.server_process"
#: A server that uses more processor time than this in half a second is still starting something (seconds).
BUSY = 0.1


class Server:
    """A server with some processes, whose tables are in a data folder or a database."""

    def __init__(self, folder: str, processes: int = 1, database: str = "") -> None:
        with listen("127.0.0.1", 0) as probe:
            self.port = int(probe.getsockname()[1])
        self._words = ["--settings", str(SETTINGS), "--port", str(self.port), "--processes", str(processes)]
        self._environment = {"SPARRING_DATA": folder, "SPARRING_DATABASE": database}
        self._processes = processes

    async def start(self) -> None:
        """Start the server, and wait for its first page."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "sparring.cli", "play", "--no-browser", *self._words,
            env={**os.environ, **self._environment}, stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        while self._process.returncode is None:
            try:
                with contextlib.closing(LoadClient(self.port)) as first:
                    await first.ask("GET", "/")
                if len(self.parts()) >= self._processes:
                    return
            except OSError:
                pass
            await asyncio.sleep(0.02)
        raise RuntimeError("The server exited before it served a page.")

    async def settle(self) -> None:
        """Wait until everything has started: a multi-process server starts its spare after the others serve."""
        if self._processes > 1:
            while len(self.parts()) <= self._processes or await self._is_busy():  # noqa: ASYNC110 - other processes have no event
                await asyncio.sleep(0.1)

    async def _is_busy(self) -> bool:
        before = self.used()
        await asyncio.sleep(0.5)
        return self.used() - before > BUSY

    async def stop(self) -> None:
        """Stop the server gracefully, so that its bot processes end too and don't disturb the next measurement."""
        self._process.terminate()
        await self._process.wait()

    async def lateness(self) -> tuple[float, float]:
        """Return how late the event loop was, added up (seconds), and how often that was measured."""
        with contextlib.closing(LoadClient(self.port)) as client:
            text = (await client.ask("GET", "/metrics"))[1].decode()
        total, times = (re.findall(rf"sparring_loop_lag_seconds_{part} (\S+)", text)[0] for part in ("sum", "count"))
        return float(total), float(times)

    def parts(self) -> list[int]:
        """Return the processes that answer requests, without bot processes."""
        if self._processes == 1:
            return [self._process.pid]
        children = _read(self._process.pid, f"task/{self._process.pid}/children").split()
        return [int(child) for child in children if PART in _read(int(child), "cmdline").split("\0")]

    def used(self) -> float:
        """Return the processor time that they have used (seconds)."""
        return used(self.parts())

    def memory(self) -> float:
        """Return their memory (MB)."""
        return memory(self.parts())


def used(processes: Iterable[int]) -> float:
    """Return the processor time of some processes (seconds); 0 where the system doesn't report it."""
    ticks = 0
    for process in processes:
        fields = _read(process, "stat").rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(processes: Iterable[int]) -> float:
    """Return the memory of some processes (MB); 0 where the system doesn't report it."""
    pages = sum(int(words[1]) for process in processes if (words := _read(process, "statm").split()))
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _read(process: int, what: str) -> str:
    try:
        return Path(f"/proc/{process}/{what}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
