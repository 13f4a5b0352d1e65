"""Rate limits for what is expensive or could be used for guessing, per person and address, shared by all processes.

If that fails, each process's own limits stay in force: a client can do as much at each process, but isn't locked
out. What couldn't be published is published later.
"""

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, fields

from sparring.engine.errors import SparringError
from sparring.engine.messages import say
from sparring.settings import Limits
from sparring.store.networks import keyed_networks, neighbourhood, shares, stored_shares
from sparring.store.processes import RateLimitStore, RateLimitUse

log = logging.getLogger(__name__)

HOUR = 3600.0
#: Key prefixes of addresses and people.
ADDRESS, PERSON = "from ", "by "
#: Above this number of keys, drop those with a full allowance (and then above twice the number of the others).
MAX_KEYS = 1000
#: The rounding error of sums of seconds since 1970.
SLACK = 1e-3

#: Why a client may not do more of a kind now, and why it has to wait for the next one.
DONE_TOO_OFTEN = {
    "tables": "You have created too many tables in a short time.",
    "sets": "You have created too many sets in a short time.",
    "set_edits": "You have made too many changes in a short time.",
    "pictures": "You have uploaded too many images in a short time.",
    "content_files": "You have uploaded too many files in a short time.",
    "records": "You have uploaded too many matches in a short time.",
    "reviews": "You have requested too many reviews in a short time.",
    "hints": "You have asked for too many hints in a short time.",
    "friend_requests": "You have sent too many friend requests in a short time.",
    "challenges": "You have sent too many challenges in a short time.",
    "tokens": "You have created too many tokens in a short time.",
    "chat_lines": "You have sent too many messages in a short time.",
    "chat_reports": "You have sent too many reports in a short time.",
    "moderation": "You have done or searched too much in a short time.",
}
PAUSE = "Please wait a moment before the next one."
#: Why a client may not do more of other kinds.
REFUSALS = {
    "api_calls": (
        "This token has made too many requests in a short time. Please wait a moment, or use an event stream."
    ),
    "accounts": "Too many accounts have been created from your network. Please try again later.",
    "sign_ins": "There were too many sign-in attempts in a short time. Please wait a moment.",
    "names": (
        "There were too many attempts to sign in with this name. Please wait a moment, or use a passkey, a recovery "
        "code, or a browser where you have signed in before."
    ),
    "mails": "You have asked for too many e-mails. Please wait a while.",
    "mails_to": "Too many e-mails were requested for this name or address. Check your inbox, or wait a while.",
    "invitations": "This player has received too many invitations in a short time. Please try again later.",
    "invitations_by_one": "You have invited this player too often in a short time. Please wait a while.",
    "preferences": "You have changed this too often in a short time. Please wait a moment.",
    "exports": "You have downloaded your data too often. Please wait a while before the next download.",
    "stored": (
        "You or your network have saved as much here as is allowed within 30 days. Matches in progress continue; for "
        "anything new, please try again in a few hours."
    ),
}
FULL = (
    "This server's database is full, so nothing new can be saved until its operator makes room. Matches in progress "
    "continue."
)
#: About how many bytes each action adds to the database, besides texts of any length (`RateLimits.add_stored`). These
#: actions need room; others store nothing, or, like signing in, must stay possible.
BYTES = {
    "tables": 4000, "sets": 2000, "set_edits": 100, "records": 500, "reviews": 20_000, "hints": 1000, "accounts": 1000,
    "friend_requests": 300, "challenges": 300, "tokens": 500, "chat_lines": 400, "chat_reports": 500,
    "preferences": 200,
}  # fmt: skip
#: From which part of its limit on a client is logged.
NEARLY = 0.8


def _refusal(kind: str) -> str:
    """Return why a client may not do more of a kind now."""
    return f"{say(DONE_TOO_OFTEN[kind])} {say(PAUSE)}" if kind in DONE_TOO_OFTEN else say(REFUSALS[kind])


class TooMany(SparringError):
    """The client has reached a limit."""

    status = 429


@dataclass(frozen=True)
class Requester:
    """The client: the person, if there is a cookie, and the address. Both are empty for the server itself."""

    person: str = ""
    address: str = ""
    #: The person's `once`.
    once: str = field(default="", compare=False)

    @property
    def keys(self) -> dict[str, int]:
        """Return the keys to count, with multiples of the limit: deleting the cookie doesn't change the address."""
        return _keys(shares(self.address), self.person)

    def creator(self, secret: str) -> str | None:
        """Return keyed digests of the address and its networks to store with tables, good for counting only."""
        return keyed_networks(self.address, secret)


def _keys(networks: Mapping[str, int], person: str) -> dict[str, int]:
    return {**{ADDRESS + each: times for each, times in networks.items()}, **({PERSON + person: 1} if person else {})}


class RateLimit:
    """A rate limit: `at_once` actions in a burst, refilled by `each_hour` per hour.

    An address has `people` times the allowance of a person, and its networks have multiples of that. `named` turns a
    client's key into the key to count.
    """

    def __init__(
        self, at_once: int, each_hour: int, clock: Callable[[], float] = time.monotonic,
        named: Callable[[str], str] = str, people: int = 1,
    ) -> None:  # fmt: skip
        self._at_once = at_once
        self._interval = HOUR / each_hour
        self._clock = clock
        self._named = named
        self._people = people
        #: When each client's allowance will be full again.
        self._full_at: dict[str, float] = {}
        self._most_keys = MAX_KEYS
        #: Use that hasn't been published to other processes (seconds until it recovers); None if there are none.
        self.unpublished: dict[str, float] | None = None

    @property
    def half(self) -> float:
        """Return how long half of the allowance takes to recover (seconds)."""
        return self._at_once * self._interval / 2

    def take(self, keys: Mapping[str, int], actions: int = 1, *, always: bool = False) -> bool:
        """Use actions of each key, if all of them have enough left, or `always`; return whether they had.

        Each key comes with the multiple of the limit that it has.
        """
        now = self._clock()
        costs = {
            self._named(key): actions * self._interval / times / (self._people if key.startswith(ADDRESS) else 1)
            for key, times in keys.items()
        }
        if len(self._full_at) > self._most_keys:
            self._full_at = {key: full for key, full in self._full_at.items() if full > now}
            self._most_keys = max(MAX_KEYS, 2 * len(self._full_at))
        wanted = {key: max(self._full_at.get(key, now), now) + cost for key, cost in costs.items()}
        enough = all(full - now <= 2 * self.half + SLACK for full in wanted.values())
        if not enough and not always:
            return False
        self._full_at.update(wanted)
        if self.unpublished is not None:
            self.unpublished.update({key: self.unpublished.get(key, 0.0) + cost for key, cost in costs.items()})
        return enough

    def used(self, keys: Mapping[str, int]) -> float:
        """Return the largest part of their limit that any of the keys have used."""
        now = self._clock()
        return max((self._full_at.get(self._named(key), now) - now for key in keys), default=0.0) / (2 * self.half)

    def merge(self, key: str, full_at: float) -> None:
        """Set when an allowance will be full again, by the count of all processes plus unpublished use here."""
        self._full_at[key] = full_at + (self.unpublished or {}).get(key, 0.0)


#: All kinds of limits: those with a setting per hour.
EACH_HOUR = "_each_hour"
KINDS = tuple(field.name.removesuffix(EACH_HOUR) for field in fields(Limits) if field.name.endswith(EACH_HOUR))
#: Kinds counted by names and tokens that clients choose, which could look like keys of addresses.
WITHOUT_ADDRESS = ("names", "guesses", "api_calls", "mails_to", "invitations", "invitations_by_one")


class RateLimits:
    """All rate limits of a server. People and addresses appear only as digests that depend on its `secret`."""

    def __init__(self, limits: Limits, secret: str = "", clock: Callable[[], float] = time.time) -> None:
        self._secret, self.clock = secret, clock
        #: Whether the database is full (`server/database_watch.py`).
        self.full = False

        def allowance(kind: str) -> RateLimit:
            return RateLimit(
                getattr(limits, f"{kind}_at_once"), getattr(limits, kind + EACH_HOUR), clock,
                named=lambda who: f"{kind} {_digest(who, secret)}",
                people=1 if kind in WITHOUT_ADDRESS else limits.people_per_address,
            )  # fmt: skip

        self._all = {kind: allowance(kind) for kind in KINDS}

    # Sharing with other processes (`people/rate_limits.py`)

    def share(self, kinds: Collection[str] = KINDS) -> None:
        """Start recording use of some kinds for other processes, and for the time after a restart."""
        for kind in kinds:
            allowance = self._all[kind]
            allowance.unpublished = allowance.unpublished or {}

    def take_unpublished(self) -> dict[str, tuple[float, float]]:
        """Return the use since the last call, with half the allowance for comparison (seconds)."""
        use = dict[str, tuple[float, float]]()
        for allowance in self._all.values():
            if allowance.unpublished:
                use.update({key: (used, allowance.half) for key, used in allowance.unpublished.items()})
                allowance.unpublished = {}
        return use

    def merge(self, full_at: Mapping[str, float]) -> None:
        """Set when rate limits will be full again, as all processes have counted together."""
        for key, full in full_at.items():
            self._all[key.partition(" ")[0]].merge(key, full)

    def take(self, kind: str, client: Requester | str) -> None:
        """Use one action of a kind, by a requester or a name that clients choose; raise TooMany if none is left.

        An action that adds to the database also needs room there.
        """
        if not self._all[kind].take({client: 1} if isinstance(client, str) else client.keys):
            raise TooMany(_refusal(kind))
        if kind in BYTES and not isinstance(client, str):
            if self.full:
                raise TooMany(say(FULL))
            if not self.add_stored(BYTES[kind], client.creator(self._secret), client.person):
                raise TooMany(say(REFUSALS["stored"]))

    def add_stored(self, size: int, creator: str | None, person: str | None, *, always: bool = False) -> bool:
        """Count bytes added to the database for a person and the networks of a creator, if they may add as much.

        What is there already, such as a match that goes on, counts `always`. Nothing that is deleted counts less.
        """
        stored, keys = self._all["stored"], _keys(stored_shares(creator) if creator else {}, person or "")
        enough = stored.take(keys, size, always=always)
        if (used := stored.used(keys)) > NEARLY:
            log.warning("A person or a network has used %d%% of what it may store within 30 days.", 100 * used)
        return enough

    def invite(self, sender: str, recipient: str) -> None:
        """Count an invitation, which is limited for each sender and for all together; raise TooMany at a limit."""
        self.take("invitations_by_one", f"{sender} {recipient}")
        self.take("invitations", recipient)

    def try_password(self, requester: Requester, name: str, device: str = "") -> None:
        """Count an attempt at the password of a sign-in name.

        Each network has its own attempts, so that it can't lock the owner out elsewhere; all networks together are
        limited too. A browser that has signed in with this name before (`device`) has its own attempts instead of both.
        """
        who = device or neighbourhood(requester.address)
        if not self._all["names"].take({f"{name} {who}": 1}) or not (device or self._all["guesses"].take({name: 1})):
            raise TooMany(say(REFUSALS["names"]))


async def check_stored(count: Callable[[str], Awaitable[int]], creator: str, most: int, refusal: str) -> None:
    """Raise TooMany if any network of a creator has `most` stored rows, or the multiple of it that it may have."""
    for network, times in stored_shares(creator).items():
        if await count(network) >= most * times:
            raise TooMany(refusal)


def _digest(who: str, secret: str) -> str:
    """Return a keyed digest of a client, from which no address can be read."""
    return hashlib.blake2b(who.encode(), key=secret.encode()[:64], digest_size=10).hexdigest()


#: What outlasts a restart of a server with a single process: a limit on 30 days.
LASTING = ("stored",)
#: How often a process publishes its use and reads the others' (seconds).
OFTEN = 3.0


class SharedRateLimits:
    """Count together with the other processes of a server, and with itself before a restart."""

    def __init__(self, store: RateLimitStore, rate_limits: RateLimits, kinds: Collection[str] = KINDS) -> None:
        self._store, self._rate_limits = store, rate_limits
        #: Use that hasn't been published yet.
        self._unpublished: dict[str, RateLimitUse] = {}
        self._counting = asyncio.Lock()
        rate_limits.share(kinds)

    async def follow(self) -> None:
        """Exchange counters until the task is cancelled."""
        await self._store.begin(_ms(self._rate_limits.clock()))
        while True:
            await asyncio.sleep(OFTEN)
            await self.count()

    async def count(self) -> None:
        """Publish this process's use and read that of the others; what couldn't be published is retried."""
        async with self._counting:  # else two at once would publish the same use twice
            now = _ms(self._rate_limits.clock())
            for key, (took, half) in self._rate_limits.take_unpublished().items():
                self._unpublished[key] = RateLimitUse(
                    self._unpublished.get(key, RateLimitUse(0, 0)).used + _ms(took), _ms(half)
                )
            if self._unpublished:
                await self._store.use(self._unpublished, now)
                self._unpublished = {}
            full_at = await self._store.nearly_exhausted(now)
            self._rate_limits.merge({key: full / 1000 for key, full in full_at.items()})


def _ms(seconds: float) -> int:
    return round(1000 * seconds)
