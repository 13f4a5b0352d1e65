"""Table registry: load tables from the database on demand, keep them in memory, and evict idle ones."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

import msgspec

from sparring.engine.errors import BadContent, BadOption, BadRecord, ChoiceError, SparringError, UnknownGame
from sparring.engine.game import Box, Game
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.settings import Settings
from sparring.store.accounts.notifications import OutboxStore
from sparring.store.database import Database
from sparring.store.friends.challenge_store import ChallengeStore
from sparring.store.ratings.rating_store import RatingStore
from sparring.store.replay_store import LineStore
from sparring.store.schema import TableRow
from sparring.store.tables.chat_store import ChatStore
from sparring.tables.content.uploads import ContentUploads
from sparring.tables.results.match_history import CannotReplay, KeptMatch
from sparring.tables.state.chat_log import ChatFilter, ChatLine, ChatLog
from sparring.tables.state.clock_record import record_from_row, record_of
from sparring.tables.state.players import Presence
from sparring.tables.state.table import Table
from sparring.tables.state.table_settings import start_of

from .messages import OutgoingMessages, TableNotifications


class TableNotFound(SparringError):
    """The table doesn't exist."""

    status = 404


class ServerClosing(SparringError):
    """The server is shutting down."""

    status = 503


class OnOtherNode(SparringError):
    """Another process owns the table; `where` is its name and address."""

    status = 503

    def __init__(self, process: str, address: str) -> None:
        super().__init__("This table is moving to another process. Please try again in a moment.")
        self.where = process, address


class TableOwnership(Protocol):
    """Decide which process owns which table."""

    #: The name of this process in its cluster; None if it is the only one.
    id: str | None

    async def claim(self, table: str) -> None:
        """Acquire a table; raise OnOtherNode if another process owns it."""


class SoleOwner:
    """Ownership for a single process, which owns every table."""

    id: str | None = None

    async def claim(self, table: str) -> None:
        """Do nothing: this process already owns every table."""


class TableRegistry:
    """The tables in memory. The database holds all tables; those in use are cached here."""

    def __init__(self, settings: Settings, store: Database) -> None:
        self.settings = settings
        self.store = store
        self.chat_store = ChatStore(store)
        self.ratings = RatingStore(store)
        self.challenge_store = ChallengeStore(store)
        self.ownership: TableOwnership = SoleOwner()
        self.contents = ContentUploads()
        self.notifications = TableNotifications()
        self.outgoing = OutgoingMessages(settings, OutboxStore(store))
        self.presences: dict[str, Presence] = {}
        #: The ids of tables that stay in memory, since a bot plays there.
        self.busy: Collection[str] = ()
        #: Called when a table is asked for (its bot may be next), and when anyone has arrived or left.
        self.on_get: Callable[[Table], None] = lambda _: None
        self.on_presence: Callable[[Table], None] = lambda _: None
        self._open: dict[str, asyncio.Future[Table]] = {}
        self._closed = False

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return int(1000 * self.settings.now())

    async def get(self, table: str) -> Table:
        """Return a table by its id, replayed from the database if it isn't in memory.

        Raises TableNotFound, OnOtherNode, ServerClosing, or BadRecord if this server can't read the table.
        """
        if self._closed:
            raise ServerClosing("The server is shutting down. Please try again when it is back.")
        if table not in self._open:
            self._make_room()
            self._open[table] = asyncio.ensure_future(self._replay(table))
            self._open[table].add_done_callback(lambda done: _opened(done) or self._open.pop(table, None))
        found = await asyncio.shield(self._open[table])
        found.looked_at = time.monotonic()
        self.on_get(found)
        return found

    def register(self, table: Table) -> None:
        """Keep a new table in memory, so that it needn't be read back from the database."""
        loaded: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
        loaded.set_result(table)
        table.notify_players = self.notifications.notify
        self._make_room()
        self._open[table.id] = loaded

    def presence(self, table: str) -> Presence:
        """Return the presence tracker of a table."""
        if table not in self.presences:
            self.presences[table] = Presence(
                self.settings.grace, lambda: self._presence_changed(table), self.settings.now
            )
        return self.presences[table]

    def _presence_changed(self, table: str) -> None:
        if current := self.find(table):
            current.wake()
            self.on_presence(current)

    async def evict_idle(self) -> None:
        """Evict tables that had no visitors for a while and run no bot."""
        while True:
            await asyncio.sleep(min(60.0, self.settings.patience))
            oldest = time.monotonic() - self.settings.patience
            for table in self._idle():
                if table.looked_at < oldest:
                    self.evict(table)

    def _make_room(self) -> None:
        """Evict the least recently used table without people here if too many are in memory."""
        if len(self._open) >= self.settings.limits.tables_in_memory:
            empty = [table for table in self._idle() if not self.presence(table.id).here()]
            if empty:
                self.evict(min(empty, key=lambda table: table.looked_at))

    @property
    def count(self) -> int:
        """Return how many tables are in memory."""
        return len(self._open)

    def ids(self) -> set[str]:
        """Return the ids of the tables in memory."""
        return set(self._open)

    def _idle(self) -> list[Table]:
        """Return the tables in memory that have no running bot and aren't locked."""
        return [table for table in self._in_memory() if table.id not in self.busy and not table.lock.locked()]

    def find(self, table: str) -> Table | None:
        """Return a table by its id if it is in memory."""
        future = self._open.get(table)
        return future.result() if future is not None and _opened(future) else None

    def _in_memory(self) -> list[Table]:
        return [future.result() for future in self._open.values() if _opened(future)]

    def attended_tables(self) -> list[str]:
        """Return the ids of unfinished public tables with at least one player present."""
        oldest = time.monotonic() - self.settings.absent / 3
        return [
            table.id for table in self._in_memory()
            if table.settings.public and not table.shown.over
            and (table.attended_at > oldest or table.people & self.presence(table.id).people())
        ]  # fmt: skip

    def evict_all(self) -> None:
        """Evict all tables, since another process may own them by now."""
        for table in self._in_memory():
            self.evict(table)

    def refuse_all(self) -> None:
        """Return no more tables, since the server is shutting down."""
        self._closed = True

    async def close(self) -> None:
        """Close the registry and end all event streams."""
        self.refuse_all()
        self.evict_all()
        await self.contents.close()

    def evict(self, table: Table) -> None:
        """Drop a table from memory; its viewers have to ask for it again.

        A table that replaced it in the meantime stays.
        """
        if self.find(table.id) is table:
            del self._open[table.id]
        if not self.presence(table.id).people():
            del self.presences[table.id]
        table.clear()

    async def reload(self, tables: Iterable[str]) -> None:
        """Reload tables that were changed in the database by something else; waiting viewers ask for them again."""
        for table in tables:
            if table in self._open:
                with contextlib.suppress(SparringError):
                    old = await asyncio.shield(self._open[table])
                    self.evict(old)
                    self.notifications.notify(old)

    async def record(self, row: TableRow, muted: Mapping[str, str]) -> str:
        """Return the record of a finished match from its row; raise BadRecord if it can't be read.

        Leave out move descriptions by people in `muted`.
        """
        lines, _ = await self.chat_store.lines(row.id)
        if any(line.kind == "move" for line in lines):
            return record_of(await self.load_read_only(row.id), ChatFilter(muted=muted))
        return record_from_row(await self._box(_game_of(row), row), row)

    async def _replay(self, table: str) -> Table:
        await self.ownership.claim(table)
        found = await self.load_read_only(table)
        if any(player.open for player in found.players):
            await self.load_challenge(found)
        found.notify_players = self.notifications.notify
        return found

    async def load_read_only(self, table: str) -> Table:
        """Load a table for reading only, without owning it."""
        row = await self.store.load(table)
        if row is None:
            raise TableNotFound("This table doesn't exist. The link may be incomplete, or the table was deleted.")
        checkpoints, (lines, applause) = await self.store.checkpoints(table), await self.chat_store.lines(table)
        try:
            box = await self._box(_game_of(row), row)
            found = await asyncio.to_thread(_rebuild, box, row, checkpoints, self.settings)
        except (BadRecord, UnknownGame) as problem:
            if not row.over:
                raise
            kept = await LineStore(self.store).of(TableRow, table)
            raise CannotReplay(KeptMatch.of_table(row, kept)) from problem
        if row.over:
            await self.load_rating_changes(found)
        found.chat = ChatLog([ChatLine.of(line, applause.get(line.number, frozenset())) for line in lines])
        return found

    async def get_anywhere(self, table: str) -> Table:
        """Return a table, which is for reading only if another process owns it."""
        try:
            return await self.get(table)
        except OnOtherNode:
            return await self.load_read_only(table)

    async def load_challenge(self, table: Table) -> None:
        """Load the challenge that the host of a table has sent to a friend, if it is open or declined."""
        sent = await self.challenge_store.of(table.host, sent=True) if table.host else []
        table.challenge = next((challenge for challenge in sent if challenge.table == table.id), None)

    async def load_rating_changes(self, table: Table) -> None:
        """Load the rating changes of a finished rated match, as far as leaderboards show them now."""
        if table.settings.rated:
            table.set_rating_changes(await self.ratings.changes(table.id))

    async def _box(self, game: Game, row: TableRow) -> Box:
        """Return the rules a table was created with: its options and custom content."""
        content, options = None, msgspec.json.decode(row.options)
        toml = await self.store.content(row.content) if row.content else None
        try:
            if toml is not None:
                content = await self.contents.read(game, toml, len(row.seats), options)
            return game.stored_box(options, content)
        except (BadOption, BadContent) as problem:
            raise BadRecord(f"This server can't read the rules that this table was created with: {problem}") from None


def _game_of(row: TableRow) -> Game:
    """Return the game of a table; raise BadRecord if the table was created with another version."""
    game = find_game(row.game)
    if row.game_version != game.version:
        raise BadRecord(
            f"This table needs version {row.game_version} of {game.title}, but this server has version {game.version}."
        )
    return game


def _rebuild(box: Box, row: TableRow, checkpoints: Sequence[bytes], settings: Settings) -> Table:
    try:
        return Table.replayed(row, Match(start_of(box, row)), checkpoints, settings.secret, settings.now)
    except ChoiceError as problem:
        raise BadRecord(f"This table contains an illegal choice: {problem}") from None


def _opened(future: asyncio.Future[Table]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
