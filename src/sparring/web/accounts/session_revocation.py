"""Whether a cookie still counts: epochs and ended sessions, remembered so that no request waits for the database."""

import time

from sparring.web.identity import SIGNED_IN, Person
from sparring.web.security.ttl_cache import TtlCache
from sparring.web.storage import AccountStore
from sparring.web.storage.account_store import CurrentAccount

#: Of how many people is remembered whether they have an account, and in which epoch it is.
REMEMBERED = 20_000


class SessionEpochs:
    """The epochs of those who came lately."""

    def __init__(self, store: AccountStore, age: float | None = None) -> None:
        self._store = store
        self._known = TtlCache[CurrentAccount](REMEMBERED, age)
        self._changes = 0

    async def current(self, person: str, epoch: int = 0) -> CurrentAccount:
        """A person as they stand; asked of the database when they, or this epoch, are first seen."""
        if person in self._known and self._known[person].epoch >= epoch:
            return self._known[person]
        changes = self._changes
        known = (await self._store.current([person]))[person]
        if changes == self._changes:  # what was read while something changed may be old
            self._known[person] = known
        return known

    async def holds(self, person: Person) -> bool:
        """Whether somebody is still who their cookie said; a token has no epoch."""
        if not person.id or person.by is not None:
            return True
        return admits(await self.current(person.id, person.epoch), person)

    async def follow(self) -> None:
        """Where other processes change accounts too, see for all who are here whether they did."""
        await self._known.follow(self._store.current)

    def forget(self, person: str) -> None:
        """An account was made, changed or deleted, and that is stored."""
        self._changes += 1
        self._known.forget(person)

    def forget_all(self) -> None:
        """Look every account up again: the operator changed one from the command line."""
        self._changes += 1
        self._known.clear()


def admits(current: CurrentAccount, person: Person) -> bool:
    """Return whether a cookie counts: its epoch is the account's, its session has not ended, it has not expired."""
    expired = person.known and time.time() - person.since > SIGNED_IN
    return current.epoch == person.epoch and person.session not in current.ended and not expired
