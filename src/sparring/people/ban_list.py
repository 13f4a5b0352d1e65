"""The bans and mutes in force, reread every few seconds so that those from elsewhere take effect."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping

from sparring.engine.errors import SparringError
from sparring.store.moderation import Ban, key, sentence
from sparring.store.networks import shares

#: How often bans are reread (seconds).
OFTEN = 3.0


class Banned(SparringError):
    """The client is banned, or muted and wants to chat."""

    status = 403


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
