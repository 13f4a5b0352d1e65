"""The tables of a server that are in memory: opened when somebody looks, laid out, and cleared away again."""

import asyncio
import contextlib
import time
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

import msgspec

from sparring.engine.errors import BadContent, BadOption, BadRecord, ChoiceError, SparringError
from sparring.engine.game import Box, Game
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.web.security.uploads import ContentUploads
from sparring.web.settings import DAY, Settings
from sparring.web.storage import ChatStore, Database, RatingStore, StoreError
from sparring.web.storage.rating_limits import forget_networks
from sparring.web.storage.schema import TableRow

from .chat.chat_log import ChatLine, ChatLog
from .chat.move_descriptions import described_in
from .clocks.clock_record import record_stored
from .notifications import TableNotifications
from .presence import Presence
from .table import Table


class TableNotFound(SparringError):
    """A table that is not there."""


class ServerClosing(SparringError):
    """The server is about to stop."""


class OnOtherNode(SparringError):
    """Another process has a table: how it is called, and where it is reached."""

    def __init__(self, process: str, address: str) -> None:
        super().__init__("This table moves to another process; please try again.")
        self.where = process, address


class TableOwnership(Protocol):
    """Which process has which table."""

    #: How this process is called among others; none if it is alone.
    id: str | None

    async def take(self, table: str) -> None:
        """Have a table from now on; Elsewhere if another process has it."""


class SoleOwner:
    """One process has all tables."""

    id: str | None = None

    async def take(self, table: str) -> None:
        """It is there."""


class TableRegistry:
    """Those tables that somebody looks at are in memory, all are in the store."""

    def __init__(self, settings: Settings, store: Database) -> None:
        self.settings = settings
        self.store = store
        self.talk = ChatStore(store)
        self.ratings = RatingStore(store)
        self.owners: TableOwnership = SoleOwner()
        self.contents = ContentUploads()
        self.bell = TableNotifications()
        self.companies: dict[str, Presence] = {}
        #: Bots that play on at a table, which has to stay in memory meanwhile.
        self._bots: dict[str, asyncio.Task[None]] = {}
        self._open: dict[str, asyncio.Future[Table]] = {}
        self._closed = False

    def now(self) -> int:
        """What time it is, in milliseconds since 1970."""
        return int(1000 * self.settings.now())

    async def get(self, table: str) -> Table:
        """A table by its id, replayed from the store if it is not in memory."""
        if self._closed:
            raise ServerClosing("This table is closing; come back when the server runs again.")
        if table not in self._open:
            self._make_room()
            self._open[table] = asyncio.ensure_future(self._replay(table))
            self._open[table].add_done_callback(lambda done: _opened(done) or self._open.pop(table, None))
        found = await asyncio.shield(self._open[table])
        found.looked_at = time.monotonic()
        return found

    def _lay(self, table: Table) -> None:
        """A table that was just laid out need not be read from the store."""
        laid_out: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
        laid_out.set_result(table)
        table.ring = self.bell.ring
        self._make_room()
        self._open[table.id] = laid_out

    def company(self, table: str) -> Presence:
        """Who is at a table."""
        if table not in self.companies:
            self.companies[table] = Presence(
                self.settings.grace, lambda: self._company_changed(table), self.settings.now
            )
        return self.companies[table]

    def _company_changed(self, table: str) -> None:
        if current := self._current(table):
            current.wake()

    async def expire(self) -> None:
        """Now and then delete what nobody uses any more."""
        while True:
            now = time.time()
            idle, kept = now - DAY * self.settings.keep_unused, now - DAY * self.settings.keep_days
            more = 0
            with contextlib.suppress(StoreError):
                more = await self.store.expire(idle, kept, set(self._open))
                await self.talk.expire()
                await self.forget()
            await asyncio.sleep(1.0 if more else 3600.0)

    async def forget(self) -> None:
        """Forget from which networks people sat down long ago."""
        await self.store.writer.write(forget_networks)

    async def tidy(self) -> None:
        """Drop tables from memory at which nobody has looked for a while and no bot thinks."""
        while True:
            await asyncio.sleep(min(60.0, self.settings.patience))
            before = time.monotonic() - self.settings.patience
            for table in self._idle():
                if table.looked_at < before:
                    self._drop(table)

    def _make_room(self) -> None:
        """Where too many tables are in memory drop the one at which nobody has looked for longest, and nobody is."""
        if len(self._open) >= self.settings.limits.tables_in_memory:
            empty = [table for table in self._idle() if not self.company(table.id).here()]
            if empty:
                self._drop(min(empty, key=lambda table: table.looked_at))

    def _idle(self) -> list[Table]:
        """The tables in memory that nobody changes, and at which no bot thinks."""
        return [table for table in self._in_memory() if table.id not in self._bots and not table.lock.locked()]

    def _current(self, table: str) -> Table | None:
        """A table by its id, if it is in memory."""
        future = self._open.get(table)
        return future.result() if future is not None and _opened(future) else None

    def _in_memory(self) -> list[Table]:
        return [future.result() for future in self._open.values() if _opened(future)]

    def let_go(self) -> None:
        """Drop all tables from memory: another process may have them by now."""
        for table in self._in_memory():
            self._drop(table)

    async def close(self) -> None:
        """Everybody who waits for news is let go."""
        self._closed = True
        self.let_go()
        await self.contents.close()

    def _drop(self, table: Table) -> None:
        self._open.pop(table.id, None)
        if not self.company(table.id).here():
            del self.companies[table.id]
        table.clear()

    async def reread(self, tables: Iterable[str]) -> None:
        """Tables were changed in the store: those in memory are read anew by whoever looks next."""
        for table in tables:
            if table in self._open:
                with contextlib.suppress(SparringError):
                    old = await asyncio.shield(self._open[table])
                    self._drop(old)
                    self.bell.ring(old)

    async def record(self, row: TableRow, muted: Collection[str] = ()) -> str:
        """The record of a match that is over, from what is stored; BadRecord says why there is none.

        It leaves out how those described their moves who are `muted`.
        """
        lines, _ = await self.talk.lines(row.id)
        moves = described_in(ChatLine.of(line) for line in lines if line.person not in muted)
        return record_stored(await self._box(_game_of(row), row), row, moves)

    async def _replay(self, table: str) -> Table:
        await self.owners.take(table)
        found = await self.peek(table)
        found.ring = self.bell.ring
        return found

    async def peek(self, table: str) -> Table:
        """A table as it is stored, to look at and no more: another process may have it."""
        row = await self.store.load(table)
        if row is None:
            raise TableNotFound("There is no such table; perhaps the link was cut off.")
        box = await self._box(_game_of(row), row)
        kept, (lines, applause) = await self.store.chapters(table), await self.talk.lines(table)
        found = await asyncio.to_thread(_rebuild, box, row, kept, self.settings)
        if row.over:
            await self._learn_moves(found)
        found.chat = ChatLog([ChatLine.of(line, applause.get(line.number, frozenset())) for line in lines])
        return found

    async def _learn_moves(self, table: Table) -> None:
        """What its rated match moved, and who of those stands on leaderboards now."""
        if table.terms.rated:
            table.tell_moves(await self.ratings.moves(table.id))

    async def _box(self, game: Game, row: TableRow) -> Box:
        """The game of a table as it was opened: with its options, and content that somebody brought."""
        content, options = None, msgspec.json.decode(row.options)
        toml = await self.store.content(row.content) if row.content else None
        try:
            if toml is not None:
                content = await self.contents.read(game, toml, len(row.seats), options)
            return game.box(options, content)
        except (BadOption, BadContent) as problem:
            raise BadRecord(f"This server cannot read the rules that this table was opened with: {problem}") from None


def _game_of(row: TableRow) -> Game:
    """What is played at a table; BadRecord if it was another version."""
    game = find_game(row.game)
    if row.game_version != game.version:
        raise BadRecord(
            f"This table is from version {row.game_version} of {game.title}; here is version {game.version}."
        )
    return game


def _rebuild(box: Box, row: TableRow, kept: Sequence[bytes], settings: Settings) -> Table:
    try:
        return Table.replayed(row, Match.deal(box, len(row.seats), row.seed), kept, settings.secret, settings.now)
    except ChoiceError as problem:
        raise BadRecord(f"This table holds a choice that is not legal: {problem}") from None


def _opened(future: asyncio.Future[Table]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
