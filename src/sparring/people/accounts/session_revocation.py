"""Session revocation: check cookies against session generations and ended sessions, with a cache."""

import time

from sparring.store.accounts import AccountStore, CurrentAccount
from sparring.store.person import SIGNED_IN, Person
from sparring.store.ttl_cache import TtlCache

#: How many people's sessions to cache.
CACHED = 20_000


class SessionCache:
    """Cached session generations of recent visitors."""

    def __init__(self, store: AccountStore) -> None:
        self._store = store
        self._known = TtlCache[CurrentAccount](CACHED)
        self._changes = 0

    async def current(self, person: str, epoch: int = 0) -> CurrentAccount:
        """Return the current state of a person, from the database if they or this generation are new."""
        if person in self._known and self._known[person].epoch >= epoch:
            return self._known[person]
        changes = self._changes
        state = (await self._store.current([person]))[person]
        if changes == self._changes:  # the result may be outdated if something changed during the query
            self._known[person] = state
        return state

    async def is_valid(self, person: Person) -> bool:
        """Return whether a person's cookie is still valid; a token has no session."""
        if not person.id or person.token is not None:
            return True
        return is_cookie_valid(await self.current(person.id, person.epoch), person)

    async def follow(self) -> None:
        """Refresh cached entries, in case another process or the command line has changed accounts."""
        await self._known.keep_fresh(self._store.current)

    def forget(self, person: str) -> None:
        """Drop a person after their account was created, changed or deleted in the database."""
        self._changes += 1
        self._known.forget(person)


def is_cookie_valid(current: CurrentAccount, person: Person) -> bool:
    """Return whether a cookie is valid: its generation is current, its session hasn't ended, and it hasn't expired."""
    expired = person.has_account and time.time() - person.since > SIGNED_IN
    return current.epoch == person.epoch and person.session not in current.ended and not expired
