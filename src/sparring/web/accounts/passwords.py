"""Passwords: which ones are taken, and argon2 in threads that are few, because each of them takes much memory."""

import asyncio
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from sparring.engine.errors import SparringError
from sparring.web.security.uploads import Busy
from sparring.web.settings import Limits

T = TypeVar("T")

SHORTEST, LONGEST = 8, 200

#: What one password costs, as OWASP advises where little memory is to be had: 19 MiB, two rounds, about 30 ms.
MEMORY, ROUNDS, LANES = 19 * 1024, 2, 1


class BadPassword(SparringError):
    """A password that is not taken."""


@cache
def common() -> frozenset[str]:
    """What is tried first by whoever guesses: the commonest of eight signs and more, and rows of the keyboard."""
    return frozenset((Path(__file__).parent / "common.txt").read_text(encoding="ascii").split())


def read_password(text: str, *names: str) -> str:
    """A password as it is kept, however it was typed; BadPassword says why it is not taken. `names` are their own."""
    password = unicodedata.normalize("NFKC", text)
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadPassword(f"A password has {SHORTEST} to {LONGEST} signs; this one has {len(password)}.")
    plain = password.casefold()
    if plain in common() or len(set(plain)) < 3 or plain in {name.casefold() for name in names}:
        raise BadPassword("That password is among the first that anybody would try; three or four words are better.")
    return password


class PasswordHasher:
    """Makes hashes of passwords, and compares."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._threads = ThreadPoolExecutor(limits.passwords_at_once, "passwords")
        self._asked = 0
        #: What nobody's password is compared with, so that an unknown name takes as long as a known one.
        self._nobodys = ""

    async def hashed(self, password: str) -> str:
        """The hash that is kept of a password."""
        return await self._work(lambda: _hasher().hash(password))

    async def fit(self, kept: str | None, text: str) -> bool:
        """Whether that is the password of which a hash was kept; None: of nobody's, which takes as long."""
        return await self._work(lambda: self._compared(kept, unicodedata.normalize("NFKC", text[:LONGEST])))

    def _compared(self, kept: str | None, password: str) -> bool:
        from argon2.exceptions import VerifyMismatchError

        self._nobodys = self._nobodys or _hasher().hash("nobody's")
        try:
            _hasher().verify(kept or self._nobodys, password)
        except VerifyMismatchError:
            return False
        return kept is not None

    async def _work(self, work: Callable[[], T]) -> T:
        """Do something in a thread when there is one; Busy if too many wait for that."""
        if self._asked >= self._limits.passwords_at_once + self._limits.passwords_waiting:
            raise Busy("Very many people sign in at this moment; please try again soon.")
        done = asyncio.get_running_loop().run_in_executor(self._threads, work)
        self._asked += 1
        done.add_done_callback(self._finished)  # also if whoever asked has gone away
        return await asyncio.shield(done)

    def _finished(self, _: object) -> None:
        self._asked -= 1

    def close(self) -> None:
        """Let the threads end."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _hasher() -> Any:
    from argon2 import PasswordHasher  # only whoever signs in needs it

    return PasswordHasher(time_cost=ROUNDS, memory_cost=MEMORY, parallelism=LANES)
