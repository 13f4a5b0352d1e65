"""A server under load, and what people see of it: sentences, pauses, lost and doubled choices."""

import asyncio
import os
import shutil
import signal
import sys
import time
from asyncio.subprocess import PIPE, STDOUT
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx

from web.cluster import load_clients
from web.cluster.load_clients import LoadClient, verify_stored
from web.server_process import TOY

#: How many tables are played at, how long before a fault, and how long people may wait after it (seconds).
TABLES, BEFORE, PATIENCE = 20, 2.0, 40.0

START = """
import sys
from functools import partial
from pathlib import Path
from sparring.serve import serve
from sparring.settings import Limits, Settings
{prelude}
most = 1_000_000
limits = Limits(
    connections_each=1000, connections_network=1000, tables_at_once=most, tables_going_on=most, requests_at_once=most,
    content_files_at_once=most,
)
database = dict(database=sys.argv[3]) if sys.argv[3:] else dict()
folder, port = Path(sys.argv[1]), int(sys.argv[2])
settings = Settings.load(folder, host="127.0.0.1", port=port, slot=0.0, limits=limits, warming=False, **database)
from sparring.store.database import lock
with lock(settings.database):
    serve(settings, browser=False, say=partial(print, flush=True))
"""


class Person(LoadClient):
    """A player who remembers what the server said when it refused something."""

    def __init__(self, world: "World", number: int) -> None:
        super().__init__(world.url, number)
        self.http.event_hooks = {"response": [self._note]}
        self.said = world.said

    async def _note(self, response: httpx.Response) -> None:
        if response.status_code >= 400:
            await response.aread()
            kind = response.headers.get("content-type", "")
            text = response.json().get("reason", "") if "json" in kind else response.reason_phrase
            self.said[f"{response.status_code} {text.partition(' (Log entry')[0]}"] += 1


@dataclass
class World:
    """A server in a folder, on a port that it keeps."""

    folder: Path
    port: int
    database: str = ""
    #: Code that the server runs before it starts, and the command that runs it.
    prelude: str = ""
    wrapper: tuple[str, ...] = ()
    said: Counter[str] = field(default_factory=Counter)
    #: What the fault itself has to report, and what `/health` said during it.
    notes: list[str] = field(default_factory=list)
    health: str = ""

    def __post_init__(self) -> None:
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = self.folder.with_suffix(".log")
        self.process: asyncio.subprocess.Process | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables of commands for this server."""
        return {**os.environ, "PYTHONPATH": str(TOY), "SPARRING_DATA": str(self.folder)}

    async def start(self) -> None:
        """Start the server, and wait until it answers."""
        words = [*self.wrapper, sys.executable, "-c", START.format(prelude=self.prelude), str(self.folder)]
        words += [str(self.port), *([self.database] if self.database else [])]
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(*words, env=self.environment, stdout=log, stderr=log)
        for _ in range(600):
            if (await self.ask("/health"))[0] == 200:
                return
            await asyncio.sleep(0.1)
        raise TimeoutError(self.log.read_text(errors="replace")[-400:])

    async def stop(self, number: int = signal.SIGINT) -> None:
        """Stop or kill the server."""
        if self.process:
            self.process.send_signal(number)
            await asyncio.wait_for(self.process.wait(), 30)

    async def ask(self, path: str, method: str = "GET", **more: Any) -> tuple[int, Any]:
        """Return the status and the body of an answer; 0 if there is none."""
        try:
            async with httpx.AsyncClient(base_url=self.url, timeout=10) as http:
                answer = await http.request(method, path, headers={"Origin": self.url}, **more)
        except httpx.TransportError:
            return 0, ""
        return answer.status_code, answer.json() if "json" in answer.headers.get("content-type", "") else answer

    async def look(self, seconds: float = 0.0) -> None:
        """Wait, then note what `/health` says."""
        await asyncio.sleep(seconds)
        status, said = await self.ask("/health")
        self.health = str(said["says"]) if status == 200 else f"no answer ({status})"

    async def command(self, *words: str, **environment: str) -> tuple[int, str]:
        """Run `sparring`; return its exit status and what it wrote."""
        return await command(sys.executable, "-m", "sparring", *words, **{**self.environment, **environment})

    async def under_load(self, fault: Callable[["World"], Awaitable[None]], opponent: str) -> list[str]:
        """Play a fault while people play; return the cells of its row."""
        load_clients.OPPONENT = opponent
        people, over = [Person(self, number) for number in range(TABLES)], asyncio.Event()
        playing = [asyncio.create_task(person.play(over)) for person in people]
        await asyncio.sleep(BEFORE)
        self.said.clear()
        started = time.monotonic()
        try:
            await fault(self)
        except BaseException:
            for each in playing:
                each.cancel()
            raise
        while time.monotonic() - started < PATIENCE and any(p.times[-1] < started for p in people):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        longest = max(self._pause(person, started) for person in people)
        over.set()
        died = [each for each in await asyncio.gather(*playing, return_exceptions=True) if each]
        lost = doubled = "0"
        try:
            counts = await verify_stored(self.database or f"sqlite+aiosqlite:///{self.folder}/tables.sqlite3", people)
            self.notes.append(f"{counts['stored']} choices stored")
        except AssertionError as problem:
            lost, doubled = ("yes", "?") if "lost" in str(problem) or "gone" in str(problem) else ("?", "yes")
            self.notes.append(str(problem).splitlines()[0])
        if died:
            self.notes.append(f"{len(died)} people gave up: {died[0]}"[:120])
        lines = self.log.read_text(errors="replace").splitlines()
        seen = "; ".join(f"{count} × {said}" for said, count in self.said.most_common(2)) or "nothing"
        logged = next((line.partition(": ")[2] for line in lines if "ERROR" in line), "nothing")
        return [seen, f"{longest:.1f}", logged, self.health, lost, doubled, "; ".join(self.notes)]

    def _pause(self, person: Person, since: float) -> float:
        """Return the longest time without an accepted choice since a moment."""
        times = [since, *(then for then in person.times if then >= since)]
        return max((later - earlier for earlier, later in pairwise(times)), default=PATIENCE)


async def command(*words: str, **environment: str) -> tuple[int, str]:
    """Run a command; return its exit status and what it wrote, in one line."""
    run = await asyncio.create_subprocess_exec(*words, env=environment or None, stdout=PIPE, stderr=STDOUT)
    said, _ = await run.communicate()
    return run.returncode or 0, " ".join(said.decode().split())


def installed(program: str) -> bool:
    """Return whether a program is on this machine."""
    return shutil.which(program) is not None
