"""Keeping people out. The list is read again every few seconds, so that a ban from the command line holds at once."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sparring.engine.errors import SparringError

#: How often bans are read (seconds).
OFTEN = 3.0


class Banned(SparringError):
    """Somebody is kept out by whoever runs the server."""


@dataclass(frozen=True)
class Ban:
    """Until when somebody is kept out (seconds since 1970; none: for good), and what they are told of it."""

    until: int | None = None
    why: str = ""

    @property
    def holds(self) -> bool:
        """Whether it is not over."""
        return self.until is None or self.until > time.time()

    def __str__(self) -> str:
        until = "" if self.until is None else f" until {datetime.fromtimestamp(self.until, UTC):%d %B %Y, %H:%M} UTC"
        return f"Whoever runs this table keeps you out{until}{f': {self.why}' if self.why else ''}."


def key(person: str = "", address: str = "") -> str:
    """How a person, or else a network, is called in the list."""
    return f"person {person}" if person else f"from {address}"


class BanList:
    """Those who are kept out, as far as this process knows."""

    def __init__(self, read: Callable[[], Awaitable[Mapping[str, Ban]]]) -> None:
        self._read = read
        self._known: Mapping[str, Ban] = {}

    def check(self, person: str, address: str) -> None:
        """Whether somebody may come in; nothing is looked up where nobody is kept out."""
        for who in (key(person), key(address=address)) if self._known else ():
            if (ban := self._known.get(who)) and ban.holds:
                raise Banned(str(ban))

    async def learn(self) -> None:
        """Read who is kept out; what cannot be read stays as it was."""
        with contextlib.suppress(SparringError):
            self._known = await self._read()

    async def follow(self) -> None:
        """Read it again and again."""
        while True:
            await self.learn()
            await asyncio.sleep(OFTEN)
