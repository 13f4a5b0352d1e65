"""Device cookies: signed cookies of browsers that have signed in to an account before (OWASP's device cookies).

Guessing a password from many networks uses up the attempts of unknown browsers. Known browsers have separate attempts,
so that the owner can still sign in.
"""

from collections.abc import Sequence

from itsdangerous import BadSignature, URLSafeSerializer
from litestar.datastructures import Cookie

from sparring.settings.random_ids import random_id
from sparring.store.person import SIGNED_IN

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
