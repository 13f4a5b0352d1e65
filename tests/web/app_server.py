"""Sparring's server on a free port, in a thread of the test, and HTTP clients for it."""

import asyncio
import contextlib
import inspect
import json
import random
import re
import socket
import ssl
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
import uvicorn
from litestar import Litestar
from sqlalchemy import create_engine

from sparring import bots
from sparring.app import create_app
from sparring.engine.game import game
from sparring.engine.hints import Hint
from sparring.engine.messages import reading_in
from sparring.people.api_tokens import SCOPES, TokenRequest
from sparring.people.identity import COOKIE, IdentityCookie
from sparring.people.rate_limits import Requester
from sparring.serve import configured, listen
from sparring.settings import Limits, Settings
from sparring.store.migrations import migrate
from sparring.store.moderation import Ban, BanStore
from sparring.store.person import Person
from sparring.store.personal_data import remove_tables
from sparring.tables.creation import TableCreation
from sparring.tables.state.players import Player
from sparring.tables.state.table import Table
from sparring.tables.tables import Tables
from sparring.tables.workers.bot_players import BotPlayers, BotQuestion
from sparring.tables.workers.bot_worker import view_of

T = TypeVar("T")

BOLT = Player(bot="random", name="Bolt")
#: What tables are created with besides the options of their game.
CREATED_WITH = set(inspect.signature(TableCreation.create).parameters)

#: Tests use one address, many connections and many tables.
HIGH_LIMITS = Limits(
    connections_each=1000, connections_network=1000, streams_from=800, tables_at_once=100_000, tables_going_on=100_000,
    content_files_at_once=100_000, sets_at_once=100_000, tokens_each=1000, tokens_at_once=1000,
    api_calls_at_once=100_000, accounts_at_once=100_000, sign_ins_at_once=100_000, exports_at_once=100_000,
    preferences_at_once=100_000, friend_requests_at_once=100_000, challenges_at_once=100_000,
    invitations_at_once=100_000, invitations_by_one_at_once=100_000,
    chat_lines_at_once=100_000, chat_reports_at_once=100_000, moderation_at_once=100_000,
    requests_at_once=1_000_000, rated_network=100_000, mails_at_once=100_000, mails_to_at_once=100_000,
)  # fmt: skip

#: Shared by all clients: httpx would load all certificates for each, 20 ms and 0.8 MB that stay allocated.
SSL_CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

#: What the applications of all servers have in common besides their templates.
ROUTING = (
    "_mount_paths_regex", "_mount_routes", "_plain_routes", "_registered_routes", "root_route_map_node",
    "route_handler_index", "route_mapping",
)  # fmt: skip


@cache
def _first_app(longest_body: int) -> Litestar:
    return create_app(Settings(database="", secret="", longest_body=longest_body))


def _app(settings: Settings, bots: BotPlayers) -> Litestar:
    """Return an application with the routes and templates of the first one, which take most of a server's start."""
    first = _first_app(settings.longest_body)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Litestar, "register", lambda *_: None)
        app = create_app(settings, bots)
    app.routes, app.plugins, app.template_engine = first.routes, first.plugins, first.template_engine
    for name in ROUTING:
        setattr(app.asgi_router, name, getattr(first.asgi_router, name))
    return app


class RandomBots:
    """Random bots in the server's own process; tests can make them wait."""

    def __init__(self) -> None:
        self.questions: list[BotQuestion] = []
        self.may_choose = asyncio.Event()
        self.may_choose.set()

    async def choose(self, question: BotQuestion, turn: Sequence[str] = "") -> int:
        self.questions.append(question)
        await self.may_choose.wait()
        kept = [action for action in question.legal if action not in game(question.game).conceding]
        return random.Random(question.seed).choice(kept)

    async def advise(self, question: BotQuestion) -> Hint | None:
        """Return the weakest bot's hint, computed from the question only."""
        self.questions.append(question)
        await self.may_choose.wait()
        with reading_in(None):  # as in a process of its own
            return bots.parse("search:iterations=30").advise(view_of(question), quick=True)


class AppServer:
    """A running server and its clients."""

    def __init__(self, settings: Settings, bots: Callable[[], BotPlayers] = RandomBots) -> None:
        self.settings, self._bots = settings, bots
        self.start()

    def start(self) -> None:
        self.bots: Any = self._bots()
        self.clients: list[Client] = []
        self.app = _app(self.settings, self.bots)
        listener = listen("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self.uvicorn = uvicorn.Server(configured(self.app, self.settings, date_header=False))
        self.loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(listener,))
        self._thread.start()
        self._ready.wait()

    def _run(self, listener: socket.socket) -> None:
        asyncio.set_event_loop(self.loop)

        async def main() -> None:
            serving = asyncio.ensure_future(self.uvicorn.serve([listener]))
            while not self.uvicorn.started and not serving.done():  # noqa: ASYNC110 - it has no event for that
                await asyncio.sleep(0.01)
            self._ready.set()
            await serving

        with contextlib.closing(self.loop), contextlib.closing(listener):
            self.loop.run_until_complete(main())

    def close(self) -> None:
        for client in self.clients:
            client.http.close()
        self.run(self.tables.close())
        self.uvicorn.should_exit = True
        self._thread.join()

    def restart(self, **more: Any) -> None:
        """Close it, and start it again with the same database, and with changed settings; clients must be new, too."""
        self.close()
        self.settings = replace(self.settings, **more)
        self.start()

    @property
    def tables(self) -> Tables:
        return self.app.state.tables  # type: ignore[no-any-return]

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine in the server's event loop."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(30)

    def wait_until(self, condition: Callable[[], object]) -> None:
        """Wait until the server has made this true."""
        for _ in range(2000):
            if condition():
                return
            self.run(asyncio.sleep(0.01))
        raise AssertionError("The condition never became true.")

    @contextlib.contextmanager
    def waiting_bots(self) -> Iterator[RandomBots]:
        """Let bots wait until the end of the block."""
        self.loop.call_soon_threadsafe(self.bots.may_choose.clear)
        try:
            yield self.bots
        finally:
            self.loop.call_soon_threadsafe(self.bots.may_choose.set)

    def learn(self) -> None:
        """Learn what others have written, as the server does every few seconds."""
        sessions = self.app.state.accounts.sessions
        self.run(sessions._known.refresh(sessions._store.current))
        self.run(self.tables.listener.compare())

    def reload(self, table: str) -> None:
        """Read a table from the database again, as after a restart."""

        async def evict() -> None:
            if found := self.tables.registry.find(table):
                self.tables.registry.evict(found)

        self.run(evict())

    def ban(self, who: str, until: int | None = None, why: str = "") -> None:
        """Ban as the command line does, and let some seconds pass."""
        ban = Ban(until, why)
        self.run(BanStore(self.tables.store).put(who, ban))
        self.run(self.app.state.bans.reload())

    def person(self, name: str) -> "Client":
        """Return a client with a cookie of a person whose id is the name."""
        return Client(self, IdentityCookie(self.settings.secret).write(Person(name, name)).value or "")

    def token(self, name: str, *scopes: str, bot: str = "", days: int = 0) -> str:
        """Create a token of the person whose id is the name; with `bot` it acts as a bot of that name."""
        asked = TokenRequest(bot or "A program", scopes or tuple(SCOPES), days, bool(bot))
        account = self.run(self.app.state.accounts.store.load(person=name))
        owner = Person(name, name, epoch=account.epoch if account else 0)
        made: str = self.run(self.app.state.tokens.make(owner, asked, Requester(name)))
        return made

    def program(self, name: str, *scopes: str, bot: str = "", days: int = 0) -> "Client":
        """Return a client that uses a new token instead of a cookie."""
        program = self.stranger()
        del program.http.headers["Origin"]
        program.http.headers["Authorization"] = f"Bearer {self.token(name, *scopes, bot=bot, days=days)}"
        return program

    def stranger(self) -> "Client":
        return Client(self, "")

    def table(self, *who: str | Player, seed: int | None = 1, name: str = "hush", **more: Any) -> str:
        """Create a table for these people, with options of the game; `bot` is a bot, an empty name an open seat."""
        players = [each if isinstance(each, Player) else BOLT if each == "bot" else Player(each, each) for each in who]
        known = {key: more.pop(key) for key in CREATED_WITH & more.keys()}
        return self.run(self.tables.creation.create(game(name), players, options=more, seed=seed, **known)).id

    def held(self, table: str) -> Table:
        """Return a table as the server has it in memory."""
        return self.run(self.tables.registry.get(table))


def show_choice(table: Table, action: int) -> None:
    """Make a choice at a table in memory only."""
    change = table.choice(action)
    table.publish(change, table.applied(change))


def delete_all_tables(server: AppServer) -> None:
    """Delete all tables, as the server does when they are old."""
    store = server.tables.store
    tables = [row.id for row in server.run(store.tables(1000))]
    server.run(store.transaction(remove_tables, tables))


class Client:
    """An HTTP client that keeps cookies, like a browser."""

    def __init__(self, server: AppServer, cookie: str) -> None:
        self.server = server
        headers = {"Origin": server.url}
        self.http = httpx.Client(base_url=server.url, headers=headers, timeout=30, verify=SSL_CONTEXT)
        if cookie:
            self.set_cookie(cookie)
        server.clients.append(self)

    def get(self, path: str) -> httpx.Response:
        return self.http.get(path)

    def cookie(self, name: str = COOKIE) -> str:
        """Return a cookie that this server has set."""
        hashed = name + self.server.app.state.cookie_names.suffix
        return self.http.cookies.get(hashed) or self.http.cookies.get(name) or ""

    def set_cookie(self, value: str, name: str = COOKIE) -> None:
        """Replace a cookie of this server."""
        self.http.cookies.set(name + self.server.app.state.cookie_names.suffix, value, domain="127.0.0.1")

    def post(self, path: str, **more: Any) -> httpx.Response:
        return self.http.post(path, **more)

    def create(self, game: str = "hush", **form: str) -> str:
        """Create a table with the form, by default with an open seat."""
        said = {"name": "Anna", "seat1": "me", "seat2": "open", **form}
        return self.post(f"/games/{game}", data=said).headers["location"].removeprefix("/table/")

    def page(self, table: str) -> str:
        return self.get(f"/table/{table}").raise_for_status().text

    def look(self, table: str) -> dict[str, Any]:
        return self.get(f"/api/table/{table}").raise_for_status().json()  # type: ignore[no-any-return]

    def version(self, table: str) -> int:
        return int(self.look(table)["version"])

    def choose(self, table: str, choice: int | str, version: int | None = None) -> httpx.Response:
        version = self.version(table) if version is None else version
        return self.post(f"/api/table/{table}/choose", json={"version": version, "choice": choice})

    def choose_first(self, table: str) -> None:
        """Make the first legal choice."""
        look = self.look(table)
        self.choose(table, look["choices"][0]["choice"], look["version"]).raise_for_status()

    def sit(self, table: str, seat: int, name: str = "") -> httpx.Response:
        """Take a seat with the form of the page."""
        return self.post(f"/table/{table}/sit", data={"seat": str(seat), "name": name})

    def answer(self, table: str, *, agree: bool, proposal: str | None = None) -> httpx.Response:
        """Answer the open proposal, or one that was."""
        named = self.look(table)["time"]["proposal"] if proposal is None else proposal
        return self.post(f"/api/table/{table}/answer", json={"agree": agree, "proposal": named})

    def take_back(self, table: str) -> httpx.Response:
        return self.post(f"/api/table/{table}/take-back", json={"version": self.version(table)})

    @contextlib.contextmanager
    def stream(self, table: str, version: int = 0, *, away: bool = False, last: str = "") -> Iterator[Iterator[bytes]]:
        """Stream the events of a table's page, unparsed."""
        path = f"/table/{table}/events?version={version}&away={away}"
        with self.http.stream("GET", path, headers={"Last-Event-ID": last} if last else {}) as response:
            yield table_blocks(response)

    @contextlib.contextmanager
    def text_stream(self, table: str, version: int) -> Iterator[Iterator[bytes]]:
        """Stream the events of a table in text mode."""
        with self.http.stream("GET", f"/table/{table}/text/events?version={version}") as response:
            yield table_blocks(response)

    @contextlib.contextmanager
    def api_stream(self, table: str, version: int = 0, *, last: str = "") -> Iterator[Iterator[bytes]]:
        """Stream the events of a table from the API."""
        headers = {"Last-Event-ID": last} if last else {}
        with self.http.stream("GET", f"/api/table/{table}/events?version={version}", headers=headers) as response:
            yield table_blocks(response)

    @contextlib.contextmanager
    def turn_events(self) -> Iterator[Iterator[dict[str, Any]]]:
        """Stream the API's events about own tables, once it is connected."""
        with self.http.stream("GET", "/api/me/events") as response:
            blocks = stream_blocks(response)
            assert next(blocks).startswith(b": nothing new")
            yield (json.loads(block.removeprefix(b"data: ")) for block in blocks)

    @contextlib.contextmanager
    def presence_stream(self, table: str, *, away: bool = False) -> Iterator[Iterator[bytes]]:
        """Stream the presence events of a table, once it is connected."""
        path = f"/table/{table}/events?version={self.version(table)}&away={str(away).lower()}"
        with self.http.stream("GET", path) as response:
            blocks = stream_blocks(response)
            next(blocks)
            yield (block for block in blocks if block.startswith(b"event: people"))


def table_blocks(response: httpx.Response) -> Iterator[bytes]:
    """Return the blocks about the table itself, without presence and chat."""
    return (block for block in stream_blocks(response) if not block.startswith((b"event: people", b"event: chat")))


def stream_blocks(response: httpx.Response) -> Iterator[bytes]:
    """Yield the blocks of a stream, each with its blank line, without heartbeats."""
    waiting = b""
    for chunk in response.iter_raw():
        waiting += chunk
        while found := re.search(rb"\r?\n\r?\n", waiting):
            event, waiting = waiting[: found.end()], waiting[found.end() :]
            if not event.startswith(b": still"):
                yield event


@cache
def _empty_database() -> bytes:
    """Return an empty migrated database; creating it takes longer than the rest of a server's start."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.sqlite3"
        engine = create_engine(f"sqlite:///{file}")
        with engine.begin() as connection:
            migrate(connection)
        engine.dispose()
        return file.read_bytes()


def settings(folder: Path, **more: Any) -> Settings:
    """Return settings for tests: a new database, a known secret, and no measuring of sets."""
    file = folder / "tables.sqlite3"
    if not file.exists():
        file.write_bytes(_empty_database())
    usual = Settings(
        database=f"sqlite+aiosqlite:///{file}", secret="known", limits=HIGH_LIMITS, slot=0.0, measuring=False
    )
    return replace(usual, **more)


StartServer = Callable[..., AppServer]
#: Sets the machine's clock forward or back by some seconds.
SetClock = Callable[[float], None]
