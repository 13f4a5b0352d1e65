"""How quickly a choice is answered while many tables play: a real server, and people made of plain sockets.

An answer counts when the choice is stored and acknowledged, and the new state of the table has arrived by the stream.
How many there are to a second of the server's own processor time says what a core can do, also on a busy machine.
`python -m sparring.web.load` (`make load`) asks more and more people, and says which limit was met first.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import Process
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from sparring.web.guard.door import raise_file_limit

from .serve import listen
from .settings import Limits

SERVE = "import sys; from sparring.web.load import _serve; _serve(*sys.argv[1:])"
FORM = {"seat1": "me", "seat2": "random"}
GAME = "make-your-moves"
SECONDS, THINK = 20.0, 1.0

#: How many tables are tried one after the other, how many people come at the same time, and when a core counts as full.
LEVELS = (100, 300, 1000, 2000)
AT_ONCE = 20
FULL = 0.9


@dataclass(frozen=True)
class Load:
    """What was measured, in seconds: from the start of the server to its first page, and from choice to new state."""

    tables: int
    choices: int
    first_page: float
    median: float
    slowest_tenth: float
    choices_per_second: float
    #: How many answers a second of the server's processor time was enough for.
    choices_per_core: float
    #: How much of one core the server used, and the one that measures; 1 is all of it.
    core: float
    own_core: float
    #: How many people were sent away, and what the first of them was told.
    refused: int
    reason: str

    @property
    def limit(self) -> str:
        """Which limit was met; empty if none was."""
        if self.refused:
            return f"{self.refused} people were sent away: {self.reason}"
        if self.choices < 2:
            return "nobody was answered in so short a time"
        if self.core >= FULL:
            return "the server's core is full"
        if self.own_core >= FULL:
            return "the core of those who ask is full, so the server could do more"
        return "the slowest tenth waits for more than a second" if self.slowest_tenth > 1 else ""

    def __str__(self) -> str:
        """A line for people."""
        waits = f"median {1000 * self.median:.0f} ms, slowest tenth from {1000 * self.slowest_tenth:.0f} ms"
        core = f"{self.core:.0%} of a core, so {self.choices_per_core:.0f} answers/s to a full one"
        done = f"{self.choices_per_second:.0f} answers/s, {waits}, {core}"
        return f"{self.tables} tables: {done}; {self.limit or 'no limit was met'}"


def measure(tables: int = 100, seconds: float = SECONDS, think: float = THINK, game: str = GAME) -> Load:
    """Play a game at so many tables for so long; people think about `think` seconds."""
    return asyncio.run(_measure(tables, seconds, think, game))


async def _measure(tables: int, seconds: float, think: float, game: str) -> Load:
    raise_file_limit(Limits())
    with tempfile.TemporaryDirectory() as folder:
        port = _free_port()
        begin = time.perf_counter()
        server = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVE, folder, str(port))
        try:
            await _first_page(server, port)
            first_page = time.perf_counter() - begin
            people = [Somebody(port, f"Person {number}", think, game) for number in range(tables)]
            for some in range(0, tables, AT_ONCE):
                await asyncio.gather(*(person.come() for person in people[some : some + AT_ONCE]))
            begin, before, own = time.perf_counter(), _used(server.pid), time.process_time()
            tasks = [asyncio.create_task(person.play()) for person in people]
            await asyncio.wait(tasks, timeout=seconds)
            took = time.perf_counter() - begin
            used, own_core = _used(server.pid) - before, (time.process_time() - own) / took
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for person in people:
                person.close()
        finally:
            server.terminate()  # and not killed: it ends what compiles for it, which would disturb whatever comes next
            await server.wait()
    answers = sorted(answer for person in people for answer in person.answers)
    reasons = [person.refused for person in people if person.refused]
    waits = answers if len(answers) > 1 else [took, took]
    return Load(
        tables, len(answers), first_page, statistics.median(waits), statistics.quantiles(waits, n=10)[-1],
        len(answers) / took, len(answers) / (used or took), used / took, own_core, len(reasons), "".join(reasons[:1]),
    )  # fmt: skip


def _used(process: int) -> float:
    """The processor time a process has used (seconds); 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _serve(folder: str, port: str) -> None:
    from .serve import serve
    from .settings import Limits, Settings

    many = 10_000  # all come from one address here
    limits = Limits(
        connections=many, connections_each=many, streams=many, tables_at_once=1000 * many, tables_going_on=many
    )
    settings = Settings.usual(Path(folder), host="127.0.0.1", port=int(port), limits=limits)
    serve(settings, browser=False, say=lambda _: None)


def _free_port() -> int:
    with listen("127.0.0.1", 0) as probe:
        return int(probe.getsockname()[1])


async def _first_page(server: Process, port: int) -> None:
    while server.returncode is None:
        try:
            with contextlib.closing(Somebody(port)) as first:
                await first.ask("GET", "/")
            return
        except OSError:
            await asyncio.sleep(0.02)
    raise RuntimeError("The server ended before it served a page.")


class Somebody:
    """A person without a browser: one connection asks, another one listens, and both stay open as a browser's do."""

    def __init__(self, port: int, name: str = "Somebody", think: float = THINK, game: str = GAME) -> None:
        self.port = port
        self.name = name
        self.think = think
        self.game = game
        self.cookie = ""
        self.table = ""
        self.answers: list[float] = []
        #: Why this person was sent away.
        self.refused = ""
        self._asks: tuple[StreamReader, StreamWriter] | None = None

    async def come(self) -> None:
        """Open the first table."""
        with self._patience():
            await self.sit_down()

    async def sit_down(self) -> None:
        """Open a table against a bot."""
        form = urlencode({"name": self.name, **FORM})
        head, _ = await self.ask("POST", f"/games/{self.game}", form, "application/x-www-form-urlencoded")
        self.table = re.findall(r"location: (\S+)", head)[0]
        self.cookie = re.findall(r"set-cookie: ([^;]+)", head)[0]

    async def play(self) -> None:
        """Make random choices, and note how long each answer took; at the end of a match begin another."""
        with self._patience():
            while not self.refused:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 22)
                writer.write(self._head("GET", f"{self.table}/events?version=0", "", "text/plain"))
                try:
                    await self._play_match(reader)
                finally:
                    writer.close()
                await self.sit_down()

    @contextlib.contextmanager
    def _patience(self) -> Iterator[None]:
        """Whoever is sent away stays away, and remembers why."""
        try:
            yield
        except (OSError, EOFError, RuntimeError) as problem:
            self.refused = f"{type(problem).__name__}: {problem}"

    async def _play_match(self, stream: StreamReader) -> None:
        version, scene = await _event(stream)
        while " over" not in scene.partition(">")[0]:  # the class of the scene
            choices = re.findall(r'name="choice" value="(\d+)"', scene)
            if not choices:
                version, scene = await _event(stream)
                continue
            await asyncio.sleep(self.think * random.uniform(0.5, 1.5))
            body = f'{{"version": {version}, "choice": {random.choice(choices)}}}'
            begin = time.perf_counter()
            (_, said), (version, scene) = await asyncio.gather(
                self.ask("POST", f"/api{self.table}/choose", body, "application/json"), _event(stream)
            )
            self.answers.append(time.perf_counter() - begin)
            while version < json.loads(said)["version"]:  # what the table chose for them since
                version, scene = await _event(stream)

    async def ask(self, method: str, path: str, body: str = "", kind: str = "text/plain") -> tuple[str, bytes]:
        """Ask for something: the head of the answer, and its body."""
        question, kept = self._head(method, path, body, kind) + body.encode(), self._asks is not None
        try:
            head, content = await self._answer(question)
        except (OSError, EOFError):
            if not kept:
                raise
            head, content = await self._answer(question)  # a connection that asks for nothing is let go of
        if not head.startswith(("HTTP/1.1 2", "HTTP/1.1 3")):
            raise RuntimeError(f"{path} was answered by {head[:200]}.")
        return head, content

    async def _answer(self, question: bytes) -> tuple[str, bytes]:
        if self._asks is None:
            self._asks = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._asks
        try:
            writer.write(question)
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            length = re.search(r"content-length: (\d+)", head)
            return head, await reader.readexactly(int(length[1])) if length else b""
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ask no more."""
        if self._asks is not None:
            self._asks[1].close()
            self._asks = None

    def _head(self, method: str, path: str, body: str, kind: str) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Type: {kind}",
            f"Content-Length: {len(body)}", f"Cookie: {self.cookie}",
        ]  # fmt: skip
        return "\r\n".join([*lines, "", ""]).encode()


async def _event(stream: StreamReader) -> tuple[int, str]:
    """The next event: its version, and the table at rest, which comes after what led there."""
    version, page = 0, list[str]()
    while line := (await stream.readline()).decode().strip("\r\n"):
        if line.startswith("id: "):
            version = int(line[4:])
        if line.startswith("data: "):
            page.append(line[6:])
    if stream.at_eof():
        raise EOFError("the stream has ended")
    return (version, "\n".join(page).rpartition('<form class="scene')[2]) if version else await _event(stream)


def main(words: Sequence[str]) -> None:
    """Measure at so many tables, or at more and more of them."""
    asked = argparse.ArgumentParser(prog="python -m sparring.web.load", description=main.__doc__)
    asked.add_argument("tables", nargs="*", type=int, help=f"how many tables there are ({LEVELS})")
    asked.add_argument("--seconds", type=float, default=SECONDS, help="for how long they play")
    asked.add_argument("--think", type=float, default=THINK, help="for how long people think, in seconds")
    asked.add_argument("--game", default=GAME, help="what they play")
    wanted = asked.parse_args(words)
    first = ""
    for tables in wanted.tables or LEVELS:
        load = measure(tables, wanted.seconds, wanted.think, wanted.game)
        print(load, flush=True)
        first = first or (load.limit and f"The first limit that was met, at {tables} tables: {load.limit}.")
    print(first or "No limit was met.")


if __name__ == "__main__":
    main(sys.argv[1:])
