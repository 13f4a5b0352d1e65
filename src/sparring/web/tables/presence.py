"""Presence: who is at a table, who has left and come back, and how many spectators there are."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Seconds between two announcements of changes: a crowd that arrives is a few announcements.
ANNOUNCEMENT_INTERVAL = 0.5


class Presence:
    """The people with a connection to one table. They are away only after a grace period, as a page may be reloading.

    `changed` is called when anyone has arrived or left.
    """

    def __init__(
        self, grace: float = 0.0, changed: Callable[[], None] = lambda: None, now: Callable[[], float] = time.time
    ) -> None:
        self.grace = grace
        self.changed = changed
        self.now = now
        #: How many announcements there were; who came back and which sentence was shown in the last one.
        self.changes = 0
        self.back = ""
        self.told = ""
        #: Pending announcements (person back, sentence), and the timer for them.
        self._unsaid: list[tuple[str, str]] = []
        self._pause: asyncio.TimerHandle | None = None
        self._listening = Counter[str]()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        #: When each absent person left, in seconds since 1970.
        self.left: dict[str, float] = {}

    def people(self) -> set[str]:
        """Return everyone who is at the table."""
        return {*self._listening, *self._leaving}

    @contextmanager
    def present(self, who: str) -> Iterator[None]:
        """Count a connection of a person while the block runs."""
        new = who not in self.people()
        self._listening[who] += 1
        if timer := self._leaving.pop(who, None):
            timer.cancel()
        if new:
            self.announce(who if self.left.pop(who, 0) else "")
        try:
            yield
        finally:
            self._listening -= Counter([who])
            if who not in self._listening:
                self._leaving[who] = asyncio.get_running_loop().call_later(self.grace, self._leave, who)

    def record_activity(self, who: str) -> None:
        """Record an action by a person who may have no open connection."""
        if who not in self.people():
            self.left[who] = self.now()

    def _leave(self, who: str) -> None:
        del self._leaving[who]
        self.left[who] = self.now()
        self.announce()

    def announce(self, back: str = "", told: str = "") -> None:
        """Announce a change of presence; a sentence `told` is shown once."""
        self._unsaid.append((back, told))
        if self._pause is None:
            self._say_all()

    def _say_all(self) -> None:
        """Announce what has changed, then wait before the next announcement."""
        self._pause = None
        if self._unsaid:
            self.back, self.told = (next(filter(None, reversed(said)), "") for said in zip(*self._unsaid, strict=True))
            self._unsaid.clear()
            self.changes += 1
            self._pause = asyncio.get_running_loop().call_later(ANNOUNCEMENT_INTERVAL, self._say_all)
            self.changed()
