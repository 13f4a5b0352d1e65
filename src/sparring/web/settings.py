"""The settings of a server with their defaults, and the files of its data folder."""

import contextlib
import os
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, replace
from email.utils import parseaddr
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from msgspec import Meta

from sparring.engine.errors import SparringError
from sparring.engine.extras import install_command
from sparring.engine.folders import data_folder

from .settings_sources import FoundSetting, InvalidSettings, read, settings_of, values_of

#: The environment variable that names the settings file.
SETTINGS_FILE = "SPARRING_SETTINGS"

#: Seconds of a day.
DAY = 24 * 3600

#: The file of the secrets, one per line, newest first; and how many it can hold.
SECRET = "secret.key"
KEYS = 4


#: How mail servers can be reached, with the usual port: TLS, STARTTLS, or unencrypted (a relay on this machine).
SMTP_PORTS = {"smtps": 465, "smtp": 587, "smtp+plain": 25}


class FolderUnavailable(SparringError):
    """The data folder can't be used."""


class JobsUnavailable(SparringError):
    """The database of jobs can't be used."""


def _count(meaning: str) -> Meta:
    return Meta(ge=1, description=meaning)


def _seconds(meaning: str) -> Meta:
    return Meta(ge=0.1, le=3600, description=meaning)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of a server. The defaults suit a home, and a small server on the internet.

    `..._at_once` and `..._each_hour` are what one person may do in a burst, and per hour after that. An address may do
    `people_per_address` times as much.
    """

    connections: Annotated[int, _count("Open connections")] = 1000
    connections_each: Annotated[int, _count("Open connections from one address")] = 100
    connections_network: Annotated[
        int, _count("Open connections from one network (/24, or /56 of IPv6), but never fewer than `connections_each`")
    ] = 300
    streams: Annotated[int, _count("Open event streams (one for each open page of a table)")] = 800
    streams_each: Annotated[int, _count("Open event streams of one person")] = 20
    streams_from: Annotated[int, _count("Open event streams from one address")] = 100
    people_per_address: Annotated[int, _count("Multiple of a person's limits that one address may use")] = 1
    head_time: Annotated[float, _seconds("Seconds in which the headers of a request must arrive")] = 10.0
    body_time: Annotated[float, _seconds("Seconds in which the body of a request must arrive")] = 30.0
    reading_time: Annotated[float, _seconds("Seconds that a client may take to read a response")] = 60.0
    tables_at_once: Annotated[int, _count("Tables that one person may create in a burst")] = 30
    tables_each_hour: Annotated[int, _count("Tables that one person may create per hour")] = 120
    tables_going_on: Annotated[int, _count("Unfinished tables of the last day that one address may have")] = 100
    public_waiting: Annotated[int, _count("Public tables from one address that may wait for players")] = 10
    content_files_at_once: Annotated[int, _count("Content files that one person may upload in a burst")] = 10
    content_files_each_hour: Annotated[int, _count("Content files that one person may upload per hour")] = 60
    sets_at_once: Annotated[int, _count("Studio sets that one person may create in a burst")] = 20
    sets_each_hour: Annotated[int, _count("Studio sets that one person may create per hour")] = 60
    sets_each: Annotated[int, _count("Studio sets that one person may have")] = 100
    sets_from: Annotated[int, _count("Studio sets that may be created from one address")] = 1000
    pictures_at_once: Annotated[int, _count("Images that one person may upload in a burst")] = 20
    pictures_each_hour: Annotated[int, _count("Images that one person may upload per hour")] = 240
    pictures_each: Annotated[int, _count("Bytes that the images of one person may take up")] = 20_000_000
    set_edits_at_once: Annotated[int, _count("Changes to studio sets that one person may make in a burst")] = 2000
    set_edits_each_hour: Annotated[int, _count("Changes to studio sets that one person may make per hour")] = 20_000
    measured: Annotated[int, _count("Studio sets that are measured at the same time")] = 100
    measured_each: Annotated[int, _count("Studio sets of one person that are measured at the same time")] = 3
    reports: Annotated[int, _count("Lab reports on studio sets that may be queued")] = 20
    learned: Annotated[int, _count("Studio sets that may be queued for bot training")] = 10
    tuned: Annotated[int, _count("Studio sets that may be queued for tuning")] = 10
    records_at_once: Annotated[int, _count("Records that one person may upload in a burst")] = 20
    records_each_hour: Annotated[int, _count("Records that one person may upload per hour")] = 60
    records_each: Annotated[int, _count("Uploaded records that one person may keep")] = 20
    records_from: Annotated[int, _count("Uploaded records that may be kept from one address")] = 200
    reviews_at_once: Annotated[int, _count("Reviews that one person may request in a burst")] = 10
    reviews_each_hour: Annotated[int, _count("Reviews that one person may request per hour")] = 30
    hints_at_once: Annotated[int, _count("Hints that one person may ask for in a burst")] = 20
    hints_each_hour: Annotated[int, _count("Hints that one person may ask for per hour")] = 200
    mails_at_once: Annotated[int, _count("E-mails (resets, confirmations) that one person may request in a burst")] = 5
    mails_each_hour: Annotated[int, _count("E-mails that one person may request per hour")] = 20
    mails_to_at_once: Annotated[int, _count("E-mails that may be requested for one address or name in a burst")] = 3
    mails_to_each_hour: Annotated[int, _count("E-mails that may be requested for one address or name per hour")] = 6
    friends_each: Annotated[int, _count("Friends, open requests and blocked players in one person's list")] = 200
    friend_requests_at_once: Annotated[int, _count("Friend requests that one person may send in a burst")] = 10
    friend_requests_each_hour: Annotated[int, _count("Friend requests that one person may send per hour")] = 20
    challenges_at_once: Annotated[int, _count("Challenges that one person may send in a burst")] = 10
    challenges_each_hour: Annotated[int, _count("Challenges that one person may send per hour")] = 30
    preferences_at_once: Annotated[int, _count("Changes to preferences that one person may make in a burst")] = 20
    preferences_each_hour: Annotated[int, _count("Changes to preferences that one person may make per hour")] = 60
    tokens_each: Annotated[int, _count("API tokens that one person may have")] = 20
    tokens_at_once: Annotated[int, _count("API tokens that one person may create in a burst")] = 20
    tokens_each_hour: Annotated[int, _count("API tokens that one person may create per hour")] = 60
    api_calls_at_once: Annotated[int, _count("API requests by one token in a burst")] = 1000
    api_calls_each_hour: Annotated[int, _count("API requests by one token per hour")] = 36_000
    accounts_at_once: Annotated[int, _count("Accounts that one person may create in a burst")] = 5
    accounts_each_hour: Annotated[int, _count("Accounts that one person may create per hour")] = 20
    passkeys_each: Annotated[int, _count("Passkeys of one account")] = 10
    names_at_once: Annotated[int, _count("Sign-in attempts for one name from one network in a burst")] = 10
    names_each_hour: Annotated[int, _count("Sign-in attempts for one name from one network per hour")] = 60
    guesses_at_once: Annotated[int, _count("Sign-in attempts for one name from all networks in a burst")] = 100
    guesses_each_hour: Annotated[int, _count("Sign-in attempts for one name from all networks per hour")] = 300
    sign_ins_at_once: Annotated[int, _count("Sign-in attempts that one person may make in a burst")] = 30
    sign_ins_each_hour: Annotated[int, _count("Sign-in attempts that one person may make per hour")] = 300
    passwords_at_once: Annotated[int, _count("Passwords that are hashed at the same time (19 MB each)")] = 2
    passwords_waiting: Annotated[int, _count("Passwords that may wait to be hashed")] = 20
    exports_at_once: Annotated[int, _count("Data downloads that one person may make in a burst")] = 3
    exports_each_hour: Annotated[int, _count("Data downloads that one person may make per hour")] = 10
    chat_lines_at_once: Annotated[int, _count("Chat messages that one person may write in a burst")] = 12
    chat_lines_each_hour: Annotated[int, _count("Chat messages that one person may write per hour")] = 400
    longest_line: Annotated[int, Meta(ge=1, le=200, description="Characters in a chat message")] = 200
    lines_at_table: Annotated[int, Meta(ge=1, le=2000, description="Chat messages that a table keeps")] = 2000
    chat_reports_at_once: Annotated[int, _count("Chat messages that one person may report in a burst")] = 10
    chat_reports_each_hour: Annotated[int, _count("Chat messages that one person may report per hour")] = 30
    mutes_each: Annotated[int, _count("People that one person may mute")] = 200
    rated_together: Annotated[int, _count("Rated matches that the same two people may finish within a day")] = 20
    rated_network: Annotated[
        int, _count("Rated matches that a player may finish per day against players on one network")
    ] = 10
    tables_in_memory: Annotated[int, _count("Tables in memory; the least recently used ones are evicted")] = 2000

    def below(self, connections: int) -> "Limits":
        """Return the limits for a system that allows at most `connections` connections."""
        most = min(self.connections, connections)
        return replace(self, connections=most, streams=min(self.streams, most * 4 // 5))


@dataclass(frozen=True, kw_only=True)
class MailSettings:
    """How the server sends e-mail. Off without a mail server."""

    server: Annotated[
        str,
        Meta(description="Mail server: `smtps://USER:PASSWORD@HOST:PORT`, `smtp://` (STARTTLS) or `smtp+plain://`"),
    ] = ""
    sender: Annotated[str, Meta(description="Sender of e-mails: `Sparring <play@table.example>`")] = ""
    site: Annotated[str, Meta(description="URL of the server in e-mails: `https://table.example`")] = ""

    @property
    def on(self) -> bool:
        """Return whether the server sends e-mail."""
        return bool(self.server)


@dataclass(frozen=True, kw_only=True)
class PushSettings:
    """How the server sends push notifications. Off without a contact."""

    contact: Annotated[
        str, Meta(description="Contact for push services: `mailto:you@table.example` or a URL with `https://`")
    ] = ""
    services: Annotated[
        tuple[str, ...],
        Meta(description="Push services that browsers may use: hosts (with subdomains) or origins"),
    ] = ("fcm.googleapis.com", "updates.push.services.mozilla.com", "push.apple.com", "notify.windows.com")

    @property
    def on(self) -> bool:
        """Return whether the server sends push notifications."""
        return bool(self.contact)


#: Settings of earlier versions that are ignored until they become unknown in the next release, and why.
RETIRED: Mapping[str, str] = {
    "broker": "servers reach each other at `inside`, and workers get jobs from the database `jobs`",
}

#: The defaults that profiles change. `club`: up to 100 people who know each other and share an address.
PROFILES: Mapping[str, Mapping[str, Any]] = {
    "club": {
        "limits.connections": 2000,
        "limits.connections_each": 1000,
        "limits.connections_network": 1500,
        "limits.streams": 1600,
        "limits.streams_from": 800,
        "limits.people_per_address": 40,
        "limits.tables_going_on": 1000,
        "limits.public_waiting": 100,
        "limits.sets_from": 5000,
        "limits.records_from": 2000,
    }
}


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A server's settings. The operator can set those with a description (`docs/settings.md`)."""

    profile: Annotated[
        Literal["home", "club"],
        Meta(description="Default limits; `club` is for many people behind one address"),
    ] = "home"
    host: Annotated[str, Meta(description="Listen on this address; `0.0.0.0` or `::` means all")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535, description="Listen on this port; 0 picks a free one")] = 8000
    names: Annotated[
        tuple[str, ...], Meta(description="Host names of the server, besides IP addresses and the machine's own name")
    ] = ()
    proxy: Annotated[
        str, Meta(description="IP address of the reverse proxy, whose `X-Forwarded-For` and `-Proto` are trusted")
    ] = ""
    database: Annotated[
        str, Meta(description="SQLAlchemy URL of the database (default: `tables.sqlite3` in the data folder)")
    ]
    processes: Annotated[
        Annotated[int, Meta(ge=1)] | Literal["auto"],
        Meta(description="Server processes; `auto` is one per core with PostgreSQL, and one with SQLite"),
    ] = "auto"
    inside: Annotated[str, Meta(description="`http://HOST:PORT` where servers on other machines reach this one")] = ""
    jobs: Annotated[
        str, Meta(description="`postgresql://USER:PASSWORD@HOST/DATABASE` through which workers get jobs")
    ] = ""
    bot_processes: Annotated[int, _count("Bot processes (default: one fewer than the machine has cores)")] = field(
        default_factory=lambda: max(1, (os.cpu_count() or 2) - 1)
    )
    warming: Annotated[bool, Meta(description="Compile the code of bots when the server starts")] = True
    measuring: Annotated[bool, Meta(description="Measure the balance of studio sets while they are open")] = True
    heartbeat: Annotated[float, _seconds("Seconds between heartbeats on a quiet event stream")] = 15.0
    keep_unused: Annotated[int, _count("Days until a table without a person or without a choice is deleted")] = 7
    keep_days: Annotated[int, _count("Days until any other table is deleted after its last change")] = 365
    mail: MailSettings = MailSettings()
    push: PushSettings = PushSettings()
    limits: Limits = Limits()

    #: Signs cookies and seeds bots; with it one could act as any person.
    secret: str
    #: Earlier secrets: cookies signed with them are still accepted, and signed again.
    older_secrets: tuple[str, ...] = ()
    #: How many seconds a person counts as present after closing the page.
    grace: float = 6.0
    #: A factor for the time slots of bots; 0 shows their choices at once (for tests).
    slot: float = 1.0
    #: After how many seconds without visitors a table is evicted from memory.
    patience: float = 600.0
    #: How many seconds after the last visit a table's bots keep playing.
    attention: float = 60.0
    #: How many seconds a turn lasts before its player is notified: an immediate answer needs no message.
    notify_after: float = 60.0
    #: Returns the time in seconds since 1970.
    now: Callable[[], float] = time.time
    #: After how many seconds without players a public table is unlisted.
    absent: float = 180.0
    #: The longest request body in bytes: a content file with its pictures.
    longest_body: int = 1280 * 1024
    #: The URL for friends in the same network; empty: the one in the request.
    friends: str = ""
    #: Bots that are commands (`pipe:COMMAND`) and may be run here.
    commands: tuple[str, ...] = ()

    @property
    def process_count(self) -> int:
        """Return the number of processes that serve.

        `auto` stays at one if several would need something that is missing: PostgreSQL, the extra `postgres`, a shared
        port (POSIX only), or addresses for other machines (`inside` names that of a single process).
        """
        if self.processes != "auto":
            return self.processes
        several = self.database.startswith("postgresql") and not self.inside and os.name == "posix"
        return _cores() if several and find_spec("aiohttp") else 1

    @classmethod
    def load(cls, folder: Path | None = None, file: Path | None = None, **others: Any) -> Self:
        """Return the settings of a server with this data folder, which is created if necessary.

        `others` override everything that `find_settings` finds.
        """
        folder = folder or data_folder()
        found = find_settings(folder, file, {name: others[name] for name in others if name in {*SETTINGS, *RETIRED}})
        overrides = {name: value for name, value in others.items() if name not in RETIRED}
        sections = {
            "limits": Limits(**values_of(found, "limits")),
            "mail": MailSettings(**values_of(found, "mail")),
            "push": PushSettings(**values_of(found, "push")),
        }
        values = {**sections, **values_of(found), **overrides}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)  # it contains the seeds of all matches
            secret, *elder = read_secrets(folder / SECRET)
        except OSError as problem:
            raise FolderUnavailable(f"Can't use the data folder {folder}: {problem.strerror or problem}.") from None
        return cls(**{"secret": secret, "older_secrets": tuple(elder), **values})


def _cores() -> int:
    """Return the number of cores that this process may use."""
    usable = getattr(os, "sched_getaffinity", None)  # Linux only
    return len(usable(0)) if usable else os.cpu_count() or 1


#: Every setting that an operator can change, by name.
SETTINGS = settings_of(Settings)


def find_settings(
    folder: Path | None = None, file: Path | None = None, options: Mapping[str, Any] | None = None
) -> dict[str, FoundSetting]:
    """Return all settings with their sources; raise InvalidSettings with all mistakes.

    The file is the given one, or named by SPARRING_SETTINGS, or `sparring.toml` in the data folder if it exists.
    """
    folder = folder or data_folder()
    named = file or os.environ.get(SETTINGS_FILE, "").strip()
    default_file = folder / "sparring.toml"
    found = read(
        Settings,
        file=Path(named) if named else default_file if default_file.exists() else None,
        options=options,
        profiles=PROFILES,
        retired=RETIRED,
    )
    if found["database"].value is MISSING:
        found["database"] = FoundSetting(SETTINGS["database"], f"sqlite+aiosqlite:///{folder / 'tables.sqlite3'}")
    return found


def check_addresses(settings: Settings) -> None:
    """Raise InvalidSettings if the address of the proxy or the internal address is malformed."""
    if settings.proxy:
        try:
            ip_address(settings.proxy)
        except ValueError:
            raise InvalidSettings(
                f'`proxy` must be an IP address, such as 127.0.0.1, not "{settings.proxy}".'
            ) from None
    if settings.inside:
        try:
            found = urlsplit(settings.inside)
            if (found.scheme, found.path, bool(found.hostname and found.port)) != ("http", "", True):
                raise ValueError
        except ValueError:
            raise InvalidSettings(f'`inside` must be written http://HOST:PORT, not "{settings.inside}".') from None


def check_jobs(url: str) -> None:
    """Raise JobsUnavailable if the URL of the database of jobs is malformed; the database needn't run yet."""
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict

        if not url.startswith(("postgresql://", "postgres://")):
            raise ProgrammingError
        conninfo_to_dict(url)
    except ModuleNotFoundError:
        raise JobsUnavailable(f"`jobs` needs more packages: {install_command('postgres')}.") from None
    except ProgrammingError:
        raise JobsUnavailable("`jobs` must be written postgresql://USER:PASSWORD@HOST/DATABASE.") from None


def check_notifications(settings: Settings) -> None:
    """Raise InvalidSettings if e-mail or push is set up incompletely, or if the packages for it are missing."""
    mail, push = settings.mail, settings.push
    for name, package, on in (("mail.server", "aiosmtplib", mail.on), ("push.contact", "pywebpush", push.on)):
        if on and find_spec(package) is None:
            raise InvalidSettings(f"`{name}` needs more packages: {install_command('notify')}.")
    if mail.on:
        server, site = urlsplit(mail.server), urlsplit(mail.site)
        if server.scheme not in SMTP_PORTS or not server.hostname:
            raise InvalidSettings(
                "`mail.server` must be written smtps://USER:PASSWORD@HOST:PORT, or begin with smtp://."
            )
        if "@" not in parseaddr(mail.sender)[1]:
            raise InvalidSettings(
                f'`mail.sender` must be an e-mail address, such as Sparring <play@table.example>, not "{mail.sender}".'
            )
        if site.scheme not in ("http", "https") or not site.hostname or site.path.strip("/"):
            raise InvalidSettings(
                f'`mail.site` must be the server\'s URL, such as https://table.example, not "{mail.site}".'
            )
    if push.on and not push.contact.startswith(("mailto:", "https://")):
        raise InvalidSettings(f'`push.contact` must begin with mailto: or https://, not "{push.contact}".')


def read_secrets(file: Path) -> list[str]:
    """Return the server's secrets, newest first. The first one is created on demand, readable for its owner only."""
    if not file.exists():
        with contextlib.suppress(FileExistsError):
            _write_secrets(file, [secrets.token_urlsafe(32)], os.O_EXCL)
    found = file.read_text(encoding="ascii").split()
    if not found:
        raise FolderUnavailable(f"{file} contains no key. Delete the file, and the server creates a new one.")
    return found


def rotate_secret(file: Path, *, forget: bool = False) -> int:
    """Add a new secret, or replace all; return how many older ones are still accepted."""
    elder = [] if forget else read_secrets(file)
    return len(keep_secrets(file, [secrets.token_urlsafe(32), *elder])) - 1


def keep_secrets(file: Path, wanted: Sequence[str]) -> list[str]:
    """Store the newest secrets, as many as the file can hold; return them."""
    kept = list(dict.fromkeys(wanted))[:KEYS]
    new_file = file.with_suffix(".new")
    _write_secrets(new_file, kept, os.O_TRUNC)
    new_file.replace(file)
    return kept


def _write_secrets(file: Path, wanted: Sequence[str], how: int) -> None:
    handle = os.open(file, os.O_CREAT | os.O_WRONLY | how, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as new:
        new.write("\n".join(wanted) + "\n")
        new.flush()
        os.fsync(handle)
