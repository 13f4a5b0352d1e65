"""How often somebody may ask for what costs much or could be guessed: tables, sets, records, reviews, ways in."""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass

from sparring.web.settings import Limits

from .door import TooMany

HOUR = 3600.0
#: Of more than so many those are forgotten whose allowance is full again.
MOST_KNOWN = 1000


@dataclass(frozen=True)
class Asking:
    """Who asks: the person, if their browser has a cookie, and from where. Nobody: this server itself."""

    person: str = ""
    address: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """What is counted; who throws the cookie away still comes from the same address."""
        return tuple(f"{kind} {value}" for kind, value in (("from", self.address), ("by", self.person)) if value)

    def opener(self, secret: str) -> str | None:
        """How the address is kept with a table: nobody can read it there."""
        if not self.address:
            return None
        return hashlib.blake2b(self.address.encode(), key=secret.encode()[:64], digest_size=16).hexdigest()


class Allowance:
    """So many at once, and then so many an hour."""

    def __init__(self, at_once: int, each_hour: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._at_once = at_once
        self._each = HOUR / each_hour
        self._clock = clock
        #: When the allowance of somebody will be full again.
        self._full_at: dict[str, float] = {}

    def take(self, keys: tuple[str, ...]) -> bool:
        """One more for all of these, if each of them may have it."""
        now = self._clock()
        if len(self._full_at) > MOST_KNOWN:
            self._full_at = {key: full for key, full in self._full_at.items() if full > now}
        wanted = {key: max(self._full_at.get(key, now), now) + self._each for key in keys}
        if any(full - now > self._at_once * self._each + 1e-9 for full in wanted.values()):
            return False
        self._full_at.update(wanted)
        return True


class Quotas:
    """The allowances of everybody at a server."""

    def __init__(self, limits: Limits) -> None:
        self._tables = Allowance(limits.tables_at_once, limits.tables_each_hour)
        self._sets = Allowance(limits.sets_at_once, limits.sets_each_hour)
        self._edits = Allowance(limits.edits_at_once, limits.edits_each_hour)
        self._pictures = Allowance(limits.pictures_at_once, limits.pictures_each_hour)
        self._records = Allowance(limits.records_at_once, limits.records_each_hour)
        self._reviews = Allowance(limits.reviews_at_once, limits.reviews_each_hour)
        self._tokens = Allowance(limits.tokens_at_once, limits.tokens_each_hour)
        self._calls = Allowance(limits.calls_at_once, limits.calls_each_hour)
        self._files = Allowance(limits.files_at_once, limits.files_each_hour)
        self._accounts = Allowance(limits.accounts_at_once, limits.accounts_each_hour)
        self._names = Allowance(limits.names_at_once, limits.names_each_hour)
        self._sign_ins = Allowance(limits.sign_ins_at_once, limits.sign_ins_each_hour)
        self._takings = Allowance(limits.takings_at_once, limits.takings_each_hour)
        self._lines = Allowance(limits.lines_at_once, limits.lines_each_hour)
        self._reports = Allowance(limits.reports_at_once, limits.reports_each_hour)

    def open_table(self, asking: Asking) -> None:
        """Whether somebody may open one more table."""
        if not self._tables.take(asking.keys):
            raise TooMany("You have opened many tables in a short time; please wait a little before the next one.")

    def begin_set(self, asking: Asking) -> None:
        """Whether somebody may begin one more set."""
        if not self._sets.take(asking.keys):
            raise TooMany("You have begun many sets in a short time; please wait a little before the next one.")

    def edit_set(self, asking: Asking) -> None:
        """Whether somebody may change a set once more."""
        if not self._edits.take(asking.keys):
            raise TooMany("You have made very many changes in a short time; please wait a little before the next one.")

    def bring_picture(self, asking: Asking) -> None:
        """Whether somebody may bring one more image."""
        if not self._pictures.take(asking.keys):
            raise TooMany("You have brought many images in a short time; please wait a little before the next one.")

    def bring_file(self, asking: Asking) -> None:
        """Whether somebody may bring one more file."""
        if not self._files.take(asking.keys):
            raise TooMany("You have brought many files in a short time; please wait a little before the next one.")

    def bring_record(self, asking: Asking) -> None:
        """Whether somebody may bring one more record."""
        if not self._records.take(asking.keys):
            raise TooMany("You have brought many records in a short time; please wait a little before the next one.")

    def ask_review(self, asking: Asking) -> None:
        """Whether somebody may ask for one more review."""
        if not self._reviews.take(asking.keys):
            raise TooMany("You have asked for many reviews in a short time; please wait a little before the next one.")

    def make_token(self, asking: Asking) -> None:
        """Whether somebody may make one more token."""
        if not self._tokens.take(asking.keys):
            raise TooMany("You have made many tokens in a short time; please wait a little before the next one.")

    def call(self, token: str) -> None:
        """Whether somebody may ask for something once more by a token."""
        if not self._calls.take((token,)):
            raise TooMany("This token was used very often in a short time; please wait a little, or listen to events.")

    def begin_account(self, asking: Asking) -> None:
        """Whether somebody may begin one more account."""
        if not self._accounts.take(asking.keys):
            raise TooMany("Many accounts were begun from where you are; please wait a little before the next one.")

    def sign_in(self, asking: Asking, name: str = "") -> None:
        """Whether somebody may try to come in once more; by a name that may not be tried too often by all together."""
        if not self._sign_ins.take(asking.keys) or (name and not self._names.take((name,))):
            raise TooMany("That was tried many times in a short time; please wait a little before you try again.")

    def take_along(self, asking: Asking) -> None:
        """Whether somebody may take all their data along once more."""
        if not self._takings.take(asking.keys):
            raise TooMany("You have taken your data along several times; please wait a little before the next time.")

    def say(self, asking: Asking) -> None:
        """Whether somebody may say one more thing at a table."""
        if not self._lines.take(asking.keys):
            raise TooMany("You have said much in a short time; please wait a little before you say more.")

    def report(self, asking: Asking) -> None:
        """Whether somebody may report one more line."""
        if not self._reports.take(asking.keys):
            raise TooMany("You have reported much in a short time; please wait a little before the next report.")
