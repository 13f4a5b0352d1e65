"""The settings of a server with their defaults, where to look for them, and checks of what they refer to."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field
from email.utils import parseaddr
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from msgspec import Meta

from sparring.engine.errors import SparringError
from sparring.engine.folders import access_problem, data_folder
from sparring.engine.plugins import missing_extra

from .limits import Limits, count, seconds
from .secrets import SECRET, FolderUnavailable, read_secrets
from .sources import FoundSetting, InvalidSettings, read, settings_of, values_of


@dataclass
class SteadyClock:
    """Returns seconds since 1970 as if the machine's clock had been right at the start and weren't set since then.

    All processes of a machine count from the same `offset`, which their supervisor hands on. One that joins
    processes on other machines adopts theirs.
    """

    offset: float = field(default_factory=lambda: time.time() - time.monotonic())

    def __call__(self) -> float:
        """Return the time."""
        return time.monotonic() + self.offset


#: The environment variable that names the settings file.
SETTINGS_FILE = "SPARRING_SETTINGS"


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
    "broker": "workers get jobs from the database `jobs`",
    "inside": "servers on several machines need only the same database",
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
    jobs: Annotated[
        str, Meta(description="`postgresql://USER:PASSWORD@HOST/DATABASE` through which workers get jobs")
    ] = ""
    bot_processes: Annotated[int, count("Bot processes (default: one fewer than the machine has cores)")] = field(
        default_factory=lambda: max(1, (os.cpu_count() or 2) - 1)
    )
    warming: Annotated[bool, Meta(description="Compile the code of bots when the server starts")] = True
    measuring: Annotated[bool, Meta(description="Measure the balance of studio sets while they are open")] = True
    access_log: Annotated[bool, Meta(description="Log every request: client, path, status, duration")] = False
    metrics_key: Annotated[str, Meta(description="Key with which programs on other machines may read `/metrics`")] = ""
    heartbeat: Annotated[float, seconds("Seconds between heartbeats on a quiet event stream")] = 15.0
    keep_unused: Annotated[
        int, count("Days that the server runs until a table without a person or without a choice is deleted")
    ] = 7
    keep_days: Annotated[
        int, count("Days that the server runs until any other table, set or saved match that no one uses is deleted")
    ] = 365
    imprint: Annotated[str, Meta(description="Markdown file with the imprint, to be linked on every page")] = ""
    privacy: Annotated[str, Meta(description="Markdown file with the privacy policy, to be linked on every page")] = ""
    terms: Annotated[str, Meta(description="Markdown file with the terms of use, to be linked on every page")] = ""
    mail: MailSettings = MailSettings()
    push: PushSettings = PushSettings()
    limits: Limits = field(default_factory=Limits)

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
    #: Returns the time in seconds since 1970. Setting the machine's clock doesn't change it during a run.
    now: Callable[[], float] = field(default_factory=SteadyClock)
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

        `auto` stays at one without PostgreSQL, or where processes can't share a port (it needs POSIX).
        """
        if self.processes != "auto":
            return self.processes
        several = self.database.startswith("postgres") and os.name == "posix"
        return _cores() if several else 1

    @classmethod
    def load(cls, folder: Path | None = None, file: Path | None = None, *, create: bool = True, **others: Any) -> Self:
        """Return the settings of a server with this data folder; with `create`, make the folder and its key.

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
            if create:
                folder.mkdir(parents=True, exist_ok=True)
                folder.chmod(0o700)  # it contains the seeds of all matches
        except OSError as problem:
            usual = f"Can't use the data folder {folder}: {problem.strerror or problem}."
            raise FolderUnavailable(access_problem(folder / SECRET) or usual) from None
        secret, *elder = read_secrets(folder / SECRET, create=create)
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
        file=Path(named) if named else default_file if os.path.exists(default_file) else None,  # noqa: PTH110 - it may be denied
        options=options,
        profiles=PROFILES,
        retired=RETIRED,
    )
    if found["database"].value is MISSING:
        found["database"] = FoundSetting(SETTINGS["database"], f"sqlite+aiosqlite:///{folder / 'tables.sqlite3'}")
    return found


#: How mail servers can be reached, with the usual port: TLS, STARTTLS, or unencrypted (a relay on this machine).
SMTP_PORTS = {"smtps": 465, "smtp": 587, "smtp+plain": 25}


class JobsUnavailable(SparringError):
    """The database of jobs can't be used."""


def check_addresses(settings: Settings) -> None:
    """Raise InvalidSettings if the address of the proxy is malformed."""
    if settings.proxy:
        try:
            ip_address(settings.proxy)
        except ValueError:
            raise InvalidSettings(
                f'`proxy` must be an IP address, such as 127.0.0.1, not "{settings.proxy}".'
            ) from None


def check_jobs(url: str) -> None:
    """Raise JobsUnavailable if the URL of the database of jobs is malformed; the database needn't run yet."""
    try:
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict

        if not url.startswith(("postgresql://", "postgres://")):
            raise ProgrammingError
        conninfo_to_dict(url)
    except ModuleNotFoundError:
        raise JobsUnavailable(missing_extra("`jobs` needs more packages", "postgres")) from None
    except ProgrammingError:
        raise JobsUnavailable("`jobs` must be written postgresql://USER:PASSWORD@HOST/DATABASE.") from None


def check_notifications(settings: Settings) -> None:
    """Raise InvalidSettings if e-mail or push is set up incompletely, or if the packages for it are missing."""
    mail, push = settings.mail, settings.push
    for name, package, on in (("mail.server", "aiosmtplib", mail.on), ("push.contact", "pywebpush", push.on)):
        if on and find_spec(package) is None:
            raise InvalidSettings(missing_extra(f"`{name}` needs more packages", "notify"))
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
