"""Who is at a table just now: who has gone away and come back, and how many only watch."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Company:
    """The people who listen to one table. Whoever stops is away only after a while: a page may just be loaded anew.

    `changed` is called when somebody has come or gone.
    """

    def __init__(self, grace: float = 0.0, changed: Callable[[], None] = lambda: None) -> None:
        self.grace = grace
        self.changed = changed
        #: How often something has changed, and who came back by that.
        self.changes = 0
        self.back = ""
        self._listening = Counter[str]()
        self._leaving: dict[str, asyncio.TimerHandle] = {}
        self._left: set[str] = set()

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
            self.say(who if who in self._left else "")
        try:
            yield
        finally:
            self._listening -= Counter([who])
            if who not in self._listening:
                self._leaving[who] = asyncio.get_running_loop().call_later(self.grace, self._leave, who)

    def _leave(self, who: str) -> None:
        del self._leaving[who]
        self._left.add(who)
        self.say()

    def say(self, back: str = "") -> None:
        """What is said of the people here has changed."""
        self.back = back
        self.changes += 1
        self.changed()
