"""Compare tic-tac-toe on our server with boardgame.io's own, in one run: pairs of players take cells at random.

    make bench-web-peers [ARGS="--pairs 50 --seconds 10 --rounds 3 --think 0.1"]

Needs Node.js and npm; npm installs boardgame.io into a temporary folder. Both servers run throughout and take turns. An
action is answered when its player has the new state: from ours the acknowledged POST and the event of the stream, from
theirs the `update` that their own client receives.

The two servers do different work per answer. Before it answers, ours checks that the action is legal, writes it to disk
(SQLite, a commit that waits for the disk) and renders the table as HTML for both players. boardgame.io sends its state
as JSON to both, and stores it afterwards, in memory or in files; answers don't wait for that.
"""

import argparse
import asyncio
import contextlib
import json
import os
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.load.people import Pair, PairedClient
from benchmarks.load.server import Server, memory, used
from sparring.lab.speed import machine
from sparring.serve import listen

HERE = Path(__file__).parent
#: The npm packages; the second one lets boardgame.io store matches in files.
PACKAGES = ("boardgame.io@0.50.2", "node-persist@3")
PRODUCTION = {**os.environ, "NODE_ENV": "production"}


#: Timeouts for a server to start, and for its players to stop (seconds).
BEGINNING, ENDING = 60.0, 60.0


class NotCompared(Exception):
    """The comparison failed: something is missing or does not work."""


@dataclass(frozen=True)
class Wanted:
    """The number of pairs, the seconds they play, and the mean seconds of thinking before each action."""

    pairs: int
    seconds: float
    think: float


@dataclass(frozen=True)
class Round:
    """The results of a server in one round: response times (s), processor time (s) and memory (MB)."""

    answers: list[float]
    took: float
    used: float
    memory: float

    @property
    def figures(self) -> list[float]:
        """Answers per second; median, 95th and 99th percentile (ms); CPU time per answer (ms); memory (MB)."""
        if len(self.answers) < 2:
            raise NotCompared("There were too few answers: use more pairs or more seconds.")
        parts = statistics.quantiles(self.answers, n=100)
        waits = [1000 * parts[place] for place in (49, 94, 98)]
        return [len(self.answers) / self.took, *waits, 1000 * self.used / len(self.answers), self.memory]


def ours(server: Server) -> Callable[[Wanted], Awaitable[Round]]:
    """Return a function that plays a round on our server."""

    async def play(wanted: Wanted) -> Round:
        people = list[PairedClient]()
        for number in range(wanted.pairs):
            pair = Pair()
            people += [
                PairedClient(server.port, f"P {number} {first}", wanted.think, "tic-tac-toe", pair, first=first)
                for first in (True, False)
            ]
        begin, before = time.perf_counter(), server.used()
        tasks = [asyncio.create_task(person.live()) for person in people]
        await asyncio.wait(tasks, timeout=wanted.seconds)
        took, spent = time.perf_counter() - begin, server.used() - before
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for person in people:
            person.close()
        refused = [person.refused for person in people if person.refused]
        if refused:
            raise NotCompared(f"{len(refused)} players were refused: {refused[0]}")
        return Round([answer for person in people for answer in person.answers], took, spent, server.memory())

    return play


def theirs(process: int, ports: tuple[int, int], folder: Path) -> Callable[[Wanted], Awaitable[Round]]:
    """Return a function that plays a round on a boardgame.io server."""

    async def play(wanted: Wanted) -> Round:
        words = ["node", "people.cjs", *map(str, (*ports, wanted.pairs, wanted.seconds, wanted.think))]
        begin, before = time.perf_counter(), used([process])
        people = await asyncio.create_subprocess_exec(*words, cwd=folder, env=PRODUCTION, stdout=subprocess.PIPE)
        try:
            said, _ = await asyncio.wait_for(people.communicate(), wanted.seconds + ENDING)
        except TimeoutError:
            people.kill()
            await people.wait()
            raise NotCompared("The players on boardgame.io's server did not stop in time.") from None
        if people.returncode:
            raise NotCompared("The players on boardgame.io's server failed; see the output above.")
        spent = used([process]) - before
        answers = [answer / 1000 for answer in json.loads(said)["answers"]]
        return Round(answers, min(wanted.seconds, time.perf_counter() - begin), spent, memory([process]))

    return play


@contextlib.contextmanager
def begun(folder: Path, *more: str) -> Iterator[Callable[[Wanted], Awaitable[Round]]]:
    """Start a boardgame.io server for the context; yield a function that plays a round on it."""
    with listen("127.0.0.1", 0) as game, listen("127.0.0.1", 0) as lobby:
        ports = game.getsockname()[1], lobby.getsockname()[1]
    words = ["node", "server.cjs", *map(str, ports), *more]
    with subprocess.Popen(words, cwd=folder, env=PRODUCTION, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            ready, _, _ = select.select([process.stdout], [], [], BEGINNING)
            if not ready or process.stdout.readline().strip() != "ready":
                raise NotCompared("boardgame.io's server did not start.")
            yield theirs(process.pid, ports, folder)
        finally:
            process.kill()  # its data is no longer needed


async def compare(wanted: Wanted, rounds: int, folder: Path) -> dict[str, list[Round]]:
    """Play rounds on all servers in turn."""
    found = defaultdict[str, list[Round]](list)
    server = Server(str(folder / "tables"))
    with begun(folder) as in_memory, begun(folder, str(folder / "files")) as in_files:
        contestants = {"Sparring": ours(server), "boardgame.io, in memory": in_memory, "boardgame.io, files": in_files}
        await server.start()
        try:
            for _ in range(rounds):
                for name, play in contestants.items():
                    found[name].append(await play(wanted))
        finally:
            await server.stop()
    return found


def prepare(folder: Path, modules: Path | None) -> None:
    """Register tic-tac-toe as an installed game, and install boardgame.io beside its scripts."""
    for script in HERE.glob("*.cjs"):
        shutil.copy(script, folder)
    if modules:
        (folder / "node_modules").symlink_to(modules.resolve())
    else:
        subprocess.run(
            ["npm", "install", "--no-save", "--no-package-lock", "--silent", *PACKAGES], cwd=folder, check=True
        )
    installed = folder / "games" / "tic_tac_toe-1.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: tic-tac-toe\nVersion: 1\n", encoding="utf-8")
    entry_point = "[sparring.games]\ntic-tac-toe = sparring.games.tic_tac_toe:GAME\n"
    (installed / "entry_points.txt").write_text(entry_point, encoding="utf-8")
    os.environ["PYTHONPATH"] = str(folder / "games")


def table(found: dict[str, list[Round]]) -> str:
    """Return the medians of all rounds as a Markdown table."""
    lines = [
        "| | answers/s | p50 | p95 | p99 | CPU time per answer | memory |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, rounds in found.items():
        figures: list[Any] = [
            statistics.median(column) for column in zip(*(each.figures for each in rounds), strict=True)
        ]
        rate, *waits, cost, size = figures
        cells = [f"{rate:.0f}", *(f"{wait:.1f} ms" for wait in waits), f"{cost:.2f} ms", f"{size:.0f} MB"]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    """Compare the servers and print the table."""
    parser = argparse.ArgumentParser(description="Compare tic-tac-toe on our server with boardgame.io's own.")
    parser.add_argument("--pairs", type=int, default=50, help="number of pairs of players")
    parser.add_argument("--seconds", type=float, default=10, help="length of a round (s)")
    parser.add_argument("--rounds", type=int, default=3, help="number of rounds per server")
    parser.add_argument("--think", type=float, default=0.1, help="average time before an action (s)")
    parser.add_argument("--modules", type=Path, help="an existing node_modules folder with boardgame.io")
    arguments = parser.parse_args()
    if not shutil.which("node") or not (arguments.modules or shutil.which("npm")):
        sys.exit("Node.js and npm are needed to install and to run boardgame.io.")
    wanted = Wanted(arguments.pairs, arguments.seconds, arguments.think)
    try:
        with tempfile.TemporaryDirectory() as folder:
            prepare(Path(folder), arguments.modules)
            found = asyncio.run(compare(wanted, arguments.rounds, Path(folder)))
        report = table(found)
    except NotCompared as problem:
        sys.exit(str(problem))
    rounds = f"{arguments.rounds} rounds of {wanted.seconds:g} s, medians"
    print(f"{machine()}; {wanted.pairs} pairs, think {wanted.think:g} s, {rounds}")
    print(report)


if __name__ == "__main__":
    main()
