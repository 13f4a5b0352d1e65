"""Play the faults of an operator's days against a server under load: `make faults`, with `ARGS="9 15"` only these.

It prints a table: the fault, what people saw, the longest pause in play (seconds), what the log and `/health` said, and
whether acknowledged choices were lost or doubled. What a machine lacks is left out, and the table says so.
"""

import asyncio
import contextlib
import os
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from faults.world import World, command, installed
from web.cluster.load_clients import OPPONENT
from web.postgres import Postgres, has_postgres
from web.postgres_servers import new_database
from web.proxies import free_port
from web.storage.test_silent_connections import SilentProxy

#: How long a fault lasts, if it has a duration (seconds), and the size of the small disk (MB).
LASTS, SMALL_DISK = 5.0, 24
HEADINGS = ("fault", "people saw", "longest pause (s)", "log", "/health", "lost", "doubled", "notes")
#: The widest cell of the table.
WIDEST = 100

Play = Callable[[World], Awaitable[None]]


@dataclass(frozen=True)
class Fault:
    """A numbered fault: what is done to the server while 20 people play."""

    number: int
    about: str
    play: Play
    opponent: str = "random"
    #: Code that the server runs before it starts, and where its database is: `sqlite`, `postgres` or `small disk`.
    prelude: str = ""
    where: str = "sqlite"


FAULTS: list[Fault] = []


def fault(
    number: int, about: str, opponent: str = "random", prelude: str = "", where: str = "sqlite"
) -> Callable[[Play], Play]:
    """Declare a fault."""

    def declared(play: Play) -> Play:
        FAULTS.append(Fault(number, about, play, opponent, prelude, where))
        return play

    return declared


@fault(1, "the database is locked")
async def lock(world: World) -> None:
    with contextlib.closing(sqlite3.connect(world.folder / "tables.sqlite3", isolation_level=None)) as other:
        other.execute("begin immediate")
        await world.look(LASTS)
        other.execute("rollback")


@fault(2, "an operator asks for figures")
async def figures(world: World) -> None:
    status, answer = await world.ask("/metrics")
    shown, said = await world.command("admin", "status")
    world.notes.append(
        f"/metrics {status} with {len(answer.text.splitlines())} lines; admin status {shown}: {said[:60]}"
    )
    await world.look()


@fault(
    3,
    "a background loop raises an error",
    prelude="""
from sparring.tables.lobby import Lobby
async def broken(self): raise RuntimeError("a bug")
Lobby.record_attendance = broken
""",
)
async def loop(world: World) -> None:
    await world.look(1.0)


@fault(4, "the processes of bots are killed", opponent=OPPONENT)
async def bots(world: World) -> None:
    assert world.process
    _, listed = await command("pgrep", "-f", "-P", str(world.process.pid), "bot_worker")
    for process in listed.split():
        os.kill(int(process), signal.SIGKILL)
    world.notes.append(f"{len(listed.split())} killed")
    await world.look(1.0)


@fault(5, "admin backup with a mistyped folder")
async def mistyped(world: World) -> None:
    wrong = world.folder.with_name("mistyped")
    status, said = await world.command("admin", "backup", str(wrong) + ".backup", SPARRING_DATA=str(wrong))
    world.notes.append(f"exit {status}, {'made' if wrong.exists() else 'made no'} folder: {said[:80]}")
    await world.look()


@fault(6, "admin ban of an unknown person")
async def ban(world: World) -> None:
    status, said = await world.command("admin", "ban", "Nobody")
    world.notes.append(f"exit {status}: {said[:80]}")
    await world.look()


@fault(7, "a new key while people play")
async def key(world: World) -> None:
    status, said = await world.command("admin", "new-key")
    same = len({each.stat().st_uid for each in world.folder.iterdir()}) == 1
    world.notes.append(f"exit {status}, {'one owner' if same else 'several owners'}: {said[:60]}")
    await world.look()


@fault(8, "admin close of an unknown table")
async def close(world: World) -> None:
    status, said = await world.command("admin", "close", "nowhere", "--why", "A test.")
    world.notes.append(f"exit {status}: {said[:80]}")
    await world.look()


@fault(9, "PostgreSQL connections die silently", where="postgres")
async def silent(world: World) -> None:
    PROXIES[world.port].silence()
    await world.look(2.0)


@fault(10, "an upload counts in shared limits", where="postgres")
async def shared_limits(world: World) -> None:
    form = {"seat1": "me", "seat2": "random", "name": "Anna"}
    status, _ = await world.ask("/games/card-duel", "POST", data=form, files={"content": ("a.toml", b"cards = 1")})
    world.notes.append(f"the upload got {status}")
    await world.look(LASTS)


@fault(11, "a new server is killed at its start, ten times")
async def killed_starts(world: World) -> None:
    with tempfile.TemporaryDirectory() as folder:
        new = World(Path(folder) / "data", free_port())
        for number in range(10):
            starting = asyncio.create_task(new.start())
            await asyncio.sleep(0.4 + 0.15 * number)
            starting.cancel()
            await new.stop(signal.SIGKILL)
        began = time.monotonic()
        await new.start()
        world.notes.append(f"the next start took {time.monotonic() - began:.1f} s")
        await new.stop()
    await world.look()


@fault(12, "300 newcomers at once")
async def crowd(world: World) -> None:
    async def come() -> int:
        return (await world.ask("/quick", "POST", data={"game": "mace", "against": "random"}))[0]

    answers = await asyncio.gather(*(come() for _ in range(300)))
    world.notes.append(", ".join(f"{answers.count(status)} got {status}" for status in sorted({*answers})))
    await world.look()


@fault(13, "a start with the clock 400 days ahead")
async def clock(world: World) -> None:
    if not installed("faketime"):
        raise LookupError("no faketime")
    await world.stop()
    world.wrapper = ("faketime", "-f", "+400d")
    await world.start()
    await world.look(LASTS)
    await world.stop()
    world.wrapper = ()
    await world.start()


@fault(14, "the disk is full", where="small disk")
async def disk(world: World) -> None:
    with (world.folder / "ballast").open("wb") as ballast, contextlib.suppress(OSError):
        while True:
            ballast.write(b"0" * 65536)
            ballast.flush()
    await world.look(LASTS)
    (world.folder / "ballast").unlink()
    status, _ = await world.command("admin", "prune", "--older", "1")
    journal = (world.folder / "tables.sqlite3-wal").stat().st_size
    world.notes.append(f"admin prune: exit {status}, then a journal of {journal / 1e6:.1f} MB")


@fault(15, "a kill, a second server, SIGHUP, a double click")
async def several(world: World) -> None:
    await world.stop(signal.SIGKILL)
    await world.start()
    status, said = await world.command("play", "--no-browser", "--port", "0")
    world.notes.append(f"a second server: exit {status}: {said[:60]}")
    assert world.process
    world.process.send_signal(signal.SIGHUP)
    form = {"game": "mace", "against": "random", "once": "0123456789abcdef"}
    clicks = await asyncio.gather(*(world.ask("/quick", "POST", data=form) for _ in range(2)))
    tables = {answer.headers["location"] for _, answer in clicks}
    world.notes.append(f"two clicks: {len(tables)} table{'s' * (len(tables) > 1)}")
    await world.look()


PROXIES: dict[int, SilentProxy] = {}


def new_postgres(folder: Path) -> Postgres:
    """Start a PostgreSQL server."""
    (folder / "postgres").mkdir()
    folder.chmod(0o755)  # it runs as another user
    return Postgres(folder / "postgres")


@contextlib.asynccontextmanager
async def served(fault: Fault, folder: Path) -> AsyncIterator[World]:
    """Start the server for a fault. Raise LookupError for what this machine lacks."""
    world = World(folder / "data", free_port(), prelude=fault.prelude)
    async with contextlib.AsyncExitStack() as stack:
        if fault.where == "small disk":
            if (await command("mount", "-m", "-t", "tmpfs", "-o", f"size={SMALL_DISK}m", "tmpfs", str(world.folder)))[
                0
            ]:
                raise LookupError("no small tmpfs")
            stack.push_async_callback(command, "umount", str(world.folder))
        if fault.where == "postgres":
            if not has_postgres():
                raise LookupError("no PostgreSQL")
            postgres = await asyncio.to_thread(new_postgres, folder)
            stack.callback(postgres.stop)
            proxy = PROXIES[world.port] = await asyncio.to_thread(SilentProxy, postgres)
            stack.callback(proxy.close)
            name = (await new_database(postgres, "faults")).partition("?")[0].rpartition("/")[2]
            world.database = f"postgresql+asyncpg://sparring@127.0.0.1:{proxy.port}/{name}"
        await world.start()
        stack.push_async_callback(world.stop)
        yield world


async def main(chosen: set[int]) -> None:
    """Play faults one after the other, and print their table."""
    rows = [list(HEADINGS)]
    for each in FAULTS:
        if chosen and each.number not in chosen:
            continue
        print(f"{each.number}. {each.about} ...", file=sys.stderr, flush=True)
        cells = [""] * (len(HEADINGS) - 1)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            try:
                async with served(each, Path(folder)) as world:
                    cells = await world.under_load(each.play, each.opponent)
            except LookupError as lack:
                cells[-1] = f"left out: {lack}"
            except Exception as problem:  # noqa: BLE001 - the other faults are played too
                cells[-1] = f"failed: {type(problem).__name__}: {problem}"
        rows.append([f"{each.number}. {each.about}", *cells])
    for row in rows:
        print(" | ".join(" ".join(cell.split())[:WIDEST] if cell is not row[-1] else cell for cell in row))


asyncio.run(main({int(word) for word in sys.argv[1:]}))
