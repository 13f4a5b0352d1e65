"""Limits on open event streams: per person, per address, and in total."""

import contextlib
from collections import Counter
from collections.abc import Iterator

from sparring.people.rate_limits import TooMany
from sparring.settings import Limits
from sparring.store.networks import shares


class StreamLimits:
    """Count the open event streams."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.by_person: Counter[str] = Counter()
        self.by_address: Counter[str] = Counter()

    def check(self, person: str, address: str) -> None:
        """Raise TooMany unless a person (empty: a stranger) may open another event stream from an address.

        Both are counted, since creating guests is free.
        """
        if person and self.by_person[person] >= self.limits.streams_each:
            raise TooMany("You have too many tables open. Close one of them and reload this page.")
        if any(self.by_address[each] >= self.limits.streams_from * times for each, times in shares(address).items()):
            raise TooMany("Too many tables are open in your network. Close one of them and reload this page.")
        if self.by_person.total() >= self.limits.streams:
            raise TooMany("Too many people are watching tables right now. Please try again soon.")

    @contextlib.contextmanager
    def open(self, person: str, address: str) -> Iterator[None]:
        """Count an event stream while it is open."""
        self.by_person[person] += 1
        self.by_address.update(shares(address).keys())
        try:
            yield
        finally:
            decrement(self.by_person, person)
            for each in shares(address):
                decrement(self.by_address, each)


def decrement(counter: Counter[str], key: str) -> None:
    """Decrement a counter and drop keys that reach zero."""
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]
