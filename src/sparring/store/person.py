"""Who acts: a person, or a program on behalf of one."""

import time
from dataclasses import dataclass

#: How long a sign-in lasts (seconds): the server refuses older cookies.
SIGNED_IN = 365 * 24 * 3600


@dataclass(eq=False)
class TokenGrant:
    """A program's access on behalf of a person: its token, scopes and expiry."""

    token: str
    scopes: frozenset[str]
    #: The person who is responsible for it.
    owner: str
    #: The owner's name, if the token is for a bot that takes seats itself.
    bot_of: str = ""
    #: When it expires (seconds since 1970), and the day of its last use.
    expires: int | None = None
    used: int = 0
    #: Whether the token has been revoked.
    ended: bool = False


@dataclass(frozen=True)
class Person:
    """A person: an unguessable id and a name, which is empty until they enter one."""

    id: str = ""
    name: str = ""
    #: Whether they want text mode.
    text_mode: bool = False
    #: A preference from the browser: whether to ask even about a forced choice.
    every_choice: bool = False
    #: A keyed hash of the client's network (`store/networks.py`); empty if unknown.
    network: str = ""
    #: A secret that follows from the content of a request with a key, so that a second click creates nothing else.
    once: str = ""
    #: None: their own browser.
    token: TokenGrant | None = None
    #: For an account: the session generation of the cookie, the time of the sign-in (seconds since 1970), and the
    #: session, which ends when this browser signs out.
    epoch: int = 0
    since: int = 0
    session: str = ""
    #: The people who have blocked them, or the owner of this program.
    blocked_by: frozenset[str] = frozenset()
    #: Whether the menu shows moderation. Only the database says who may moderate (`tables/play/moderation.py`).
    moderates: bool = False
    #: Whether their cookie has been revoked: they count as a stranger until they sign in again.
    signed_out: bool = False

    @property
    def may_act(self) -> bool:
        """Return whether their token, if any, is neither revoked nor expired."""
        token = self.token
        return token is None or not (token.ended or (token.expires is not None and token.expires <= time.time()))

    @property
    def responsible(self) -> str:
        """Return the person who is responsible and whose limits count: a bot's owner, or the person."""
        return self.token.owner if self.token else self.id

    @property
    def has_account(self) -> bool:
        """Return whether they have an account."""
        return self.epoch > 0


#: A visitor without a cookie, who may watch.
STRANGER = Person()
