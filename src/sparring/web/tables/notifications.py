"""Rings for people, wherever they are, when something has changed at a table of theirs. What it is they see there."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from .table import Table


class NotificationListener:
    """Somebody who listens for the tables at which they sit."""

    def __init__(self) -> None:
        #: The tables at which something happened since they were last taken, in this order.
        self._rung: dict[str, None] = {}
        self._ringing = asyncio.Event()

    def hear(self, table: str) -> None:
        """Something has changed there."""
        self._rung[table] = None
        self._ringing.set()

    async def take(self) -> list[str]:
        """The tables at which something has changed, when there are any."""
        await self._ringing.wait()
        rung = list(self._rung)
        self._rung.clear()
        self._ringing.clear()
        return rung


class TableNotifications:
    """The bell of a server."""

    def __init__(self) -> None:
        self._ears: dict[str, set[NotificationListener]] = {}

    @contextmanager
    def heard(self, person: str) -> Iterator[NotificationListener]:
        """For as long as somebody listens."""
        ear = NotificationListener()
        self._ears.setdefault(person, set()).add(ear)
        try:
            yield ear
        finally:
            self._ears[person].discard(ear)
            if not self._ears[person]:
                del self._ears[person]

    def ring(self, table: Table) -> None:
        """For everybody who sits there."""
        if self._ears:
            for sitter in table.sitters:
                for ear in self._ears.get(sitter.person, ()):
                    ear.hear(table.id)
