"""Recovery codes: each signs its owner in once, when a password or passkey is lost.

A code has 80 bits, so it needs no name and can't be guessed; the database stores only a digest.
"""

import hashlib
import secrets
import time

from sparring.engine.errors import SparringError
from sparring.store.accounts.recovery_store import RecoveryStore
from sparring.store.person import Person
from sparring.store.schema import AccountRow

#: How many codes an account gets.
CODES = 8
#: Crockford's base 32, which leaves out letters that look like digits; the length of a code and of its groups.
ALPHABET, LENGTH, GROUP = "0123456789abcdefghjkmnpqrstvwxyz", 16, 4
#: Letters that people type instead of digits.
ALIKE = str.maketrans("oil", "011")
#: How long a code from the operator is valid (seconds).
RESET_TIME = 24 * 3600


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
