"""Bans and mutes, reread every few seconds so that those from the command line or another process take effect."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sparring.engine.errors import SparringError

from .networks import shares

#: How often bans are reread (seconds).
OFTEN = 3.0
#: The prefixes of banned and of muted people in the list.
BANNED_PERSON, MUTED_PERSON = "person ", "muted "


class Banned(SparringError):
    """The client is banned, or muted and wants to chat."""

    status = 403


@dataclass(frozen=True)
class Ban:
    """A ban or a mute: until when (seconds since 1970; None for ever), and the reason that the person reads."""

    until: int | None = None
    why: str = ""

    @property
    def in_force(self) -> bool:
        """Return whether the ban is in force."""
        return self.until is None or self.until > time.time()

    @property
    def terms(self) -> str:
        """Return the end and the reason, as a sentence ends."""
        until = "" if self.until is None else f" until {datetime.fromtimestamp(self.until, UTC):%d %B %Y, %H:%M} UTC"
        return f"{until}{f': {self.why}' if self.why else ''}."


def key(person: str = "", address: str = "", *, muted: bool = False) -> str:
    """Return the key of a person or a network in the list."""
    return f"{MUTED_PERSON if muted else BANNED_PERSON}{person}" if person else f"from {address}"


def sentence(who: str, ban: Ban) -> str:
    """Return what the person with a key reads."""
    what = "can't chat on" if who.startswith(MUTED_PERSON) else "are banned from"
    return f"You {what} this server{ban.terms}"


class BanList:
    """The bans known to this process."""

    def __init__(self, read: Callable[[], Awaitable[Mapping[str, Ban]]]) -> None:
        self._read = read
        self._known: Mapping[str, Ban] = {}
        self._reading = asyncio.Lock()

    def check(self, person: str, address: str) -> None:
        """Raise Banned if the person, the address or a network of it is banned."""
        self._refuse(key(person), *(key(address=each) for each in shares(address)))

    def check_chat(self, people: Iterable[str]) -> None:
        """Raise Banned if any of these people is muted."""
        self._refuse(*(key(person, muted=True) for person in people))

    def _refuse(self, *who: str) -> None:
        for banned in who if self._known else ():
            if (ban := self._known.get(banned)) and ban.in_force:
                raise Banned(sentence(banned, ban))

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
        async with self._reading:  # the latest to begin is the last to end
            self._known = await self._read()

    async def follow(self) -> None:
        """Reread the bans until the task is cancelled."""
        while True:
            await self.reload()
            await asyncio.sleep(OFTEN)
