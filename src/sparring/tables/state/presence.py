"""Presence: who is at a table, who has left and come back, and how many spectators there are."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Seconds between two announcements of changes: a crowd that arrives is a few announcements.
ANNOUNCEMENT_INTERVAL = 0.5


class Presence:
    """The people with a connection to one table. They count as away after a grace period, since pages reload.

    `changed` is called when anyone has arrived or left.
    """

    def __init__(
        self, grace: float = 0.0, changed: Callable[[], None] = lambda: None, now: Callable[[], float] = time.time
    ) -> None:
        self.grace = grace
        self.changed = changed
        self.now = now
        #: The number of announcements; who came back, and the sentence, in the last one.
        self.changes = 0
        self.back = ""
        self.sentence = ""
        #: Pending announcements (person back, sentence), and the timer for them.
        self._pending: list[tuple[str, str]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._connections = Counter[str]()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        #: When each absent person left, in seconds since 1970.
        self.left: dict[str, float] = {}

    def people(self) -> set[str]:
        """Return everyone who is at the table."""
        return {*self._connections, *self._leaving}

    @contextmanager
    def present(self, who: str) -> Iterator[None]:
        """Count a connection of a person while the block runs."""
        arrived = who not in self.people()
        self._connections[who] += 1
        if timer := self._leaving.pop(who, None):
            timer.cancel()
        if arrived:
            self.announce(who if self.left.pop(who, 0) else "")
        try:
            yield
        finally:
            self._connections -= Counter([who])
            if who not in self._connections:
                self._leaving[who] = asyncio.get_running_loop().call_later(self.grace, self._leave, who)

    def record_activity(self, who: str) -> None:
        """Record an action by a person who may have no open connection."""
        if who not in self.people():
            self.left[who] = self.now()

    def _leave(self, who: str) -> None:
        del self._leaving[who]
        self.left[who] = self.now()
        self.announce()

    def announce(self, back: str = "", sentence: str = "") -> None:
        """Announce a change of presence; a `sentence` is shown once."""
        self._pending.append((back, sentence))
        if self._timer is None:
            self._announce_all()

    def _announce_all(self) -> None:
        """Announce what has changed, then wait before the next announcement."""
        self._timer = None
        if self._pending:
            self.back, self.sentence = (
                next(filter(None, reversed(said)), "") for said in zip(*self._pending, strict=True)
            )
            self._pending.clear()
            self.changes += 1
            self._timer = asyncio.get_running_loop().call_later(ANNOUNCEMENT_INTERVAL, self._announce_all)
            self.changed()
