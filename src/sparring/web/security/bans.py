"""Bans, reread every few seconds so that a ban from the command line takes effect."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sparring.engine.errors import SparringError

from .networks import shares

#: How often bans are reread (seconds).
OFTEN = 3.0
#: The prefix of banned people in the list.
BANNED_PERSON = "person "


class Banned(SparringError):
    """The client is banned."""


@dataclass(frozen=True)
class Ban:
    """A ban: until when (seconds since 1970; None for ever), and the operator's reason."""

    until: int | None = None
    why: str = ""

    @property
    def in_force(self) -> bool:
        """Return whether the ban is in force."""
        return self.until is None or self.until > time.time()

    def __str__(self) -> str:
        until = "" if self.until is None else f" until {datetime.fromtimestamp(self.until, UTC):%d %B %Y, %H:%M} UTC"
        return f"The server operator has banned you{until}{f': {self.why}' if self.why else ''}."


def key(person: str = "", address: str = "") -> str:
    """Return the key of a person or a network in the list."""
    return f"{BANNED_PERSON}{person}" if person else f"from {address}"


class BanList:
    """The bans known to this process."""

    def __init__(self, read: Callable[[], Awaitable[Mapping[str, Ban]]]) -> None:
        self._read = read
        self._known: Mapping[str, Ban] = {}

    def check(self, person: str, address: str) -> None:
        """Raise Banned if the person, the address or a network of it is banned."""
        who = (key(person), *(key(address=each) for each in shares(address)))
        for banned in who if self._known else ():
            if (ban := self._known.get(banned)) and ban.in_force:
                raise Banned(str(ban))

    def is_banned(self, people: Iterable[str], address: str) -> bool:
        """Return whether any of these people or the address is banned."""
        try:
            for person in people:
                self.check(person, address)
        except Banned:
            return True
        return False

    async def reload(self) -> None:
        """Reread the bans."""
        self._known = await self._read()

    async def follow(self) -> None:
        """Reread the bans until the task is cancelled."""
        while True:
            await self.reload()
            await asyncio.sleep(OFTEN)
