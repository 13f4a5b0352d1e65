"""How quickly a choice is answered while many tables play: a real server, and people made of plain sockets.

An answer counts when the choice is stored and acknowledged, and the new state of the table has arrived by the stream.
"""

import asyncio
import random
import re
import statistics
import sys
import tempfile
import time
from asyncio import StreamReader
from asyncio.subprocess import Process
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from .serve import listen

SERVE = "import sys; from sparring.web.load import _serve; _serve(*sys.argv[1:])"
FORM = {"name": "Somebody", "seat1": "me", "seat2": "random"}
GAME = "make-your-moves"


@dataclass(frozen=True)
class Load:
    """What was measured, in seconds: from the start of the server to its first page, and from choice to new state."""

    tables: int
    choices: int
    first_page: float
    median: float
    slowest_tenth: float
    choices_per_second: float


def measure(tables: int = 100, seconds: float = 20.0, think: float = 1.0) -> Load:
    """Play at so many tables for so long; people think about `think` seconds."""
    return asyncio.run(_measure(tables, seconds, think))


async def _measure(tables: int, seconds: float, think: float) -> Load:
    with tempfile.TemporaryDirectory() as folder:
        port = _free_port()
        begin = time.perf_counter()
        server = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVE, folder, str(port))
        try:
            await _first_page(server, port)
            first_page = time.perf_counter() - begin
            people = [Somebody(port, think) for _ in range(tables)]
            for person in people:
                await person.sit_down()
            begin = time.perf_counter()
            tasks = [asyncio.create_task(person.play()) for person in people]
            done, _ = await asyncio.wait(tasks, timeout=seconds)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for task in done:
                task.result()
            took = time.perf_counter() - begin
        finally:
            server.kill()
            await server.wait()
    answers = sorted(answer for person in people for answer in person.answers)
    return Load(
        tables, len(answers), first_page, statistics.median(answers), statistics.quantiles(answers, n=10)[-1],
        len(answers) / took,
    )  # fmt: skip


def _serve(folder: str, port: str) -> None:
    from .serve import serve
    from .settings import Settings

    settings = Settings.usual(Path(folder), host="127.0.0.1", port=int(port))
    serve(settings, browser=False, say=lambda _: None)


def _free_port() -> int:
    with listen("127.0.0.1", 0) as probe:
        return int(probe.getsockname()[1])


async def _first_page(server: Process, port: int) -> None:
    while server.returncode is None:
        try:
            await Somebody(port, 0.0).ask("GET", "/")
            return
        except OSError:
            await asyncio.sleep(0.02)
    raise RuntimeError("The server ended before it served a page.")


class Somebody:
    """A person without a browser: asks by one connection after the other, and listens by one that stays."""

    def __init__(self, port: int, think: float) -> None:
        self.port = port
        self.think = think
        self.cookie = ""
        self.table = ""
        self.answers: list[float] = []

    async def sit_down(self) -> None:
        """Open a table against a bot."""
        head, _ = await self.ask("POST", f"/games/{GAME}", urlencode(FORM), "application/x-www-form-urlencoded")
        self.table = re.findall(r"location: (\S+)", head)[0]
        self.cookie = re.findall(r"set-cookie: ([^;]+)", head)[0]

    async def play(self) -> None:
        """Make random choices, and note how long each answer took; at the end of a match begin another."""
        while True:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
            writer.write(self._head("GET", f"{self.table}/events?version=0", "", "text/plain"))
            try:
                await self._play_match(reader)
            finally:
                writer.close()
            await self.sit_down()

    async def _play_match(self, stream: StreamReader) -> None:
        version, page = await _event(stream)
        while " over" not in page.partition(">")[0]:  # the class of the scene, which comes first
            choices = re.findall(r'name="choice" value="(\d+)"', page)
            if not choices:
                version, page = await _event(stream)
                continue
            await asyncio.sleep(self.think * random.uniform(0.5, 1.5))
            body = f'{{"version": {version}, "choice": {random.choice(choices)}}}'
            begin = time.perf_counter()
            _, (version, page) = await asyncio.gather(
                self.ask("POST", f"/api{self.table}/choose", body, "application/json"), _event(stream)
            )
            self.answers.append(time.perf_counter() - begin)

    async def ask(self, method: str, path: str, body: str = "", kind: str = "text/plain") -> tuple[str, bytes]:
        """Ask for something: the head of the answer, and its body."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(self._head(method, path, body, kind) + body.encode())
            answer = await reader.read()
        finally:
            writer.close()
        head, _, content = answer.partition(b"\r\n\r\n")
        if not head.startswith((b"HTTP/1.1 2", b"HTTP/1.1 3")):
            raise RuntimeError(f"{path} was answered by {head.decode()[:200]}.")
        return head.decode(), content

    def _head(self, method: str, path: str, body: str, kind: str) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}", f"Content-Type: {kind}",
            f"Content-Length: {len(body)}", f"Cookie: {self.cookie}", "Connection: close",
        ]  # fmt: skip
        return "\r\n".join([*lines, "", ""]).encode()


async def _event(stream: StreamReader) -> tuple[int, str]:
    """The next event: its version, and the page."""
    version, page = 0, list[str]()
    while line := (await stream.readline()).decode().strip("\r\n"):
        if line.startswith("id: "):
            version = int(line[4:])
        if line.startswith("data: "):
            page.append(line[6:])
    return (version, "\n".join(page)) if version else await _event(stream)


if __name__ == "__main__":
    print(measure(int(sys.argv[1]), float(sys.argv[2])))
