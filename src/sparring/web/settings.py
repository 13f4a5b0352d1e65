"""What a server is started with, and where it keeps things."""

import contextlib
import os
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sparring.engine.errors import SparringError
from sparring.engine.folders import data_folder

#: Seconds of a day.
DAY = 24 * 3600

#: The file of the secrets, one a line and the newest first, and how many it holds at most.
SECRET = "secret.key"
KEYS = 4


class NoFolder(SparringError):
    """A folder that nothing can be kept in."""


class NoBroker(SparringError):
    """A broker that cannot be used."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How much of everything there may be; times are seconds. They suit a home and a small server on the open net."""

    #: Connections in all, and from one address.
    connections: int = 1000
    connections_each: int = 100
    #: Tables that are looked at, in all and by one person.
    streams: int = 800
    streams_each: int = 20
    #: How long the head and the body of a request may take to arrive, and how long an answer may wait to be taken in.
    head_time: float = 10.0
    body_time: float = 30.0
    reading_time: float = 60.0
    #: Tables that one person or address may open: at once, and then in an hour; and how many may go on meanwhile.
    tables_at_once: int = 30
    tables_each_hour: int = 120
    tables_going_on: int = 100
    #: How many public tables from one address may wait for people at a time.
    public_waiting: int = 10
    #: The same for files of their own.
    files_at_once: int = 10
    files_each_hour: int = 60
    #: Sets of content that one person or address may begin: at once, and then in an hour; how many a person may have,
    #: and how many an address; and how often somebody may change them: at once, and then in an hour.
    sets_at_once: int = 20
    sets_each_hour: int = 60
    sets_each: int = 100
    sets_from: int = 1000
    #: Images that one person or address may bring: at once, and then in an hour.
    pictures_at_once: int = 20
    pictures_each_hour: int = 240
    #: How long all pictures of a person may be together, in bytes.
    pictures_each: int = 20_000_000
    edits_at_once: int = 2000
    edits_each_hour: int = 20_000
    #: Sets that are measured at once, in all and for one person; and reports, and sets to be learned by bots, that are
    #: waited for.
    measured: int = 100
    measured_each: int = 3
    reports: int = 20
    learned: int = 10
    #: Records that one person or address may bring: at once, and then in an hour; how many a person may keep, and how
    #: many an address; and how often somebody may ask for a review: at once, and then in an hour.
    records_at_once: int = 20
    records_each_hour: int = 60
    records_each: int = 20
    records_from: int = 200
    reviews_at_once: int = 10
    reviews_each_hour: int = 30
    #: Hints that one person or address may take: at once, and then in an hour.
    hints_at_once: int = 20
    hints_each_hour: int = 200
    #: How often somebody may say what they want of the pages.
    wishes_at_once: int = 20
    wishes_each_hour: int = 60
    #: Tokens that one person may have; how many they may make: at once, and then in an hour; and how often a program
    #: may ask for something by one of them.
    tokens_each: int = 20
    tokens_at_once: int = 20
    tokens_each_hour: int = 60
    calls_at_once: int = 1000
    calls_each_hour: int = 36_000
    #: Accounts that one person or address may begin: at once, and then in an hour; and passkeys of one account.
    accounts_at_once: int = 5
    accounts_each_hour: int = 20
    passkeys_each: int = 10
    #: Tries at the password of one sign-in name: from one network (or by one browser that has signed in by it before),
    #: and by all others together; and how often somebody may try to sign in at all: at once, and then in an hour.
    names_at_once: int = 10
    names_each_hour: int = 60
    guesses_at_once: int = 100
    guesses_each_hour: int = 300
    sign_ins_at_once: int = 30
    sign_ins_each_hour: int = 300
    #: Passwords that are worked on at once (each takes 19 MB meanwhile), and how many wait for that.
    passwords_at_once: int = 2
    passwords_waiting: int = 20
    #: How often somebody may take all their data along: at once, and then in an hour.
    takings_at_once: int = 3
    takings_each_hour: int = 10
    #: What one person or address may say at tables: at once, and then in an hour; how many signs one line has, and how
    #: many lines a table. The same for reports; and how many people somebody may mute.
    lines_at_once: int = 12
    lines_each_hour: int = 400
    longest_line: int = 200
    lines_at_table: int = 2000
    reports_at_once: int = 10
    reports_each_hour: int = 30
    mutes_each: int = 200
    #: In how many rated matches the same two may meet within a day, so that no rating is made by two who agree on it.
    rated_together: int = 20
    #: In how many rated matches a player may meet others of one network (/24, or /56 of IPv6) within a day.
    rated_network: int = 10
    #: Tables in memory; those at which nobody is make room, and come back from the database.
    tables_in_memory: int = 2000

    def below(self, connections: int) -> "Limits":
        """The same for a system that allows no more than so many connections."""
        most = min(self.connections, connections)
        return replace(self, connections=most, streams=min(self.streams, most * 4 // 5))


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A server's settings. `heartbeat` is seconds, `longest_body` is bytes."""

    #: An SQLAlchemy URL: `sqlite+aiosqlite:///file` or `postgresql+asyncpg://...`.
    database: str
    #: Signs the cookies and seeds the bots; who knows it can sit on every chair.
    secret: str
    #: Keys that were the secret before: cookies that they signed are still believed, and signed anew.
    elder: tuple[str, ...] = ()
    #: Processes in which bots think.
    workers: int = 1
    #: Whether sets of the studio are measured while somebody looks, which takes processor time.
    measuring: bool = True
    #: Whether what bots think with is compiled when the server starts, which takes processor time.
    warming: bool = True
    heartbeat: float = 15.0
    #: For how many seconds somebody whose page is gone counts as being here still.
    grace: float = 6.0
    #: What the slots of time are multiplied by in which choices of bots are shown; 0 shows them at once (for tests).
    slot: float = 1.0
    #: After how many seconds without anybody a table leaves the memory (never the database).
    patience: float = 600.0
    #: For how many seconds after somebody looked at a table its bots go on.
    attention: float = 60.0
    #: What time it is, in seconds since 1970.
    now: Callable[[], float] = time.time
    #: After how many seconds without anybody who sits there a public table is found no more.
    absent: float = 180.0
    #: For how many days a table is kept at which nothing happens: where nobody sits or nothing was chosen, and others.
    keep_unused: int = 7
    keep_days: int = 365
    #: A content file with its pictures is the longest that is posted.
    longest_body: int = 1280 * 1024
    host: str = "0.0.0.0"
    port: int = 8000
    #: The address under which friends in the same network find this server; empty: the one a page was asked under.
    friends: str = ""
    #: Names under which this server may be asked, besides addresses and the machine's own name.
    names: tuple[str, ...] = ()
    #: The address of a proxy in front of this server, which is believed when it says who asks; empty: there is none.
    proxy: str = ""
    #: Where the other processes of this server reach this one (`http://HOST:PORT`); empty: there are no others.
    inside: str = ""
    #: Where processes that do not see each other, and workers, meet (`redis://HOST:PORT`); empty: nowhere.
    broker: str = ""
    limits: Limits = Limits()
    #: The bots that are commands (`pipe:COMMAND`) and may be started here.
    commands: tuple[str, ...] = ()

    @classmethod
    def usual(cls, folder: Path | None = None, **others: object) -> "Settings":
        """The settings of a server at home: everything in one folder, which is made if it is missing."""
        folder = folder or data_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)  # the seeds of all matches lie here
            secret, *elder = read_secrets(folder / SECRET)
        except OSError as problem:
            raise NoFolder(f"Tables cannot be kept in {folder}: {problem.strerror or problem}.") from None
        values: dict[str, object] = {
            "database": os.environ.get("SPARRING_DATABASE") or f"sqlite+aiosqlite:///{folder / 'tables.sqlite3'}",
            "secret": secret,
            "elder": tuple(elder),
            "names": tuple(filter(None, os.environ.get("SPARRING_NAMES", "").split(","))),
            "proxy": os.environ.get("SPARRING_PROXY", ""),
            "broker": os.environ.get("SPARRING_BROKER", ""),
            "workers": max(1, (os.cpu_count() or 2) - 1),
        }
        return cls(**{**values, **others})  # type: ignore[arg-type]


def check_broker(url: str) -> None:
    """Say what is wrong with the address of a broker; it need not be there yet."""
    try:
        from redis.connection import parse_url

        if not parse_url(url).get("host"):  # type: ignore[no-untyped-call]
            raise ValueError
    except ModuleNotFoundError:
        raise NoBroker("A broker needs more packages: pip install 'sparring[many]'.") from None
    except ValueError:
        raise NoBroker("The address of a broker is written redis://HOST:PORT, or rediss:// with TLS.") from None


def read_secrets(file: Path) -> list[str]:
    """The server's secret, and those before it. It is made once, and only its owner can read it."""
    if not file.exists():
        with contextlib.suppress(FileExistsError):
            _write_secrets(file, [secrets.token_urlsafe(32)], os.O_EXCL)
    found = file.read_text(encoding="ascii").split()
    if not found:
        raise NoFolder(f"There is no key in {file}; delete the file, and a new one is made.")
    return found


def rotate_secret(file: Path, *, forget: bool = False) -> int:
    """Put a new secret before those that there are, or instead of them; how many older ones are still believed."""
    elder = [] if forget else read_secrets(file)
    return len(keep_secrets(file, [secrets.token_urlsafe(32), *elder])) - 1


def keep_secrets(file: Path, wanted: Sequence[str]) -> list[str]:
    """Have these as secrets, the newest first: as many of them as are kept."""
    kept = list(dict.fromkeys(wanted))[:KEYS]
    made = file.with_suffix(".new")
    _write_secrets(made, kept, os.O_TRUNC)
    made.replace(file)
    return kept


def _write_secrets(file: Path, wanted: Sequence[str], how: int) -> None:
    handle = os.open(file, os.O_CREAT | os.O_WRONLY | how, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as new:
        new.write("\n".join(wanted) + "\n")
        new.flush()
        os.fsync(handle)
