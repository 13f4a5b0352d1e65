"""Passwords and recovery codes: which passwords are accepted, argon2 hashing, and codes that sign their owner in once.

Hashing runs in a few threads, since each hash takes much memory. A recovery code has 80 bits, so it needs no name and
can't be guessed; the database stores only a digest.
"""

import asyncio
import hashlib
import secrets
import time
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from sparring.engine.errors import SparringError
from sparring.settings import Limits
from sparring.store.accounts import RecoveryStore
from sparring.store.person import Person
from sparring.store.schema import AccountRow

from .fair_queue import FairQueue

T = TypeVar("T")

SHORTEST, LONGEST = 8, 200

#: The cost of a hash, as OWASP recommends for little memory: 19 MiB, two rounds, about 30 ms.
MEMORY, ROUNDS, LANES = 19 * 1024, 2, 1

#: How many codes an account gets.
CODES = 8
#: Crockford's base 32, which leaves out letters that look like digits; the length of a code and of its groups.
ALPHABET, LENGTH, GROUP = "0123456789abcdefghjkmnpqrstvwxyz", 16, 4
#: Letters that people type instead of digits.
ALIKE = str.maketrans("oil", "011")
#: How long a code from the operator is valid (seconds).
RESET_TIME = 24 * 3600


class BadPassword(SparringError):
    """The password isn't accepted."""


@cache
def common() -> frozenset[str]:
    """Return the passwords that attackers try first: common ones of eight or more characters, and keyboard rows."""
    return frozenset((Path(__file__).parent / "common_passwords.txt").read_text(encoding="ascii").split())


def read_password(text: str, *names: str) -> str:
    """Return a normalized password; raise BadPassword if it isn't accepted. `names` are the person's own."""
    password = unicodedata.normalize("NFKC", text)
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadPassword(f"A password must have {SHORTEST} to {LONGEST} characters, not {len(password)}.")
    plain = password.casefold()
    guessed = {plain, plain.rstrip("0123456789!.?")}  # a common word with digits after it is tried next
    if guessed & common() or len(set(plain)) < 3 or plain in {name.casefold() for name in names}:
        raise BadPassword("This password is easy to guess. Use three or four words instead.")
    return password


class PasswordHasher:
    """Hash and verify passwords."""

    def __init__(self, limits: Limits) -> None:
        self._turns = FairQueue(
            limits.passwords_at_once, most=limits.passwords_waiting,
            busy="Too many people are signing in right now. Please try again soon.",
        )  # fmt: skip
        self._threads = ThreadPoolExecutor(limits.passwords_at_once, "passwords")
        #: The hash to compare with for unknown names, so that they take as long as known ones.
        self._dummy_hash = ""

    async def hashed(self, password: str) -> str:
        """Return the hash of a password."""
        return await self._work(lambda: _hasher().hash(password))

    async def matches(self, stored: str | None, text: str) -> bool:
        """Return whether a password matches a hash; None stands for an unknown name, which takes as long."""
        return await self._work(lambda: self._compare(stored, unicodedata.normalize("NFKC", text[:LONGEST])))

    def _compare(self, stored: str | None, password: str) -> bool:
        from argon2.exceptions import VerifyMismatchError

        self._dummy_hash = self._dummy_hash or _hasher().hash("no account's")
        try:
            _hasher().verify(stored or self._dummy_hash, password)
        except VerifyMismatchError:
            return False
        return stored is not None

    async def _work(self, work: Callable[[], T]) -> T:
        """Run work in a thread; raise Busy if too much is waiting."""

        async def run() -> T:
            async with self._turns.turn():
                return await asyncio.get_running_loop().run_in_executor(self._threads, work)

        return await asyncio.shield(run())  # a cancelled caller's thread runs on, and keeps its place

    def close(self) -> None:
        """Stop the threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _hasher() -> Any:
    from argon2 import PasswordHasher  # only sign-ins need it

    return PasswordHasher(time_cost=ROUNDS, memory_cost=MEMORY, parallelism=LANES)


class BadCode(SparringError):
    """The recovery code is invalid."""

    status = 403


class RecoveryCodes:
    """The recovery codes of a server."""

    def __init__(self, store: RecoveryStore) -> None:
        self.store = store

    async def left(self, person: Person) -> int:
        """Return the number of a person's unused codes."""
        return await self.store.left(person.id) if person.has_account else 0

    async def renew(self, person: Person) -> list[str]:
        """Create new codes for an account, which replace the older ones."""
        codes = [new_code() for _ in range(CODES)]
        await self.store.replace(person.id, [digest_of(code) for code in codes])
        return codes

    async def use(self, code: str) -> AccountRow:
        """Use up a code and return its account; raise BadCode if it is invalid."""
        account = await self.store.use(digest_of(code))
        if account is None:
            raise BadCode("This code is wrong, used or expired. Check it, or try another one.")
        return account

    async def reset(self, account: AccountRow, *, passkeys: bool) -> str:
        """Remove the password or passkeys of an account, and return a code that signs its owner in once."""
        code = new_code()
        until = int(time.time()) + RESET_TIME
        await self.store.reset(account.person, digest_of(code), until, passkeys=passkeys)
        return code


def new_code() -> str:
    """Return a new code, in groups for reading."""
    letters = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
    return "-".join(letters[start : start + GROUP] for start in range(0, LENGTH, GROUP))


def digest_of(code: str) -> str:
    """Return the digest of a code, however it was typed."""
    letters = "".join(filter(str.isalnum, code.casefold())).translate(ALIKE)
    return hashlib.blake2b(letters.encode(), digest_size=16, person=b"recovery code").hexdigest()
