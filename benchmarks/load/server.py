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

#: This checkout.
ROOT = Path(__file__).parents[2]
#: The settings of the server, in a file that operators can use too.
SETTINGS = Path(__file__).parent / "load.toml"

#: The module of a multi-process server's processes.
PART = "sparring.server_processes"
#: A server that uses more processor time than this in half a second is still starting something (seconds).
BUSY = 0.1


class Server:
    """A server with some processes, whose tables are in a data folder or a database.

    The processes share a port and a supervisor. With `apart`, each has its own port, as on several machines. `tree` is
    the checkout whose code runs.
    """

    def __init__(
        self, folder: str, processes: int = 1, database: str = "", *, apart: bool = False, tree: Path = ROOT
    ) -> None:
        self.ports = [_free_port() for _ in range(processes if apart else 1)]
        self.port = self.ports[0]
        self._each = 1 if apart else processes
        self._tree = tree
        self._environment = {
            **os.environ, "SPARRING_DATA": folder, "SPARRING_DATABASE": database, "PYTHONPATH": str(tree / "src"),
        }  # fmt: skip
        self._processes = list[asyncio.subprocess.Process]()

    async def start(self) -> None:
        """Start the server, and wait for the first page of each port. The first process creates the database."""
        first, *others = self.ports
        await self._start_at(first)
        await asyncio.gather(*map(self._start_at, others))

    async def _start_at(self, port: int) -> None:
        process = await self._launch(port)
        self._processes.append(process)
        while not await self._serves(port):
            if process.returncode is not None:
                raise RuntimeError("The server exited before it served a page.")
            await asyncio.sleep(0.02)

    async def _launch(self, port: int) -> asyncio.subprocess.Process:
        inside = {}
        if len(self.ports) > 1 and (self._tree / "src/sparring/server/cluster/nodes.py").exists():
            inside["SPARRING_INSIDE"] = f"http://127.0.0.1:{_free_port()}"  # code whose tables have owners
        words = ["--settings", str(SETTINGS), "--port", str(port), "--processes", str(self._each)]
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "sparring", "play", "--no-browser", *words,
            env=self._environment | inside, stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip

    async def _serves(self, port: int) -> bool:
        with contextlib.suppress(OSError), contextlib.closing(LoadClient(port)) as first:
            await first.ask("GET", "/")
            return len(self.parts()) >= self._each
        return False

    async def settle(self) -> None:
        """Wait until everything has started: a supervisor starts its spare after the others serve."""
        if self._each > 1:
            while len(self.parts()) <= self._each or await self._is_busy():  # noqa: ASYNC110 - other processes have no event
                await asyncio.sleep(0.1)

    async def _is_busy(self) -> bool:
        before = self.used()
        await asyncio.sleep(0.5)
        return self.used() - before > BUSY

    async def stop(self) -> None:
        """Stop the server gracefully, so that its bot processes end too and don't disturb the next measurement."""
        for process in self._processes:
            if process.returncode is None:
                process.terminate()
        for process in self._processes:
            await process.wait()

    async def lateness(self) -> tuple[float, float]:
        """Return how late the event loops were, added up (seconds), and how often that was measured."""
        sums = [0.0, 0.0]
        for port in self.ports:
            with contextlib.closing(LoadClient(port)) as client:
                text = (await client.ask("GET", "/metrics"))[1].decode()
            for place, part in enumerate(("sum", "count")):
                sums[place] += float(re.findall(rf"sparring_loop_lag_seconds_{part} (\S+)", text)[0])
        return sums[0], sums[1]

    def parts(self) -> list[int]:
        """Return the processes that answer requests, without bot processes."""
        if self._each == 1:
            return [process.pid for process in self._processes]
        [supervisor] = self._processes
        children = _read(supervisor.pid, f"task/{supervisor.pid}/children").split()
        return [int(child) for child in children if PART in _read(int(child), "cmdline").split("\0")]

    def used(self) -> float:
        """Return the processor time that they have used (seconds)."""
        return used(self.parts())

    def memory(self) -> float:
        """Return their memory (MB)."""
        return memory(self.parts())


def _free_port() -> int:
    with listen("127.0.0.1", 0) as probe:
        return int(probe.getsockname()[1])


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
