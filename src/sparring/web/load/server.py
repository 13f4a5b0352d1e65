"""The server that is asked, in processes of its own, and what it takes."""

import asyncio
import contextlib
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from sparring.web.serve import listen

from .people import Somebody

#: The settings of the server, which an operator can use as well.
SETTINGS = Path(__file__).parent / "load.toml"

#: The processes of a server that has several.
PART = "sparring.web.server_process"
#: A server that uses more than so much processor time in half a second still starts something (seconds).
BUSY = 0.1


class Server:
    """A server of so many processes, whose tables lie in a folder or a database."""

    def __init__(self, folder: str, processes: int = 1, database: str = "") -> None:
        with listen("127.0.0.1", 0) as probe:
            self.port = int(probe.getsockname()[1])
        self._words = ["--settings", str(SETTINGS), "--port", str(self.port), "--processes", str(processes)]
        self._environment = {"SPARRING_DATA": folder, "SPARRING_DATABASE": database}
        self._processes = processes

    async def start(self) -> None:
        """Start, and wait for the first page."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "sparring.cli", "play", "--no-browser", *self._words,
            env={**os.environ, **self._environment}, stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        while self._process.returncode is None:
            try:
                with contextlib.closing(Somebody(self.port)) as first:
                    await first.ask("GET", "/")
                if len(self.parts()) >= self._processes:
                    return
            except OSError:
                pass
            await asyncio.sleep(0.02)
        raise RuntimeError("The server ended before it served a page.")

    async def settle(self) -> None:
        """Wait until all is there: of several processes one more stands by, and starts when the others serve."""
        if self._processes > 1:
            while len(self.parts()) <= self._processes or await self._is_busy():  # noqa: ASYNC110 - they are elsewhere
                await asyncio.sleep(0.1)

    async def _is_busy(self) -> bool:
        before = self.used()
        await asyncio.sleep(0.5)
        return self.used() - before > BUSY

    async def stop(self) -> None:
        """It is not killed: it ends what thinks for it, which would disturb whatever comes next."""
        self._process.terminate()
        await self._process.wait()

    def parts(self) -> list[int]:
        """The processes that answer, without those in which bots think."""
        if self._processes == 1:
            return [self._process.pid]
        children = _read(self._process.pid, f"task/{self._process.pid}/children").split()
        return [int(child) for child in children if PART in _read(int(child), "cmdline").split("\0")]

    def used(self) -> float:
        """The processor time that they have used (seconds)."""
        return used(self.parts())

    def memory(self) -> float:
        """How much of the memory is theirs (MB)."""
        return memory(self.parts())


def used(processes: Iterable[int]) -> float:
    """The processor time that some processes have used (seconds); 0 where the system does not say."""
    ticks = 0
    for process in processes:
        fields = _read(process, "stat").rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(processes: Iterable[int]) -> float:
    """How much of the memory is theirs (MB); 0 where the system does not say."""
    pages = sum(int(words[1]) for process in processes if (words := _read(process, "statm").split()))
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _read(process: int, what: str) -> str:
    try:
        return Path(f"/proc/{process}/{what}").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
