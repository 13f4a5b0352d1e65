"""Tokens by which programs come in: made, shown once, known again, and taken away.

A token ends in a check that only this server can make, so that what was not made here is refused without a look into
the database; whoever comes in by one is remembered, until it is taken away.
"""

import asyncio
import contextlib
import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from weakref import WeakValueDictionary

from sparring.engine.errors import BadBot, SparringError
from sparring.web.identity import Person, TokenGrant, read_name
from sparring.web.random_ids import chance_id
from sparring.web.security.rate_limits import RateLimits, Requester, TooMany
from sparring.web.settings import DAY, Settings
from sparring.web.storage import StoreError, TokenStore
from sparring.web.storage.schema import TokenRow

#: What a token may be allowed to do, and that in words.
SCOPES = {
    "look": "see tables, replays and reviews as you see them, and hear what happens",
    "play": "sit down, choose, take back, play again",
    "talk": "say something at tables, describe moves, mute and report",
    "tables": "open tables",
    "records": "bring records, and ask for reviews",
    "self": "say what you are called and how tables open, and take along all that is yours as a file",
    "lists": "say whether you stand on leaderboards, and whether others see your matches",
    "studio": "read and change your sets",
}
#: What tokens begin with, so that they are found where they were left lying about.
MARK = "sp_"
#: How long the check at the end of a token is, in signs; and of how many tokens is remembered whose they are.
CHECK, KNOWN = 12, 4096
#: For how many days at most a token may be made that ends.
MOST_DAYS = 366


#: How often it is looked whether tokens were taken away by another process, or from the command line (seconds).
OFTEN = 3.0


class BadToken(SparringError):
    """What somebody came with is no token, or one no more."""


class ScopeMissing(SparringError):
    """A token does not allow what is asked."""


class TokenNotFound(SparringError):
    """A token that is to be taken away is not there."""


@dataclass(frozen=True)
class TokenRequest:
    """A token that somebody wants: its name, and what it may do."""

    name: str
    scopes: Collection[str]
    #: For how many days; 0: without an end.
    days: int = 0
    #: Whether a bot of theirs comes in by it, that sits at tables itself.
    bot: bool = False


class Tokens:
    """The tokens of a server."""

    def __init__(self, settings: Settings, store: TokenStore, quotas: RateLimits) -> None:
        self.store, self.quotas, self._limits = store, quotas, settings.limits
        self._keys = [secret.encode()[:64] for secret in (settings.secret, *settings.elder)]
        #: Who comes in by which token, by its digest; None for those that were taken away.
        self._known = OrderedDict[str, Person | None]()
        self._bearers = WeakValueDictionary[str, TokenGrant]()

    async def make(self, person: Person, asked: TokenRequest, asking: Requester) -> str:
        """A new token of a person; nobody can read it anywhere afterwards."""
        name = read_name(asked.name)
        scopes = [scope for scope in SCOPES if scope in asked.scopes]
        if not scopes or len(scopes) != len(set(asked.scopes)):
            raise SparringError(f"Say what the token may do: {', '.join(SCOPES)}.")
        if not 0 <= asked.days <= MOST_DAYS:
            raise SparringError(f"A token ends after 1 to {MOST_DAYS} days, or (0) never.")
        self.quotas.make_token(asking)
        if len(await self.store.of(person.id)) >= self._limits.tokens_each:
            raise TooMany(f"You have {self._limits.tokens_each} tokens, as many as there may be; take one away first.")
        body, key = secrets.token_urlsafe(24), self._keys[0]
        token = f"{MARK}{body}{_check(body, key)}"
        await self.store.add(TokenRow(
            id=secrets.token_urlsafe(9), digest=_digest(token, key), person=person.id, owner=person.name, name=name,
            scopes=" ".join(scopes), bot=chance_id(16) if asked.bot else None,
            expires=int(time.time()) + asked.days * DAY if asked.days else None, used=0,
        ))  # fmt: skip
        return token

    async def read(self, token: str) -> Person:
        """Who comes in by a token; it counts as used."""
        digest = self._digest(token)
        if digest not in self._known:
            self._remember(digest, await self._load(digest))
        self._known.move_to_end(digest)
        person = self._known[digest]
        if person is None or person.by is None or not holds(person):
            raise BadToken("This token has ended or was taken away; make another one at /me/tokens.")
        self.quotas.call(person.by.token)
        await self._use(person.by)
        return person

    def _digest(self, token: str) -> str:
        """What a token is kept by; BadToken if this server never made it."""
        body, check = token.removeprefix(MARK)[:-CHECK], token[-CHECK:].encode()
        for key in self._keys:
            if token.startswith(MARK) and hmac.compare_digest(_check(body, key).encode(), check):
                return _digest(token, key)
        raise BadToken(f"This is no token of this table; one begins with {MARK} and is made at /me/tokens.")

    async def _load(self, digest: str) -> Person | None:
        row = await self.store.load(digest)
        if row is None:
            return None
        bearer = self._bearers.get(row.id) or TokenGrant(
            row.id, frozenset(row.scopes.split()), row.person, (row.owner or "somebody") if row.bot else "",
            row.expires, row.used,
        )  # fmt: skip
        self._bearers[row.id] = bearer
        return Person(row.bot or row.person, row.name if row.bot else row.owner, every_choice=True, by=bearer)

    def _remember(self, digest: str, person: Person | None) -> None:
        self._known[digest] = person
        if len(self._known) > KNOWN:
            self._known.popitem(last=False)

    async def _use(self, bearer: TokenGrant) -> None:
        """Note the day, once a day."""
        day = int(time.time()) // DAY
        if bearer.used != day:
            bearer.used = day
            await self.store.use(bearer.token, day)

    async def bots_of(self, person: Person) -> dict[str, Person]:
        """The bots of a person that can be asked to sit down, by name; the newest one goes by a name that two have."""
        rows: Sequence[TokenRow] = await self.store.of(person.answers) if person.id else ()
        # Where the owner asks from is as near as one comes to where the bot does, until it comes by itself.
        named = {
            row.name: Person(row.bot, row.name, network=person.network, by=_bearer(row))
            for row in reversed(rows)
            if row.bot and (row.expires is None or row.expires > time.time())
        }
        return dict(sorted(named.items()))

    async def bot(self, person: Person, name: str) -> Person:
        """A bot of somebody's by its name."""
        bots = await self.bots_of(person)
        if name not in bots:
            raise BadBot(f"You have no bot called {name}; {_bots(bots)}.")
        return bots[name]

    async def revoke(self, person: Person, token: str) -> None:
        """Take a token of one's own away: it opens nothing from now on, and what goes on by it ends."""
        row = next((row for row in await self.store.of(person.id) if row.id == token), None) if person.id else None
        if row is None:
            raise TokenNotFound("There is no such token of yours.")
        await self._remove(row)

    async def revoke_all(self, person: Person) -> None:
        """Take all tokens of a person away."""
        for row in await self.store.of(person.id):
            await self._remove(row)

    async def _remove(self, row: TokenRow) -> None:
        await self.store.remove(row.id)
        if bearer := self._bearers.get(row.id):
            bearer.ended = True
        self.forget(row.digest)

    async def follow(self) -> None:
        """Look again and again whether tokens that are known here were taken away elsewhere."""
        while True:
            await asyncio.sleep(OFTEN)
            with contextlib.suppress(StoreError):
                await self.learn()

    async def learn(self) -> None:
        """Let go of those that are not there any more, or have another owner now."""
        known = {digest: person.by.owner for digest, person in self._known.items() if person and person.by}
        if known:
            there = await self.store.owners(known)
            for digest, owner in known.items():
                if there.get(digest) != owner:
                    self.forget(digest)

    def forget(self, digest: str) -> None:
        """What goes on by a token ends; whoever comes by it is looked up anew."""
        person = self._known.pop(digest, None)
        if person and person.by:
            person.by.ended = True
            self._bearers.pop(person.by.token, None)


def holds(person: Person) -> bool:
    """Whether what somebody came in by still holds."""
    by = person.by
    return by is None or not (by.ended or (by.expires is not None and by.expires <= time.time()))


def allow(person: Person, scope: str | None) -> None:
    """NoScope if somebody came in by a token that does not allow this (empty: every token does; None: no one)."""
    if person.by and scope is None:
        raise ScopeMissing("No token opens this address, which is for our own pages; /api says what is for programs.")
    if person.by and scope and scope not in person.by.scopes:
        raise ScopeMissing(f"This token does not allow to {SCOPES[scope]}: that is the scope {scope}.")


def _bearer(row: TokenRow) -> TokenGrant:
    """Return as what a bot of somebody sits down that is asked to by its owner."""
    return TokenGrant(row.id, frozenset(), row.person, row.owner or "somebody")


def _bots(names: Collection[str]) -> str:
    return f"yours are {', '.join(names)}" if names else "make a token for one at /me/tokens"


def _check(body: str, key: bytes) -> str:
    return hashlib.blake2b(body.encode(), key=key, digest_size=CHECK // 2, person=b"token check").hexdigest()


def _digest(token: str, key: bytes) -> str:
    return hashlib.blake2b(token.encode(), key=key, digest_size=16, person=b"token").hexdigest()
