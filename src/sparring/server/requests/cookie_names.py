"""Names of cookies. Browsers ignore ports: servers on one host get each other's cookies, and could overwrite them.

So a browser knows each cookie as `NAME-HASH`, with a hash of the server's id; the application sees plain names. Cookies
without a hash are from before: they are read until they expire, unless another server's key has signed them.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

#: The key of a request's state with the names of its signed cookies that have no hash yet.
UNHASHED = "unhashed"
#: The header that removes a cookie from the browser.
FORGET = b"%s=; Max-Age=0; Path=/; SameSite=lax"


class CookieNames:
    """The cookie names of one server. `signed` tells for each signed cookie whether this server has signed a value."""

    def __init__(self, server_id: str, signed: Mapping[str, Callable[[str], bool]]) -> None:
        self.suffix = f"-{hashlib.blake2b(server_id.encode(), digest_size=4).hexdigest()}"
        self._signed = signed

    async def translate(self, scope: Any, receive: Any, send: Any, app: Any) -> None:
        """Run an application that sees plain names, and hash the names that it sets."""
        cookies = b";".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
        pairs = [(name, value) for name, _, value in (each.strip().partition("=") for each in cookies.split(";"))]
        own = [(name.removesuffix(self.suffix), value) for name, value in pairs if name.endswith(self.suffix)]
        known = {name for name, _ in own}
        old = [(name, value) for name, value in pairs if name not in known and self._signed.get(name, bool)(value)]
        unhashed = {name for name, _ in old} & {*self._signed}
        rest = [header for header in scope["headers"] if header[0] != b"cookie"]
        if cookies:
            rest.append((b"cookie", "; ".join(f"{name}={value}" for name, value in (*old, *own)).encode("latin-1")))

        # Pages remove cookies whose key is gone. Otherwise the first form would, and it is refused, so that people know
        # that they are strangers now.
        valid = {name for name, value in own if self._signed.get(name, bool)(value)}
        forged = (known & {*self._signed}) - valid if scope["method"] in ("GET", "HEAD") else set[str]()

        async def send_hashed(message: Any) -> None:
            if message["type"] == "http.response.start":
                given = [*((b"set-cookie", FORGET % name.encode()) for name in forged), *message["headers"]]
                message["headers"] = [each for header in given for each in self._hashed(header, unhashed)]
            await send(message)

        state = {**scope.get("state", {}), UNHASHED: unhashed}
        await app({**scope, "headers": rest, "state": state}, receive, send_hashed)

    def _hashed(self, header: tuple[bytes, bytes], unhashed: set[str]) -> list[tuple[bytes, bytes]]:
        """Return a header with the hashed name of its cookie; our own cookie without a hash is replaced."""
        if header[0].lower() != b"set-cookie":
            return [header]
        name, _, rest = header[1].decode("latin-1").partition("=")
        headers = [(header[0], f"{name}{self.suffix}={rest}".encode("latin-1"))]
        if name in unhashed:
            headers.append((header[0], FORGET % name.encode()))
        return headers
