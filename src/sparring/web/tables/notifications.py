"""Notify people on any page when a table of theirs changes. They look there what it is."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from .table import Table


class NotificationListener:
    """One listener for changes at a person's tables."""

    def __init__(self) -> None:
        #: Changed tables since the last call of `take`, in order.
        self._rung: dict[str, None] = {}
        self._ringing = asyncio.Event()

    def add(self, table: str) -> None:
        """Queue a change of a table."""
        self._rung[table] = None
        self._ringing.set()

    async def take(self) -> list[str]:
        """Wait for changes and return the ids of the changed tables."""
        await self._ringing.wait()
        rung = list(self._rung)
        self._rung.clear()
        self._ringing.clear()
        return rung


class TableNotifications:
    """The notifications of one process."""

    def __init__(self) -> None:
        self._ears: dict[str, set[NotificationListener]] = {}

    @contextmanager
    def listen(self, person: str) -> Iterator[NotificationListener]:
        """Register a listener for a person while the block runs."""
        ear = NotificationListener()
        self._ears.setdefault(person, set()).add(ear)
        try:
            yield ear
        finally:
            self._ears[person].discard(ear)
            if not self._ears[person]:
                del self._ears[person]

    def notify(self, table: Table) -> None:
        """Notify everyone who plays at a table."""
        if self._ears:
            for sitter in table.players:
                for ear in self._ears.get(sitter.person, ()):
                    ear.add(table.id)
