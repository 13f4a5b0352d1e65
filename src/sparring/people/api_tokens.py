"""API tokens: created, shown once, verified, and revoked.

A token ends in a checksum that only this server can make, so forgeries are rejected without a database query. Verified
tokens are cached until they are revoked.
"""

import asyncio
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from weakref import WeakValueDictionary

from sparring.engine.errors import BadBot, SparringError
from sparring.people.identity import read_name
from sparring.people.rate_limits import RateLimits, Requester, TooMany
from sparring.settings import DAY, Settings
from sparring.settings.secrets import random_id
from sparring.store.accounts import TokenStore
from sparring.store.person import Person, TokenGrant
from sparring.store.schema import TokenRow

#: The scopes of tokens, and what each allows.
SCOPES = {
    "look": "see tables, replays and reviews as you see them, and receive events",
    "play": "take a seat, make and take back choices, and ask for a rematch",
    "chat": "chat at tables, describe moves, mute and report, and change your list of friends",
    "tables": "create tables",
    "records": "upload records, and request reviews",
    "self": "set your name and how tables open, and download your data",
    "lists": "set whether leaderboards list you, and whether others see your matches",
    "studio": "read and change your sets",
}
#: The prefix of tokens, so that leaked ones can be found.
PREFIX = "sp_"
#: The length of the checksum in characters, and how many tokens to cache.
CHECKSUM, CACHED = 12, 4096
#: The longest lifetime of a token that expires, in days.
MOST_DAYS = 366

#: How often to check for tokens that were revoked elsewhere (seconds).
OFTEN = 3.0


class BadToken(SparringError):
    """The token is unknown, revoked or expired."""

    status = 401


class ScopeMissing(SparringError):
    """The token lacks a scope."""

    status = 403


class TokenNotFound(SparringError):
    """The token to revoke doesn't exist."""

    status = 404


@dataclass(frozen=True)
class TokenRequest:
    """A request for a new token: its name and scopes."""

    name: str
    scopes: Collection[str]
    #: The lifetime in days; 0 for no expiry.
    days: int = 0
    #: Whether it is for a bot that takes seats itself.
    bot: bool = False


class Tokens:
    """The API tokens of a server."""

    def __init__(self, settings: Settings, store: TokenStore, rate_limits: RateLimits) -> None:
        self.store, self.rate_limits, self._limits = store, rate_limits, settings.limits
        self._keys = [secret.encode()[:64] for secret in (settings.secret, *settings.older_secrets)]
        #: Persons by the digest of their token; None for revoked ones.
        self._people = OrderedDict[str, Person | None]()
        self._bearers = WeakValueDictionary[str, TokenGrant]()

    async def make(self, person: Person, asked: TokenRequest, requester: Requester) -> str:
        """Create a token and return it; afterwards it can't be read anywhere."""
        name = read_name(asked.name)
        scopes = [scope for scope in SCOPES if scope in asked.scopes]
        if not scopes or len(scopes) != len(set(asked.scopes)):
            raise SparringError(f"Choose at least one scope: {', '.join(SCOPES)}.")
        if not 0 <= asked.days <= MOST_DAYS:
            raise SparringError(f"A token must expire after 1 to {MOST_DAYS} days, or never (0 days).")
        self.rate_limits.take("tokens", requester)
        if len(await self.store.of(person.id)) >= self._limits.tokens_each:
            raise TooMany(f"You have {self._limits.tokens_each} tokens, the maximum. Revoke one first.")
        body, key = secrets.token_urlsafe(24), self._keys[0]
        token = f"{PREFIX}{body}{_checksum(body, key)}"
        await self.store.add(TokenRow(
            id=secrets.token_urlsafe(9), digest=_digest(token, key), person=person.id, owner=person.name, name=name,
            scopes=" ".join(scopes), bot=random_id(16) if asked.bot else None,
            expires=int(time.time()) + asked.days * DAY if asked.days else None, used=0,
        ), person)  # fmt: skip
        return token

    async def read(self, token: str) -> Person:
        """Return the person of a token, and record its use. Raise BadToken or TooMany."""
        digest = self._digest(token)
        if digest not in self._people:
            self._remember(digest, await self._load(digest))
        self._people.move_to_end(digest)
        person = self._people[digest]
        if person is None or person.token is None or not person.may_act:
            raise BadToken("This token has expired or was revoked. Create another one at /me/tokens.")
        self.rate_limits.take("api_calls", person.token.token)
        await self._use(person.token)
        return person

    def _digest(self, token: str) -> str:
        """Return the digest that identifies a token; raise BadToken if this server never made it."""
        body, check = token.removeprefix(PREFIX)[:-CHECKSUM], token[-CHECKSUM:].encode()
        for key in self._keys:
            if token.startswith(PREFIX) and hmac.compare_digest(_checksum(body, key).encode(), check):
                return _digest(token, key)
        raise BadToken(f"This isn't a token of this server. Tokens start with {PREFIX}; create one at /me/tokens.")

    async def _load(self, digest: str) -> Person | None:
        row = await self.store.load(digest)
        if row is None:
            return None
        bearer = self._bearers.get(row.id) or TokenGrant(
            row.id, frozenset(row.scopes.split()), row.person, (row.owner or "a guest") if row.bot else "",
            row.expires, row.used,
        )  # fmt: skip
        self._bearers[row.id] = bearer
        return Person(row.bot or row.person, row.name if row.bot else row.owner, every_choice=True, token=bearer)

    def _remember(self, digest: str, person: Person | None) -> None:
        self._people[digest] = person
        if len(self._people) > CACHED:
            self._people.popitem(last=False)

    async def _use(self, bearer: TokenGrant) -> None:
        """Record the day of the last use, once a day."""
        day = int(time.time()) // DAY
        if bearer.used != day:
            bearer.used = day
            await self.store.use(bearer.token, day)

    async def bots_of(self, person: Person) -> dict[str, Person]:
        """Return a person's bots by name; if two have the same name, the newer one."""
        rows: Sequence[TokenRow] = await self.store.of(person.responsible) if person.id else ()
        # Until the bot connects itself, its owner's network is the best guess.
        named = {
            row.name: Person(
                row.bot, row.name, network=person.network, token=_bearer(row), blocked_by=person.blocked_by
            )
            for row in reversed(rows)
            if row.bot and (row.expires is None or row.expires > time.time())
        }
        return dict(sorted(named.items()))

    async def bot(self, person: Person, name: str) -> Person:
        """Return a person's bot by its name; raise BadBot if there is none."""
        bots = await self.bots_of(person)
        if name not in bots:
            raise BadBot(f"You have no bot called {name}. {_bots(bots)}")
        return bots[name]

    async def revoke(self, person: Person, token: str) -> None:
        """Revoke one of a person's own tokens; its streams end."""
        row = next((row for row in await self.store.of(person.id) if row.id == token), None) if person.id else None
        if row is None:
            raise TokenNotFound("You have no such token.")
        await self._remove(row)

    async def revoke_all(self, person: Person) -> None:
        """Revoke all tokens of a person."""
        for row in await self.store.of(person.id):
            await self._remove(row)

    async def _remove(self, row: TokenRow) -> None:
        await self.store.remove(row.id)
        if bearer := self._bearers.get(row.id):
            bearer.ended = True
        self.forget(row.digest)

    async def follow(self) -> None:
        """Check regularly for tokens that were revoked elsewhere."""
        while True:
            await asyncio.sleep(OFTEN)
            await self.refresh()

    async def refresh(self) -> None:
        """End tokens in use that were revoked, and their streams."""
        bearers = dict(self._bearers)
        valid = await self.store.valid(bearers) if bearers else ()
        for token, bearer in bearers.items():
            bearer.ended = bearer.ended or token not in valid

    def forget(self, digest: str) -> None:
        """Drop a cached token and end its streams."""
        person = self._people.pop(digest, None)
        if person and person.token:
            person.token.ended = True
            self._bearers.pop(person.token.token, None)


def check_scope(person: Person, scope: str | None) -> None:
    """Raise ScopeMissing if the person uses a token without this scope (empty: no scope needed; None: no tokens)."""
    if person.token and scope is None:
        raise ScopeMissing("Tokens can't use this address. /api lists what programs can use.")
    if person.token and scope and scope not in person.token.scopes:
        raise ScopeMissing(f"This token lacks the scope {scope}: {SCOPES[scope]}.")


def _bearer(row: TokenRow) -> TokenGrant:
    """Return the access of a bot that its owner seats: no scopes, since the bot isn't connected."""
    return TokenGrant(row.id, frozenset(), row.person, row.owner or "a guest")


def _bots(names: Collection[str]) -> str:
    return f"Your bots: {', '.join(names)}." if names else "Create a token for one at /me/tokens."


def _checksum(body: str, key: bytes) -> str:
    return hashlib.blake2b(body.encode(), key=key, digest_size=CHECKSUM // 2, person=b"token check").hexdigest()


def _digest(token: str, key: bytes) -> str:
    return hashlib.blake2b(token.encode(), key=key, digest_size=16, person=b"token").hexdigest()
