"""Notify people on any page when one of their tables changes. The page then fetches what is new."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

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
