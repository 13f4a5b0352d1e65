"""What others have changed at tables that this process has, other processes or the command line: it reads them anew."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from sparring.engine.errors import SparringError
from sparring.web.storage import NoticeStore

#: How often a process looks for notices (seconds): one of several, and one that is alone.
OFTEN, ALONE = 0.5, 2.0


class Hearing:
    """Hears the notices of all processes (`storage/notices.py`), its own as well, which change nothing more."""

    def __init__(
        self, store: NoticeStore, reread: Callable[[list[str]], Awaitable[None]], often: float = OFTEN
    ) -> None:
        self._store, self._reread, self._often = store, reread, often
        self._newest = 0
        self._heard: set[int] = set()
        self._listening = asyncio.Lock()

    async def begin(self) -> None:
        """What was told until now concerns nobody who has no table yet."""
        self._heard = set(await self._store.since(0))
        self._newest = max(self._heard, default=0)

    async def follow(self) -> None:
        """Listen again and again."""
        while True:
            await asyncio.sleep(self._often)
            with contextlib.suppress(SparringError):
                await self.listen()

    async def listen(self) -> None:
        """Hear what is new."""
        async with self._listening:
            found = await self._store.since(self._newest)
            await self._reread([table for number, table in found.items() if number not in self._heard])
            self._heard = set(found)
            self._newest = max(found, default=self._newest)
