"""Run the server behind `sparring play`: print its address, open the browser, and stop quickly."""

import asyncio
import contextlib
import errno
import gc
import io
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import ip_address
from typing import Any

import uvicorn
from litestar import Litestar

from sparring.engine.errors import SparringError
from sparring.engine.game import game
from sparring.server.monitoring import LOGGING
from sparring.server.protocol import limited
from sparring.server.requests.server_state import server_state
from sparring.settings import Limits
from sparring.site.pages.site_pages import read_texts
from sparring.store.database import Database
from sparring.tables.state.players import Player
from sparring.tables.workers.bot_players import alias_of, is_command

from .app import create_app
from .settings import Settings, check_addresses, check_jobs, check_notifications


class PortUnavailable(SparringError):
    """The port can't be used."""


@dataclass(frozen=True, kw_only=True)
class FirstTable:
    """A table to create when the server starts; the first visitor takes an open seat."""

    game: str
    players: Sequence[Player]
    options: dict[str, Any] = field(default_factory=dict)
    toml: str | None = None
    seed: int | None = None


@dataclass(frozen=True)
class ListeningServer:
    """What is ready before the server accepts requests: effective settings, socket, and a callback for its start."""

    settings: Settings
    listener: socket.socket
    started: Callable[[str], None]


def serve(
    settings: Settings, *, browser: bool = True, first: FirstTable | None = None, say: Callable[[str], None] = print,
    lan: bool = False,
) -> None:  # fmt: skip
    """Serve until stopped (Ctrl-C); with `lan`, also print a QR code for friends."""
    server = prepare(settings, first, browser=browser, say=say, lan=lan)
    run(create_app(server.settings), server.settings, server.listener, first, server.started)


def prepare(
    settings: Settings, first: FirstTable | None, *, browser: bool, say: Callable[[str], None], lan: bool = False
) -> ListeningServer:
    """Check the settings, migrate the database and open the socket.

    Raises a SparringError with one clear sentence for each thing that can go wrong.
    """
    if not browser and hasattr(signal, "SIGHUP"):  # the end of the session that started it isn't the server's end
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    check_addresses(settings)
    check_notifications(settings)
    read_texts(settings)
    if settings.jobs:
        check_jobs(settings.jobs)
    note = asyncio.run(_open_once(settings.database))
    listener = listen(settings.host, settings.port)
    own_url, lan_url = addresses(*listener.getsockname()[:2])
    players = first.players if first else ()
    limits = raise_file_limit(settings.limits)
    if limits.connections < settings.limits.connections:
        say(f"The system's limit on open files is too low for {settings.limits.connections:,} connections; "
            f"this server accepts {limits.connections:,}.")  # fmt: skip
    settings = replace(
        settings, friends=lan_url, limits=limits,
        commands=tuple(player.bot for player in players if is_command(player.bot)),
    )  # fmt: skip

    def started(path: str) -> None:
        say(f"{'The table is open' if first else 'Sparring is running'} at {own_url}{path}")
        if lan_url:
            say(f"Friends on the same network can join at {lan_url}{path}")
            if lan:
                with contextlib.suppress(UnicodeEncodeError):  # a terminal without block characters
                    say(qr_code(lan_url + path))
        elif lan:
            say("This machine isn't connected to a network, so friends can't join.")
        say(f"Press Ctrl-C to stop; matches are saved. {note}".rstrip())
        if browser:
            threading.Thread(target=webbrowser.open, args=(own_url + path,), daemon=True).start()

    return ListeningServer(settings, listener, started)


def run(
    app: Litestar, settings: Settings, listener: socket.socket, first: FirstTable | None,
    started: Callable[[str], None],
) -> None:  # fmt: skip
    """Serve an application at this socket, in this process, until it is stopped."""
    config = configured(app, settings, log_config=LOGGING)
    with contextlib.suppress(KeyboardInterrupt):
        _Server(config, app, first, started).run([listener])


def configured(app: Litestar, settings: Settings, **more: Any) -> uvicorn.Config:
    """Return the configuration of uvicorn for an application: with limits on its connections."""
    proxies = f"{settings.proxy},::ffff:{settings.proxy}" if "." in settings.proxy else settings.proxy
    protocol = limited(server_state(app).connections, server_state(app).faults)
    return uvicorn.Config(
        app, http=protocol, ws="none", log_level="warning", access_log=False, lifespan="on",
        server_header=False, timeout_graceful_shutdown=1, proxy_headers=bool(settings.proxy),
        forwarded_allow_ips=proxies, **more,
    )  # fmt: skip


async def _open_once(database: str) -> str:
    """Create or migrate the database before the server accepts requests; return a sentence about it."""
    store = Database(database)
    note = await store.open()
    await store.close()
    return note


class _Server(uvicorn.Server):
    """A uvicorn server that creates the first table, reports when it is ready, and ends streams when it stops."""

    def __init__(
        self, config: uvicorn.Config, app: Litestar, first: FirstTable | None, ready: Callable[[str], None]
    ) -> None:
        super().__init__(config)
        self.app = app
        self.first = first
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, create the first table, and report it."""
        await super().startup(sockets)
        gc.freeze()  # scanning startup objects for garbage took a tenth of the server's time
        gc.set_threshold(5000, 20, 50)  # and most new objects are freed by reference counting
        sys.setswitchinterval(0.001)  # the writer thread needs the GIL at every statement, and waits less this way
        if self.started:
            self.ready(await self._first_page())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams first, which wouldn't end by themselves."""
        await server_state(self.app).tables.close()
        await super().shutdown(sockets)

    async def _first_page(self) -> str:
        if self.first is None:
            return "/"
        first = self.first
        players = [replace(player, bot=alias_of(player.bot)) for player in first.players]
        table = await server_state(self.app).tables.creation.create(
            game(first.game),
            players,
            options=first.options,
            toml=first.toml,
            seed=first.seed,
            known=first.seed is not None,
        )
        return f"/table/{table.id}"


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at a port; raise PortUnavailable with a clear sentence."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is named; otherwise responses on a reused connection take 40 ms
    # longer.
    listener = socket.socket(family, proto=socket.IPPROTO_TCP)
    if os.name == "posix":  # elsewhere this would let two servers share a port
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if listener.family == socket.AF_INET6:  # `::` takes IPv4 too, on every system
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as problem:
        listener.close()
        raise PortUnavailable(_why_no_port(host, port, problem)) from None
    listener.set_inheritable(True)
    return listener


def _why_no_port(host: str, port: int, problem: Exception) -> str:
    if isinstance(problem, socket.gaierror) or getattr(problem, "errno", None) == errno.EADDRNOTAVAIL:
        return f"This machine has no address {host}. Choose one of its own with --host, or leave --host out."
    if isinstance(problem, OverflowError):
        return f"port must be 0 to 65535, not {port}."
    if isinstance(problem, PermissionError):
        return f"You aren't allowed to use port {port}. Choose one above 1023 with --port."
    return f"Port {port} is in use or unavailable. Choose another one with --port."


def addresses(host: str, port: int) -> tuple[str, str]:
    """Return the URLs of a server: for this machine, and for its network if the server listens on all addresses."""
    bound = ip_address(host.partition("%")[0])
    if not bound.is_unspecified:
        return url(host, port), ""
    others = own_address() or (own_address(socket.AF_INET6) if bound.version == 6 else "")
    return url("127.0.0.1" if bound.version == 4 else "::1", port), url(others, port) if others else ""


def url(host: str, port: int) -> str:
    """Return the URL of an address, which needs brackets if it is IPv6."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def own_address(family: int = socket.AF_INET) -> str:
    """Return the address of this machine in its network; empty if it is in none."""
    elsewhere = "192.0.2.1" if family == socket.AF_INET else "2001:db8::1"
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((elsewhere, 9))  # nothing is sent: this only looks up the route
        return str(probe.getsockname()[0])
    return ""


#: Files that a server opens besides its connections: the database, pipes to processes, static files.
OWN_FILES = 200
#: The highest limit on open files that the server asks the system for.
MOST_FILES = 65_536


def raise_file_limit(limits: Limits) -> Limits:
    """Raise the limit on open files as far as the system allows, and return connection limits that stay below it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return limits
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if most > soft:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return limits.below(max(resource.getrlimit(resource.RLIMIT_NOFILE)[0] - OWN_FILES, 16))


def qr_code(link: str) -> str:
    """Return a QR code for a terminal, two rows of it in each line."""
    from segno import make

    drawn = io.StringIO()
    make(link, error="m", micro=False).terminal(drawn, compact=True)
    white_on_black = "\x1b[97;40m{}\x1b[0m" if sys.stdout.isatty() else "{}"
    return "\n".join(white_on_black.format(line) for line in drawn.getvalue().splitlines())
