"""Who is at a table now: the people with a connection to it, at this process and at others."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager

from sparring.engine.messages import AnyText
from sparring.settings.secrets import random_id

#: The prefix of the ids of people without an identity, who are never missed.
STRANGER = "stranger "

#: Seconds between two announcements of changes: a crowd that arrives is a few announcements.
ANNOUNCEMENT_INTERVAL = 0.5


class Presence:
    """The people with a connection to one table. They count as away after a grace period, since pages reload.

    Connections to other processes count as these have published them (`play/other_processes.py`). `changed` is
    called when anyone has arrived or left.
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
        self.sentence: AnyText = ""
        #: Pending announcements (person back, sentence), and the timer for them.
        self._pending: list[tuple[str, AnyText]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._connections = Counter[str]()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._elsewhere: Collection[str] = ()
        #: When each absent person left, in seconds since 1970.
        self.left: dict[str, float] = {}

    def here(self) -> set[str]:
        """Return everyone who is connected to this process."""
        return {*self._connections, *self._leaving}

    def people(self) -> set[str]:
        """Return everyone who is at the table."""
        return {*self.here(), *self._elsewhere}

    @contextmanager
    def present(self, who: str) -> Iterator[None]:
        """Count a connection of a person while the block runs; without an id, of a stranger."""
        who = who or f"{STRANGER}{random_id(8)}"  # unlike those at other processes
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
                self._leaving[who] = asyncio.get_running_loop().call_later(self.grace, self._disconnect, who)

    def record_activity(self, who: str) -> None:
        """Record an action by a person who may have no open connection."""
        if who not in self.people():
            self.left[who] = self.now()

    def count_elsewhere(self, people: Collection[str], left: Mapping[str, float]) -> None:
        """Count the people with a connection to another process, and note when others left one or acted there."""
        before, self._elsewhere = self.people(), people
        after = self.people()
        for who in before - after:
            self._leave(who)
        for who in left.keys() - after:
            self.left[who] = max(self.left.get(who, 0), min(left[who], self.now()))
        for who in after - before:
            self.announce(who if self.left.pop(who, 0) else "")

    def _disconnect(self, who: str) -> None:
        del self._leaving[who]
        if who not in self._elsewhere:
            self._leave(who)

    def _leave(self, who: str) -> None:
        if not who.startswith(STRANGER):
            self.left[who] = self.now()
        self.announce()

    def announce(self, back: str = "", sentence: AnyText = "") -> None:
        """Announce a change of presence; a `sentence` is shown once."""
        self._pending.append((back, sentence))
        if self._timer is None:
            self._announce_all()

    def _announce_all(self) -> None:
        """Announce what has changed, then wait before the next announcement."""
        self._timer = None
        if self._pending:
            self.back = next((back for back, _ in reversed(self._pending) if back), "")
            self.sentence = next((sentence for _, sentence in reversed(self._pending) if sentence), "")
            self._pending.clear()
            self.changes += 1
            self._timer = asyncio.get_running_loop().call_later(ANNOUNCEMENT_INTERVAL, self._announce_all)
            self.changed()
