"""Tell people that something at their table has changed: there, on other pages, by e-mail and by push notification.

Those at the table see the new state, with a sentence about the change (`announcement`), and other open pages fetch what
is new. For people who are away ("your turn" in matches with days per turn, and invitations), messages are only written
to the outbox here; `people/notifications.py` sends them. A turn's is written in the transaction of the
choice that begins it, so that no table waits for a mail server.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from sparring.bots import REPLACEMENT_PREFIX
from sparring.scene.sentences import listed
from sparring.settings import Settings
from sparring.store.group_commit import Work
from sparring.store.notifications import OutboxStore, notify
from sparring.tables.state.changes import TableChange
from sparring.tables.state.players import Player, names_of
from sparring.tables.state.table import Table


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
    """The notifications of one process."""

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


class OutgoingMessages:
    """Notifications from the tables of a server."""

    def __init__(self, settings: Settings, outbox: OutboxStore) -> None:
        self._settings, self._outbox = settings, outbox
        self._ways = [way for way, on in (("mail", settings.mail.on), ("push", settings.push.on)) if on]

    def turn(self, table: Table, seat: int | None, present: set[str]) -> Work | None:
        """Return the write that tells the next player of a match with days per turn; None if no one needs to be told.

        `seat` is the seat whose turn it will be; None if the match ends. People in `present` see the table anyway.
        """
        if not (self._ways and seat) or table.bot_at(seat):
            return None
        person, due = table.players[seat - 1].person, self._due(self._settings.notify_after)
        if not person or person in present:
            return None
        return partial(notify, people=[person], kind="turn", ways=self._ways, table=table.id, due=due)

    def invitation(self, people: Iterable[str], inviter: str, table: str) -> Work | None:
        """Return the write that tells people that someone invites them to a table; `inviter` is the name that they see.

        None if no one needs to be told.
        """
        invited = set(people)
        if not (self._ways and invited):
            return None
        return partial(
            notify, people=invited, kind="invitation", ways=self._ways, table=table, due=self._due(0), text=inviter
        )

    async def invite(self, people: Iterable[str], inviter: str, table: str) -> None:
        """Tell people that someone invites them to a table."""
        if message := self.invitation(people, inviter, table):
            await self._outbox.notify(message)

    def _due(self, seconds: float) -> int:
        return int(1000 * (self._settings.now() + seconds))


def announcement(change: TableChange, before: Sequence[Player], after: Sequence[Player]) -> str | None:
    """Return the sentence about a change, empty if only the list of people is shown again; None without announcement.

    `before` and `after` are the players before and after the change.
    """
    if change.kind == "seat":
        return _seated(change.seats[0], before, after)
    names = [names_of(after)[seat - 1] for seat in change.seats]
    if change.next:
        return f"{listed(names)} {'wants' if len(names) == 1 else 'want'} a rematch."
    if change.kind == "taken back" and change.agreed:
        return f"{names[0]} asked for a new deal." if change.deal else f"{names[0]} took back a choice."
    return "" if change.hint_taken and change.viewers else None  # others see that the seat uses hints, no more


def _seated(seat: int, before: Sequence[Player], after: Sequence[Player]) -> str | None:
    """Return the sentence about a new player, or an open seat."""
    old, new = before[seat - 1], after[seat - 1]
    if new.bot.startswith(REPLACEMENT_PREFIX):
        return ""
    if new.bot:
        return f"{new.name}, a bot, took seat {seat}."
    if old.bot and new.open:
        return f"{old.name}, a bot, left seat {seat}, which is now open."
    others = [player.name for player in before if new.person and player.person == new.person]
    return f"{new.name} took seat {seat}, on the same device as {listed(others)}." if others else None
