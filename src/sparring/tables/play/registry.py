"""Table registry: load tables from the database on demand, keep them in memory, and evict idle ones.

Several processes may have a table in memory, and none owns it. Each applies what the others have written: when it
learns of that (`other_processes.py`), before it returns the table, and when a write of its own comes too late.

Who is at a table sees its new state, with a sentence about the change (`announcement`), and other open pages fetch what
is new (`TableNotifications`).
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import msgspec

from sparring.engine.errors import SparringError
from sparring.engine.match import Match
from sparring.engine.messages import say
from sparring.people.notifications import OutgoingMessages
from sparring.settings import Settings
from sparring.store.change_store import DELETED, ChangeStore, TableVersions
from sparring.store.database import Database
from sparring.store.notifications import OutboxStore
from sparring.tables.state.changes import TableChange, announcement
from sparring.tables.state.players import Player
from sparring.tables.state.presence import Presence
from sparring.tables.state.table import Table

from .loading import TableLoader, TableNotFound

#: How long a take-back waits until streams have taken what it removes (seconds); slower ones never see that.
LONGEST_WAIT = 0.5


class ServerClosing(SparringError):
    """The server is shutting down."""

    status = 503


class NotificationListener:
    """One listener for changes at a person's tables."""

    def __init__(self) -> None:
        #: Changed tables since the last call of `take`, in order.
        self._tables: dict[str, None] = {}
        self._changed = asyncio.Event()

    def add(self, table: str) -> None:
        """Queue a change of a table."""
        self._tables[table] = None
        self._changed.set()

    async def take(self) -> list[str]:
        """Wait for changes and return the ids of the changed tables."""
        await self._changed.wait()
        tables = list(self._tables)
        self._tables.clear()
        self._changed.clear()
        return tables


class TableNotifications:
    """The listeners of one process, on other pages of the people at a table."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[NotificationListener]] = {}

    @contextmanager
    def listen(self, person: str) -> Iterator[NotificationListener]:
        """Register a listener for a person while the block runs."""
        listener = NotificationListener()
        self._listeners.setdefault(person, set()).add(listener)
        try:
            yield listener
        finally:
            self._listeners[person].discard(listener)
            if not self._listeners[person]:
                del self._listeners[person]

    def notify(self, table: Table) -> None:
        """Notify everyone who plays at a table."""
        if self._listeners:
            for player in table.players:
                for listener in self._listeners.get(player.person, ()):
                    listener.add(table.id)


class TableRegistry:
    """The tables in memory. The database holds all tables; those in use are cached here."""

    def __init__(self, settings: Settings, store: Database) -> None:
        self.settings = settings
        self.store = store
        self.loader = TableLoader(settings, store)
        self.changes = ChangeStore(store)
        self.notifications = TableNotifications()
        self.outgoing = OutgoingMessages(settings, OutboxStore(store))
        self.presences: dict[str, Presence] = {}
        #: The ids of tables that stay in memory, since a bot plays there.
        self.busy: Collection[str] = ()
        #: Called when a table comes into memory.
        self.on_open: Callable[[str], None] = lambda _: None
        #: Called when a table is asked for (its bot may be next), and when anyone has arrived or left.
        self.on_get: Callable[[Table], None] = lambda _: None
        self.on_presence: Callable[[Table], None] = lambda _: None
        #: Called with the time at which something is due at a table (ms since 1970), or None.
        self.on_due: Callable[[str, int | None], None] = lambda *_: None
        self._open: dict[str, asyncio.Future[Table]] = {}
        self._closed = False

    def now(self) -> int:
        """Return the time in milliseconds since 1970."""
        return int(1000 * self.settings.now())

    async def get(self, table: str, *, newest: bool = True) -> Table:
        """Return a table by its id, replayed from the database if it isn't in memory.

        It is no older than its rows there; unless `newest`, it may be until the listener has applied their changes.
        Raises TableNotFound, ServerClosing, or BadRecord if this server can't read the table.
        """
        if self._closed:
            raise ServerClosing(say("The server is shutting down. Please try again when it is back."))
        if newest and table in self._open and self.store.shared:
            await self.refresh([table])
        if table not in self._open:
            self._make_room()
            self._open[table] = asyncio.ensure_future(self._load(table))
            self._open[table].add_done_callback(lambda done: _opened(done) or self._open.pop(table, None))
            self.on_open(table)
        found = await asyncio.shield(self._open[table])
        found.looked_at = time.monotonic()
        self.on_get(found)
        return found

    async def _load(self, table: str) -> Table:
        found = await self.loader.load(table)
        found.notify_players = self.notifications.notify
        found.left_to_others = self.store.shared
        return found

    def register(self, table: Table) -> None:
        """Keep a new table in memory, so that it needn't be read back from the database."""
        loaded: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
        loaded.set_result(table)
        table.notify_players = self.notifications.notify
        self._make_room()
        self._open[table.id] = loaded
        self.on_open(table.id)

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
        return [table for table in self.in_memory() if table.id not in self.busy and not table.lock.locked()]

    def find(self, table: str) -> Table | None:
        """Return a table by its id if it is in memory."""
        future = self._open.get(table)
        return future.result() if future is not None and _opened(future) else None

    def in_memory(self) -> list[Table]:
        """Return the tables in memory."""
        return [future.result() for future in self._open.values() if _opened(future)]

    def attended_tables(self) -> list[str]:
        """Return the ids of unfinished public tables with at least one player present."""
        oldest = time.monotonic() - self.settings.absent / 3
        return [
            table.id for table in self.in_memory()
            if table.settings.public and not table.shown.over
            and (table.attended_at > oldest or table.people & self.presence(table.id).people())
        ]  # fmt: skip

    def refuse_all(self) -> None:
        """Return no more tables, since the server is shutting down."""
        self._closed = True

    async def close(self) -> None:
        """Close the registry and end all event streams."""
        self.refuse_all()
        for table in self.in_memory():
            self.evict(table)
        await self.loader.close()

    def evict(self, table: Table) -> None:
        """Drop a table from memory; its viewers have to ask for it again.

        A table that replaced it in the meantime stays.
        """
        if self.find(table.id) is table:
            del self._open[table.id]
        if not self.presence(table.id).people():
            del self.presences[table.id]
        table.clear()

    # What other processes, or the command line, have written

    async def refresh(self, tables: Iterable[str]) -> None:
        """Bring tables in memory up to date with the database."""
        known = [table for table in tables if table in self._open]
        stored = await self.changes.versions(known) if known else {}
        for table in known:
            await self.follow(table, stored.get(table, DELETED))

    def is_known(self, table: str, stored: TableVersions) -> bool:
        """Return whether a table in memory is as new as these versions, as after a write of this process."""
        found = self.find(table)
        if found is None or stored == DELETED:
            return False
        return found.row_version >= stored.row_version and found.chat.chat_version >= stored.chat_version

    async def follow(self, table: str, stored: TableVersions) -> None:
        """Bring a table, if it is in memory, to the versions that the database has."""
        if table in self._open:
            with contextlib.suppress(SparringError):
                found = await asyncio.shield(self._open[table])
                if found.row_version < stored.row_version or stored == DELETED:
                    async with found.lock:
                        await self.catch_up(found, stored.row_version)
                if found.chat.chat_version < stored.chat_version and not found.cleared:
                    await self.loader.catch_up_chat(found)

    async def catch_up(self, table: Table, row_version: int) -> None:
        """Apply the changes up to a row version, and later ones; the table is locked.

        If they don't lead there one by one, evict the table: viewers who wait for it ask for it again.
        """
        try:
            if not table.cleared and table.row_version < row_version:
                for newer, body in await self.changes.after(table.id, table.row_version):
                    if newer == table.row_version + 1:
                        with contextlib.suppress(msgspec.ValidationError):  # a newer version of the server wrote it
                            await self._apply(table, msgspec.json.decode(body, type=TableChange))
        finally:
            if table.row_version < row_version or row_version == DELETED.row_version:
                self.evict(table)
                self.notifications.notify(table)

    async def _apply(self, table: Table, change: TableChange) -> None:
        player = None
        if change.kind == "seat":
            if (row := await self.changes.seat(table.id, change.seats[0])) is None:
                raise TableNotFound(say("This table was deleted."))
            # What the row says of later changes follows with them.
            player = replace(Player.read(row), forfeits=False, auto_choices=False, screen_asked=None)
        match = table.applied(change)
        if match.over or change.ended:
            await self.loader.load_rating_changes(table)
        await self.publish(table, change, match, player)
        table.left_to_others = True
        if change.challenge:
            await self.loader.load_challenge(table)

    async def publish(self, table: Table, change: TableChange, match: Match, player: Player | None = None) -> None:
        """Show a change that has been written, here or elsewhere (`Table.publish`), and announce it to those here."""
        if change.kind == "taken back":  # others must not notice, also not by the time that it takes
            await table.wait_for_readers(table.seen_by(change), LONGEST_WAIT)
        before = table.players
        table.publish(change, match, player)
        table.left_to_others = False
        if change.timing:
            self.on_due(table.id, change.timing.due)
        sentence = announcement(change, before, table.players)
        if sentence is not None and self.find(table.id) is table:
            self.presence(table.id).announce(sentence=sentence)


def _opened(future: asyncio.Future[Table]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
