"""Whether a cookie still counts: the epochs of accounts, remembered so that no request waits for the database."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sparring.web.guard.recent import Recent
from sparring.web.people import Person
from sparring.web.storage import AccountStore

#: Of how many people is remembered whether they have an account, and in which epoch it is.
REMEMBERED = 20_000


class Current(NamedTuple):
    """An account as it stands: its epoch (0: there is no account), and the name its person plays under."""

    epoch: int = 0
    name: str = ""


class Epochs:
    """The epochs of those who came lately."""

    def __init__(self, store: AccountStore, age: float | None = None) -> None:
        self._store = store
        self._known = Recent[Current](REMEMBERED, age)
        self._changes = 0

    async def current(self, person: str, epoch: int = 0) -> Current:
        """The account of a person as it stands; asked of the database when they, or this epoch, are first seen."""
        if person in self._known and self._known[person].epoch >= epoch:
            return self._known[person]
        changes = self._changes
        row = await self._store.load(person=person)
        known = Current(row.epoch, row.name) if row else Current()
        if changes == self._changes:  # what was read while something changed may be old
            self._known[person] = known
        return known

    async def holds(self, person: Person) -> bool:
        """Whether somebody is still who their cookie said; a token has no epoch."""
        if not person.id or person.by is not None:
            return True
        return (await self.current(person.id, person.epoch)).epoch == person.epoch

    async def follow(self) -> None:
        """Where other processes change accounts too, see for all who are here whether they did."""
        await self._known.follow(self._read)

    async def _read(self, people: Sequence[str]) -> Mapping[str, Current]:
        accounts = await self._store.epochs(people)
        return {person: Current(*accounts[person]) if person in accounts else Current() for person in people}

    def forget(self, person: str) -> None:
        """An account was made, changed or deleted, and that is stored."""
        self._changes += 1
        self._known.forget(person)
