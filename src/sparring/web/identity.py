"""Who somebody is: a signed cookie that says which person a browser belongs to, and under which name it plays.

Of somebody with an account it also says in which epoch and when they signed in (`accounts/`).
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from itsdangerous import BadSignature, URLSafeSerializer
from litestar.datastructures import Cookie

from sparring.engine.errors import SparringError

from .random_ids import chance_id

COOKIE = "sparring"
#: The guest that a browser was before somebody signed in, and is again when they sign out.
GUEST = "guest"
#: What somebody wants, in their own browser: `every` choice asked, the tables at which they forfeit.
CHOICES, FORFEITS = "choices", "forfeits"
#: Whether a stranger wants tables as `words`; of everybody else that is kept with the person, and their browser says it
#: only just after they chose (for so many seconds), as another process may not have heard of it yet.
LISTENING, WORDS, PICTURES, JUST_NOW = "listening", "words", "pictures", 10
LONGEST_NAME = 24
#: How long somebody stays signed in (seconds): the server refuses older cookies.
SIGNED_IN = 365 * 24 * 3600

#: Of how many cookies is remembered whose they are.
KNOWN = 4096

#: Signs that count as printable and cannot be seen: fillers, blanks, joiners, selectors of another shape.
INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")


class BadName(SparringError):
    """A name that nobody can be called by."""


@dataclass(eq=False)
class TokenGrant:
    """How a program has come in that speaks for a person: by which token, what it may do, and until when."""

    token: str
    scopes: frozenset[str]
    #: Who answers for what it does.
    owner: str
    #: A bot of somebody sits at tables itself, for all to see that it is one: what its owner is called.
    bot_of: str = ""
    #: When it ends (seconds since 1970), and the day on which it was last used.
    expires: int | None = None
    used: int = 0
    #: Whether the token was taken away.
    ended: bool = False


@dataclass(frozen=True)
class Person:
    """A person: an unguessable id, and a name (empty for somebody who never said it)."""

    id: str = ""
    name: str = ""
    #: Whether they want every table as a page of words.
    listens: bool = False
    #: What the browser says besides: whether they want to be asked also where there is only one choice, and the tables
    #: at which they forfeit.
    every_choice: bool = False
    forfeits: frozenset[str] = frozenset()
    #: A keyed hash of the network from which they ask (`guard/networks.py`); empty: not known.
    network: str = ""
    #: None: their own browser asks.
    by: TokenGrant | None = None
    #: Of somebody with an account: the epoch of their cookie, when they signed in (seconds since 1970), and the session
    #: that began then, which ends when this browser signs out.
    epoch: int = 0
    since: int = 0
    session: str = ""
    #: Whether their cookie is of an epoch that has ended: nobody, until they sign in again.
    signed_out: bool = False

    @property
    def answers(self) -> str:
        """Who answers for what is asked, and what it costs: whose bot this is, or else the person."""
        return self.by.owner if self.by else self.id

    @property
    def known(self) -> bool:
        """Whether they have an account, and not only this browser."""
        return self.epoch > 0


#: Somebody without a cookie, who may watch.
STRANGER = Person()


class IdentityCookie:
    """Reads and writes the signed cookie: signed with one key, and read with older ones too (`Settings.elder`)."""

    def __init__(self, secret: str, elder: Sequence[str] = ()) -> None:
        self._signer = URLSafeSerializer([*reversed(elder), secret], salt="person")  # the last one signs
        self._newest = URLSafeSerializer(secret, salt="person")
        #: Opened once; what was not made here is never remembered, however often it comes.
        self._known = lru_cache(maxsize=KNOWN)(self._opened)

    def read(self, cookie: str | None) -> Person | None:
        """The person a cookie speaks of, a stranger if there is no cookie, None if it is not one of ours."""
        if not cookie:
            return STRANGER
        try:
            return self._known(cookie)
        except (BadSignature, ValueError, TypeError):
            return None

    def is_old(self, cookie: str) -> bool:
        """Whether a cookie was signed with an older key, which will be forgotten some day."""
        return not self._newest.loads_unsafe(cookie)[0]

    def _opened(self, cookie: str) -> Person:
        person, name, *signed = self._signer.loads(cookie)
        # Cookies from before there were sessions go by the second of their sign-in.
        epoch, since, session = [*signed, *signed[1:]][:3] or (0, 0, "")
        return Person(str(person), str(name), epoch=int(epoch), since=int(since), session=str(session))

    def write(self, person: Person, *, secure: bool = False, key: str = COOKIE) -> Cookie:
        """The cookie that says who somebody is; it lasts a year, and no script can read it."""
        signed = [person.epoch, person.since, person.session] if person.known else []
        return Cookie(
            key=key, value=self._signer.dumps([person.id, person.name, *signed]), max_age=SIGNED_IN, httponly=True,
            samesite="lax", secure=secure,
        )  # fmt: skip


def somebody(person: Person) -> Person:
    """The same person; a stranger becomes somebody."""
    return replace(person, id=person.id or chance_id(16))


def named(person: Person, name: str) -> Person:
    """The same person under a name; a stranger becomes somebody."""
    return replace(somebody(person), name=read_name(name))


def one_line(text: str) -> str:
    """What somebody wrote in one line: no control signs, nothing that cannot be seen or turns others around."""
    seen = (sign for sign in text if (sign.isprintable() or sign.isspace()) and not INVISIBLE.match(sign))
    return re.sub(r"\s+", " ", "".join(seen)).strip()


def read_name(text: str) -> str:
    """A name as it is shown: one line, no control signs, not too long."""
    name = one_line(text)
    if not any(unicodedata.category(sign)[0] in "LNPS" for sign in name):  # marks alone have nothing to stand on
        name = ""
    if not name:
        raise BadName("Please say a name, so that the others know who sits there.")
    if len(name) > LONGEST_NAME:
        raise BadName(f"A name has at most {LONGEST_NAME} letters; this one has {len(name)}.")
    return name
