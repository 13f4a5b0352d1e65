"""Limits on event streams, which stay open for as long as a page is: by person, by address, and in all."""

import contextlib
from collections import Counter
from collections.abc import Iterator

from sparring.web.settings import Limits

from .rate_limits import TooMany


class StreamLimits:
    """Counts the event streams that are open."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.by_person: Counter[str] = Counter()
        self.by_address: Counter[str] = Counter()

    def check(self, person: str, address: str) -> None:
        """Raise TooMany unless a person (empty: a stranger) may open one more event stream from an address.

        Streams are counted by both, as a new guest costs nothing.
        """
        if person and self.by_person[person] >= self.limits.streams_each:
            raise TooMany("You look at too many tables at once; close one of them and load this page again.")
        if self.by_address[address] >= self.limits.streams_from:
            raise TooMany("Too many pages are open in your network; close one of them and load this page again.")
        if self.by_address.total() >= self.limits.streams:
            raise TooMany("Too many people look at tables at the moment; please come back soon.")

    @contextlib.contextmanager
    def open(self, person: str, address: str) -> Iterator[None]:
        """Count an event stream while it is open."""
        self.by_person[person] += 1
        self.by_address[address] += 1
        try:
            yield
        finally:
            decrement(self.by_person, person)
            decrement(self.by_address, address)


def decrement(counter: Counter[str], key: str) -> None:
    """Count one fewer, and forget a key whose count is zero."""
    counter[key] -= 1
    if counter[key] <= 0:
        del counter[key]
