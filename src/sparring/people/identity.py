"""Identity: signed cookies with the browser's person and name, known browsers, and sessions that have ended.

For an account, the cookie also contains the session generation and the time of the sign-in (`accounts.py`).

Known browsers have device cookies (OWASP): guessing a password from many networks uses up the attempts of unknown
browsers. Known browsers have separate attempts, so that the owner can still sign in.
"""

import time
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from itsdangerous import BadSignature, URLSafeSerializer
from litestar.datastructures import Cookie

from sparring.engine.errors import SparringError
from sparring.scene.markup import one_line
from sparring.settings.secrets import new_id, random_id
from sparring.store.accounts import AccountStore, CurrentAccount
from sparring.store.person import SIGNED_IN, STRANGER, Person
from sparring.store.ttl_cache import TtlCache

COOKIE = "sparring"
#: The cookie of the guest that a browser was before signing in, and is again after signing out.
GUEST = "guest"
#: The cookie with a person's preference to be asked about `every` choice.
CHOICES = "choices"
#: Whether a stranger wants text mode (`words`). For others the preference is stored with the person, and the browser
#: sends it only for a few seconds after a change, until all processes know it.
TEXT_MODE_COOKIE, WORDS, PICTURES, PROPAGATION_TIME = "listening", "words", "pictures", 10
LONGEST_NAME = 24

#: How many verified cookies to cache.
CACHED = 4096

#: The name in a match of a person who has entered none.
GUEST_NAME = "Guest"


class BadName(SparringError):
    """The name is empty or too long."""


class IdentityCookie:
    """Read and write the signed cookie. Older keys are accepted too (`Settings.older_secrets`)."""

    def __init__(self, secret: str, elder: Sequence[str] = ()) -> None:
        self._signer = URLSafeSerializer([*reversed(elder), secret], salt="person")  # the last one signs
        self._newest = URLSafeSerializer(secret, salt="person")
        #: Caches valid cookies only, however often an invalid one is sent.
        self._cached = lru_cache(maxsize=CACHED)(self._opened)

    def read(self, cookie: str | None) -> Person | None:
        """Return the cookie's person, a stranger without a cookie, or None for an invalid one."""
        if not cookie:
            return STRANGER
        try:
            return self._cached(cookie)
        except (BadSignature, ValueError, TypeError):
            return None

    def is_own(self, cookie: str) -> bool:
        """Return whether this server has signed a cookie."""
        return bool(cookie) and self.read(cookie) is not None

    def is_old(self, cookie: str) -> bool:
        """Return whether a cookie was signed with an older key, which will be dropped some day."""
        return not self._newest.loads_unsafe(cookie)[0]

    def _opened(self, cookie: str) -> Person:
        person, name, *signed = self._signer.loads(cookie)
        # Cookies from before sessions existed use the time of their sign-in as the session.
        epoch, since, session = [*signed, *signed[1:]][:3] or (0, 0, "")
        return Person(str(person), str(name), epoch=int(epoch), since=int(since), session=str(session))

    def write(self, person: Person, *, secure: bool = False, key: str = COOKIE) -> Cookie:
        """Return the cookie for a person: valid for a year, and not readable by scripts."""
        signed = [person.epoch, person.since, person.session] if person.has_account else []
        return Cookie(
            key=key, value=self._signer.dumps([person.id, person.name, *signed]), max_age=SIGNED_IN, httponly=True,
            samesite="lax", secure=secure,
        )  # fmt: skip


def with_id(person: Person) -> Person:
    """Return the person; a stranger gets an id."""
    return replace(person, id=person.id or new_id(16, person.once, "person"))


def with_name(person: Person, name: str) -> Person:
    """Return the person with a name; a stranger also gets an id."""
    return replace(with_id(person), name=read_name(name))


def read_name(text: str) -> str:
    """Return a name as one clean line; raise BadName if it is empty or too long."""
    name = one_line(text)
    if not any(unicodedata.category(char)[0] in "LNPS" for char in name):  # combining marks need another character
        name = ""
    if not name:
        raise BadName("Please enter a name, so that others know who you are.")
    if len(name) > LONGEST_NAME:
        raise BadName(f"A name can have at most {LONGEST_NAME} characters, not {len(name)}.")
    return name


#: The name of the cookie.
DEVICE = "device"


class DeviceCookies:
    """Read and write device cookies: signed with the current key, and read with older ones too."""

    def __init__(self, secret: str, elder: Sequence[str] = ()) -> None:
        self._signer = URLSafeSerializer([*reversed(elder), secret], salt="device")

    def read(self, cookie: str, person: str) -> str:
        """Return the id of a browser that has signed in as this person before; empty for others."""
        owner, device = self._opened(cookie)
        return device if person and owner == person else ""

    def is_own(self, cookie: str) -> bool:
        """Return whether this server has signed a cookie."""
        return bool(self._opened(cookie)[0])

    def _opened(self, cookie: str) -> tuple[str, str]:
        """Return the person and the browser in a cookie; empty if it is invalid."""
        try:
            owner, device = self._signer.loads(cookie)
        except (BadSignature, ValueError, TypeError):
            return "", ""
        return str(owner), str(device)

    def write(self, cookie: str, person: str, *, secure: bool) -> Cookie:
        """Return the cookie of a browser that has signed in as this person; a known browser keeps its id."""
        device = self.read(cookie, person) or random_id(12)
        return Cookie(
            key=DEVICE, value=self._signer.dumps([person, device]), max_age=SIGNED_IN, httponly=True, samesite="lax",
            secure=secure,
        )  # fmt: skip


#: How many people's sessions to cache.
SESSIONS_CACHED = 20_000


class SessionCache:
    """Cached session generations of recent visitors."""

    def __init__(self, store: AccountStore) -> None:
        self._store = store
        self._known = TtlCache[CurrentAccount](SESSIONS_CACHED)
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

    async def verify(self, person: Person) -> Person:
        """Return the current state of a cookie's or token's person; a stranger if the cookie has been revoked."""
        current = await self.current(person.id, person.epoch)
        if person.token is None and not is_cookie_valid(current, person):  # a token has no session
            return replace(STRANGER, signed_out=True)
        owner = await self.current(person.responsible) if person.token else current
        return replace(
            person, name=current.name or person.name, text_mode=bool(current.words), blocked_by=owner.blocked_by,
            moderates=bool(current.role),
        )  # fmt: skip

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
