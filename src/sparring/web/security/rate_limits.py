"""How often somebody may ask for what costs much or could be guessed: tables, sets, records, reviews, ways in."""

import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

from sparring.engine.errors import SparringError
from sparring.web.settings import Limits

from .networks import neighbourhood

HOUR = 3600.0
#: What the keys of addresses and of people begin with.
FROM, BY = "from ", "by "
#: Of more than so many those are forgotten whose allowance is full again.
MOST_KNOWN = 1000
#: What sums of seconds since 1970 may be wrong by.
SLACK = 1e-3


class TooMany(SparringError):
    """A limit was reached: the client has or does too much already."""


@dataclass(frozen=True)
class Requester:
    """Who asks: the person, if their browser has a cookie, and from where. Nobody: this server itself."""

    person: str = ""
    address: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """What is counted; who throws the cookie away still comes from the same address."""
        return tuple(f"{kind}{value}" for kind, value in ((FROM, self.address), (BY, self.person)) if value)

    def opener(self, secret: str) -> str | None:
        """How the address is kept with a table: nobody can read it there."""
        if not self.address:
            return None
        return hashlib.blake2b(self.address.encode(), key=secret.encode()[:64], digest_size=16).hexdigest()


class RateLimit:
    """So many at once, and then so many an hour; an address may do `people` times as much as one person.

    Who asks is counted by what `named` makes of them.
    """

    def __init__(
        self, at_once: int, each_hour: int, clock: Callable[[], float] = time.time, named: Callable[[str], str] = str,
        people: int = 1,
    ) -> None:  # fmt: skip
        self._at_once = at_once
        self._each = HOUR / each_hour
        self._clock = clock
        self._named = named
        self._people = people
        #: When the allowance of somebody will be full again.
        self._full_at: dict[str, float] = {}
        #: What was used here and no other process was told (seconds until it comes back); None: there is no other.
        self.untold: dict[str, float] | None = None

    @property
    def half(self) -> float:
        """How long half of it takes to come back (seconds)."""
        return self._at_once * self._each / 2

    def take(self, who: tuple[str, ...]) -> bool:
        """One more for all of these, if each of them may have it."""
        now = self._clock()
        costs = {self._named(each): self._each / (self._people if each.startswith(FROM) else 1) for each in who}
        if len(self._full_at) > MOST_KNOWN:
            self._full_at = {key: full for key, full in self._full_at.items() if full > now}
        wanted = {key: max(self._full_at.get(key, now), now) + cost for key, cost in costs.items()}
        if any(full - now > 2 * self.half + SLACK for full in wanted.values()):
            return False
        self._full_at.update(wanted)
        if self.untold is not None:
            self.untold.update({key: self.untold.get(key, 0.0) + cost for key, cost in costs.items()})
        return True

    def hear(self, key: str, full_at: float) -> None:
        """When somebody's will be full again by what all have used; what was used here meanwhile comes on top."""
        self._full_at[key] = full_at + (self.untold or {}).get(key, 0.0)


#: What is counted: whatever has a limit per hour.
EACH_HOUR = "_each_hour"
KINDS = tuple(field.name.removesuffix(EACH_HOUR) for field in fields(Limits) if field.name.endswith(EACH_HOUR))
#: Counted by names and tokens that people choose, which may look like keys of addresses.
OF_NO_ADDRESS = ("names", "guesses", "api_calls")


class RateLimits:
    """The allowances of everybody at a server. People and addresses are digests here that need its `secret`."""

    def __init__(self, limits: Limits, secret: str = "") -> None:
        def allowance(kind: str) -> RateLimit:
            return RateLimit(
                getattr(limits, f"{kind}_at_once"), getattr(limits, kind + EACH_HOUR),
                named=lambda who: f"{kind} {_digest(who, secret)}",
                people=1 if kind in OF_NO_ADDRESS else limits.people_per_address,
            )  # fmt: skip

        self._all = {kind: allowance(kind) for kind in KINDS}

    # Several processes count together (`many/counting.py`).

    def share(self) -> None:
        """Others are to be told what is used here."""
        for allowance in self._all.values():
            allowance.untold = allowance.untold or {}

    def untold(self) -> dict[str, tuple[float, float]]:
        """What was used here since this was last asked, and how much would be half of the allowance (seconds)."""
        told = dict[str, tuple[float, float]]()
        for allowance in self._all.values():
            if allowance.untold:
                told.update({key: (took, allowance.half) for key, took in allowance.untold.items()})
                allowance.untold = {}
        return told

    def hear(self, full_at: Mapping[str, float]) -> None:
        """When the allowances of some will be full again by what all have used."""
        for key, full in full_at.items():
            self._all[key.partition(" ")[0]].hear(key, full)

    # What somebody may do

    def open_table(self, asking: Requester) -> None:
        """Whether somebody may open one more table."""
        if not self._all["tables"].take(asking.keys):
            raise TooMany("You have opened many tables in a short time; please wait a little before the next one.")

    def begin_set(self, asking: Requester) -> None:
        """Whether somebody may begin one more set."""
        if not self._all["sets"].take(asking.keys):
            raise TooMany("You have begun many sets in a short time; please wait a little before the next one.")

    def edit_set(self, asking: Requester) -> None:
        """Whether somebody may change a set once more."""
        if not self._all["set_edits"].take(asking.keys):
            raise TooMany("You have made very many changes in a short time; please wait a little before the next one.")

    def bring_picture(self, asking: Requester) -> None:
        """Whether somebody may bring one more image."""
        if not self._all["pictures"].take(asking.keys):
            raise TooMany("You have brought many images in a short time; please wait a little before the next one.")

    def bring_file(self, asking: Requester) -> None:
        """Whether somebody may bring one more file."""
        if not self._all["content_files"].take(asking.keys):
            raise TooMany("You have brought many files in a short time; please wait a little before the next one.")

    def bring_record(self, asking: Requester) -> None:
        """Whether somebody may bring one more record."""
        if not self._all["records"].take(asking.keys):
            raise TooMany("You have brought many records in a short time; please wait a little before the next one.")

    def ask_review(self, asking: Requester) -> None:
        """Whether somebody may ask for one more review."""
        if not self._all["reviews"].take(asking.keys):
            raise TooMany("You have asked for many reviews in a short time; please wait a little before the next one.")

    def take_hint(self, asking: Requester) -> None:
        """Whether somebody may take one more hint."""
        if not self._all["hints"].take(asking.keys):
            raise TooMany("You have taken many hints in a short time; please think for yourself for a little while.")

    def make_token(self, asking: Requester) -> None:
        """Whether somebody may make one more token."""
        if not self._all["tokens"].take(asking.keys):
            raise TooMany("You have made many tokens in a short time; please wait a little before the next one.")

    def call(self, token: str) -> None:
        """Whether somebody may ask for something once more by a token."""
        if not self._all["api_calls"].take((token,)):
            raise TooMany("This token was used very often in a short time; please wait a little, or listen to events.")

    def begin_account(self, asking: Requester) -> None:
        """Whether somebody may begin one more account."""
        if not self._all["accounts"].take(asking.keys):
            raise TooMany("Many accounts were begun from where you are; please wait a little before the next one.")

    def sign_in(self, asking: Requester) -> None:
        """Whether somebody may try to come in once more."""
        if not self._all["sign_ins"].take(asking.keys):
            raise TooMany("That was tried many times in a short time; please wait a little before you try again.")

    def try_password(self, asking: Requester, name: str, device: str = "") -> None:
        """Refuse one more try at the password of a sign-in name where there were too many.

        Each network has tries of its own, so that nobody locks the owner out from elsewhere; all networks together are
        slowed down. A browser that has signed in by this name before (`device`) has its own tries instead of both.
        """
        who = device or neighbourhood(asking.address)
        if not self._all["names"].take((f"{name} {who}",)) or not (device or self._all["guesses"].take((name,))):
            raise TooMany(
                "There were many tries to sign in by this name. Please wait a little, or sign in by a passkey, by a "
                "recovery code, or in a browser where you have signed in before."
            )

    def wish(self, asking: Requester) -> None:
        """Whether somebody may say once more what they want of the pages."""
        if not self._all["preferences"].take(asking.keys):
            raise TooMany("You have changed that many times in a short time; please wait a little.")

    def take_along(self, asking: Requester) -> None:
        """Whether somebody may take all their data along once more."""
        if not self._all["exports"].take(asking.keys):
            raise TooMany("You have taken your data along several times; please wait a little before the next time.")

    def say(self, asking: Requester) -> None:
        """Whether somebody may say one more thing at a table."""
        if not self._all["chat_lines"].take(asking.keys):
            raise TooMany("You have said much in a short time; please wait a little before you say more.")

    def report(self, asking: Requester) -> None:
        """Whether somebody may report one more line."""
        if not self._all["chat_reports"].take(asking.keys):
            raise TooMany("You have reported much in a short time; please wait a little before the next report.")


def _digest(who: str, secret: str) -> str:
    """Somebody as they are counted: nobody can read an address there."""
    return hashlib.blake2b(who.encode(), key=secret.encode()[:64], digest_size=10).hexdigest()
