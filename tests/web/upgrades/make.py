"""Make the samples that `test_upgrades.py` upgrades: play at the server of another commit, and keep its database.

Check that commit out, name the stage, and run this with the Python that the tests use:

    git worktree add ../old COMMIT
    PYTHONPATH=tests .venv/bin/python -m web.upgrades.make ../old NAME --after EARLIER

The server runs the code of the checkout and starts on the database of the stage EARLIER (without `--after`: on a new
one), as a server does that is upgraded again and again. People then play there over HTTP as browsers do. Each run makes
`tests/web/upgrades/NAME/`: the database as an SQLite file and as a dump of PostgreSQL, what the server showed of each
table (`seen`), and the records of the finished matches. What a stage cannot do yet is left out.

Add a stage when a migration is released; never make an old one again, as its databases are evidence.
"""

import argparse
import asyncio
import contextlib
import gzip
import json
import os
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy.ext.asyncio import create_async_engine

from web.postgres import BIN, Postgres

HERE = Path(__file__).parent
GAMES = ("five-circles", "mace", "make-your-moves", "untitled-movement", "world-of-fighters")
SECRET, PASSWORD = "known", "the password of the samples"
#: How many choices are made at a table that stays unfinished, and how many a match may take at most.
SOME, MOST = 4, 5000

SERVE = """
import sys
from pathlib import Path
from sparring.serve import serve
from sparring.settings import Settings
if __name__ == "__main__":
    serve(Settings.usual(Path(sys.argv[1]), host="127.0.0.1", port=int(sys.argv[2])), browser=False)
"""

#: Options that differ from the defaults, as many as go together, and the game's own content file.
KNOWN = """
import json
import sys
from pathlib import Path
from sparring.engine.errors import SparringError
from sparring.engine.game import game
found = {}
for name in sys.argv[1:]:
    options = {}
    for option in game(name).kit.OPTIONS:
        value = min(option.default + 1, option.high) if hasattr(option, "high") else option.values[-1]
        try:
            game(name).box({**options, option.name: value}, None)
        except SparringError:
            continue
        options[option.name] = value
    module = sys.modules[type(game(name).content).__module__]
    found[name] = options, (Path(module.__file__).parent / "content.toml").read_text("utf-8")
print(json.dumps(found))
"""


class Server:
    """A server of another commit on a database."""

    def __init__(self, checkout: Path, folder: Path, database: str) -> None:
        self.environment = {
            **os.environ, "PYTHONPATH": str(checkout / "src"), "SPARRING_DATA": str(folder),
            "SPARRING_DATABASE": database, "NUMBA_DISABLE_JIT": "1",  # compiling would take longer than playing
        }  # fmt: skip
        (folder / "secret.key").write_text(SECRET, encoding="ascii")
        self.program = folder / "serve.py"
        self.program.write_text(SERVE, encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def known(self) -> dict[str, tuple[dict[str, Any], str]]:
        """Return, for each game, options that differ from the defaults and the content file."""
        found = subprocess.run(
            [sys.executable, "-c", KNOWN, *GAMES], env=self.environment, check=True, stdout=subprocess.PIPE
        )
        return json.loads(found.stdout)  # type: ignore[no-any-return]

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Run the server during the block, and stop it cleanly."""
        words = [sys.executable, str(self.program), str(self.program.parent), str(self.port)]
        process = subprocess.Popen(words, env=self.environment)
        try:
            _wait(lambda: self._answers(process), 60)
            yield
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)

    def _answers(self, process: "subprocess.Popen[bytes]") -> bool:
        assert process.poll() is None, "The server has ended."
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(self.url).status_code == 200
        return False


def _wait(done: Callable[[], bool], seconds: float) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "It takes too long."
        time.sleep(0.2)


class Visitor:
    """A client of one person."""

    def __init__(self, server: Server, name: str) -> None:
        self.name = name
        self.http = httpx.Client(base_url=server.url, headers={"Origin": server.url}, timeout=120)

    def has(self, path: str) -> bool:
        """Return whether this stage has a page."""
        return self.http.get(path).status_code == 200

    def page(self, path: str) -> str:
        """Return a page."""
        return self.http.get(path).raise_for_status().text

    def post(self, path: str, files: Any = None, **form: str) -> str:
        """Post a form; return the redirect, or the response."""
        answer = self.http.post(path, data=form, files=files)
        assert answer.status_code in (200, 303), f"{path} {form}: {answer.status_code} {answer.text[-2000:]}"
        return answer.headers.get("Location", answer.text)  # type: ignore[no-any-return]

    def open(self, game: str, *others: str, content: str = "", **form: str) -> str:
        """Create a table with this person on the first seat; return its id."""
        files = {"content": ("own.toml", content.encode())} if content else None
        seats = {f"seat{seat}": who for seat, who in enumerate(("me", *others), 1)}
        return self.post(f"/games/{game}", files, name=self.name, **seats, **form).removeprefix("/table/")

    def sit(self, table: str, seat: int = 2) -> None:
        """Take an open seat."""
        self.post(f"/table/{table}/sit", seat=str(seat), name=self.name)

    def look(self, table: str) -> dict[str, Any]:
        """Return the table as this person sees it."""
        return self.http.get(f"/api/table/{table}").raise_for_status().json()  # type: ignore[no-any-return]

    def choose(self, table: str, dice: random.Random) -> bool:
        """Make a random choice if it is this person's turn."""
        look = self.look(table)
        if not look["is_turn"]:
            return False
        possible = [one for one in look["choices"] if not one.get("concedes") and "forfeit" not in one["words"].lower()]
        choice = dice.choice(possible or look["choices"])["choice"]
        answer = self.http.post(f"/api/table/{table}/choose", json={"version": look["version"], "choice": choice})
        if answer.status_code == 409:  # a clock started, which is another version
            return self.choose(table, dice)
        assert answer.status_code == 200, answer.text
        return True


def play(table: str, people: list[Visitor], most: int = MOST) -> None:
    """Play at a table, to the end if that comes first."""
    dice = random.Random(7)
    for _ in range(most):
        if not any(person.choose(table, dice) for person in people):
            assert people[0].look(table)["over"]
            return


def play_all(server: Server, stage: str) -> dict[str, Any]:
    """Play matches of all games that this stage has; return the tables by kind."""
    anna, ben = Visitor(server, "Anna"), Visitor(server, "Ben")
    known, tables = server.known(), dict[str, str]()
    form = anna.page("/games/mace")
    for name in GAMES:
        options, content = known[name]
        chosen = {f"option.{option}": str(value) for option, value in options.items()}
        short = {"option.stall_rounds": "3"} if "stall_rounds" in options else {}
        for what, some, more in (
            ("middle", SOME, {}), ("options", SOME, chosen), ("over", MOST, {"content": content, **short}),
        ):  # fmt: skip
            tables[f"{name} {what}"] = table = anna.open(name, "open", **more)
            ben.sit(table)
            play(table, [anna, ben], some)
            assert anna.look(table)["over"] == (what == "over"), f"{name} {what} ended by chance: make it again"
    bots = re.findall(r'value="((?:random|search|mix)[^"]*)"', anna.page("/games/make-your-moves"))
    tables["bots"] = anna.open("make-your-moves", *list(dict.fromkeys(bots))[:5])
    tables["bot"] = bot = anna.open("make-your-moves", "random")
    for _ in range(SOME):
        _wait(lambda: anna.choose(bot, random.Random(7)), 60)
    _wait(lambda: bool(anna.look(bot)["is_turn"]), 60)
    if 'name="clock"' in form:
        tables["clock"] = table = anna.open("mace", "open", clock="45+30", found="public")
        tables["days"] = days = anna.open("world-of-fighters", "open", clock="7 days")
        for each in (table, days):
            ben.sit(each)
            play(each, [anna, ben], SOME)
        tables["waiting"] = anna.open("mace", "open", found="public")
    if 'value="hints"' in form:
        tables["hints"] = table = anna.open("world-of-fighters", "open", counting="hints")
        ben.sit(table)
        play(table, [anna, ben], SOME)
        asked = next(person for person in (anna, ben) if person.look(table)["is_turn"])
        asked.post(f"/table/{table}/hint", version=str(asked.look(table)["version"]))
    if anna.has("/studio"):
        anna.post("/studio", game="five-circles", title="A set", name="Anna", **{"from": "own"})
    if anna.has(f"/table/{tables['mace over']}/chat"):
        talk(anna, ben, tables)
    if anna.has("/me"):
        play_rated(anna, ben, stage, tables)
    if anna.has("/records"):
        record = anna.page(f"/table/{tables['mace over']}/record")
        anna.post("/records", {"record": ("mace.json", record.encode())})
    return {
        what: {"table": table, "looks": {who.name: seen(who, table) for who in (anna, ben)}}
        for what, table in tables.items()
    }


def talk(anna: Visitor, ben: Visitor, tables: dict[str, str]) -> None:
    """Chat, describe a move and applaud it, report a message and mute its author."""
    anna.post(f"/table/{tables['make-your-moves over']}/caption", text="One punch, right between the eyes.")
    ben.post(f"/table/{tables['make-your-moves over']}/applaud", line="1")
    anna.post(f"/table/{tables['mace middle']}/chat", word="hello")
    ben.post(f"/table/{tables['mace middle']}/chat", text="Good evening, Anna.")
    ben.post(f"/table/{tables['mace middle']}/report", line="1")
    ben.post(f"/table/{tables['mace middle']}/mute", line="1")


def play_rated(anna: Visitor, ben: Visitor, stage: str, tables: dict[str, str]) -> None:
    """Create accounts, and play rated matches where this stage has them."""
    for person in (anna, ben):
        person.post("/me/keep", login=f"{person.name.lower()}-{stage}", password=PASSWORD)
        person.post("/me/tokens", name=f"A program of {person.name}", days="0", **{"scope.look": "on"})
        person.post("/listening", tables="pictures")
    if 'value="rated"' in anna.page("/games/mace"):
        for what, some in (("over", MOST), ("middle", SOME)):
            tables[f"rated {what}"] = table = anna.open("make-your-moves", "open", counting="rated")
            ben.sit(table)
            play(table, [anna, ben], some)


def seen(person: Visitor, table: str) -> dict[str, Any]:
    """Return what a later server must show too: seats, whether the person can choose, and what."""
    look = person.look(table)
    return {"seat": look["seat"], "over": look["over"], "choices": sorted(one["choice"] for one in look["choices"])}


# The two kinds of databases


def unpacked(stage: str, kind: str) -> bytes:
    """Return the database of a stage: an SQLite file, or a dump of PostgreSQL."""
    return gzip.decompress((HERE / stage / f"{kind}.gz").read_bytes())


def make_sqlite(checkout: Path, stage: str, after: str) -> dict[str, Any]:
    """Play on an SQLite file, and keep it with the records."""
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "tables.sqlite3"
        if after:
            file.write_bytes(unpacked(after, "sqlite"))
        server = Server(checkout, Path(place), f"sqlite+aiosqlite:///{file}")
        with server.running():
            found = play_all(server, stage)
            keep_records(server, stage, found)
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute("pragma journal_mode=delete")
            database.execute("vacuum")
        (HERE / stage / "sqlite.gz").write_bytes(gzip.compress(file.read_bytes(), mtime=0))
    return found


def keep_records(server: Server, stage: str, found: dict[str, Any]) -> None:
    """Keep the records of finished matches as they are downloaded."""
    stranger = Visitor(server, "")
    for what, table in found.items():
        if table["looks"]["Anna"]["over"]:
            record = stranger.page(f"/table/{table['table']}/record")
            (HERE / stage / f"{what.replace(' ', '-')}.json").write_text(record, encoding="utf-8")


def make_postgres(checkout: Path, stage: str, after: str) -> dict[str, Any]:
    """Play on a PostgreSQL, and keep its dump."""
    with tempfile.TemporaryDirectory(prefix="sparring-postgres-") as folder, tempfile.TemporaryDirectory() as place:
        postgres = Postgres(Path(folder))
        try:
            if after:
                asyncio.run(load(postgres.url, unpacked(after, "postgres").decode()))
            server = Server(checkout, Path(place), postgres.url)
            with server.running():
                found = play_all(server, stage)
            (HERE / stage / "postgres.gz").write_bytes(gzip.compress(dumped(postgres).encode(), mtime=0))
        finally:
            postgres.stop()
    return found


async def load(database: str, dump: str) -> None:
    """Load a dump into an empty PostgreSQL database."""
    engine = create_async_engine(database)
    async with engine.connect() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        await driver.execute(dump)
    await engine.dispose()


def dumped(postgres: Postgres) -> str:
    """Return a dump for any version of PostgreSQL."""
    words = ["-h", str(postgres.folder), "-U", "sparring", "--inserts", "--no-owner", "--no-privileges", "postgres"]
    dump = subprocess.run([f"{BIN}/pg_dump", *words], check=True, stdout=subprocess.PIPE, text=True).stdout
    setting = re.compile(r"SET \w+ = .*;$|SELECT pg_catalog.set_config|\\(un)?restrict \w+$")
    return "\n".join(line for line in dump.splitlines() if not setting.match(line))


def main() -> None:
    """Make a stage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, help="the folder of the checked-out commit")
    parser.add_argument("name", help="the name of the stage")
    parser.add_argument("--after", default="", help="the stage on whose database the server starts")
    wanted = parser.parse_args()
    (HERE / wanted.name).mkdir()
    checkout = wanted.checkout.resolve()
    with ThreadPoolExecutor(2) as both:
        made = {
            "sqlite": both.submit(make_sqlite, checkout, wanted.name, wanted.after),
            "postgres": both.submit(make_postgres, checkout, wanted.name, wanted.after),
        }
        found = {kind: one.result() for kind, one in made.items()}
    (HERE / wanted.name / "seen.json").write_text(json.dumps(found, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    main()
