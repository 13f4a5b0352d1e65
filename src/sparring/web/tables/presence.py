"""Who is at a table just now: who has gone away and come back, and how many only watch."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: After somebody has come or gone whatever changes in so many seconds is said together: a crowd is a few notices.
TOGETHER = 0.5


class Presence:
    """The people who listen to one table. Whoever stops is away only after a while: a page may just be loaded anew.

    `changed` is called when others have come or gone.
    """

    def __init__(
        self, grace: float = 0.0, changed: Callable[[], None] = lambda: None, now: Callable[[], float] = time.time
    ) -> None:
        self.grace = grace
        self.changed = changed
        self.now = now
        #: How often it was said that something has changed, who came back by that, and what else was told.
        self.changes = 0
        self.back = ""
        self.told = ""
        #: What is still to be said (both), and when.
        self._unsaid: list[tuple[str, str]] = []
        self._pause: asyncio.TimerHandle | None = None
        self._listening = Counter[str]()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        #: When whoever is away went (seconds since 1970).
        self.left: dict[str, float] = {}

    def here(self) -> set[str]:
        """Everybody who is at the table."""
        return {*self._listening, *self._leaving}

    @contextmanager
    def present(self, who: str) -> Iterator[None]:
        """Somebody listens."""
        new = who not in self.here()
        self._listening[who] += 1
        if timer := self._leaving.pop(who, None):
            timer.cancel()
        if new:
            self.say(who if self.left.pop(who, 0) else "")
        try:
            yield
        finally:
            self._listening -= Counter([who])
            if who not in self._listening:
                self._leaving[who] = asyncio.get_running_loop().call_later(self.grace, self._leave, who)

    def sign(self, who: str) -> None:
        """Somebody gives a sign of life, who may not listen."""
        if who not in self.here():
            self.left[who] = self.now()

    def _leave(self, who: str) -> None:
        del self._leaving[who]
        self.left[who] = self.now()
        self.say()

    def say(self, back: str = "", told: str = "") -> None:
        """What is said of the people here has changed; a sentence `told` stands there once."""
        self._unsaid.append((back, told))
        if self._pause is None:
            self._say_all()

    def _say_all(self) -> None:
        """Say what has changed, and be silent for a while."""
        self._pause = None
        if self._unsaid:
            self.back, self.told = (next(filter(None, reversed(said)), "") for said in zip(*self._unsaid, strict=True))
            self._unsaid.clear()
            self.changes += 1
            self._pause = asyncio.get_running_loop().call_later(TOGETHER, self._say_all)
            self.changed()
