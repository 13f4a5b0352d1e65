"""Passkeys: how one is made and how somebody comes in by one (WebAuthn, by the library of fido2).

What a ceremony has to come back with is in a signed ticket that the page holds meanwhile: it is for one purpose, one
person and one name of this server, for minutes, and counts once.
"""

import asyncio
import hashlib
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import msgspec
from itsdangerous import BadSignature, URLSafeTimedSerializer

from sparring.engine.errors import SparringError
from sparring.web.identity import Person
from sparring.web.storage.schema import PasskeyRow

#: For how long a ceremony may take (seconds), and how many that came to their end are remembered.
MINUTES = 300
FINISHED = 10_000


class BadPasskey(SparringError):
    """What came back of a ceremony does not fit."""


NOT_THIS = "This passkey could not be checked; please try again."


@dataclass(frozen=True)
class PasskeySite:
    """Under which name and address this server was asked: a passkey is for one name, and a browser tells the other."""

    name: str
    origin: str

    @property
    def problem(self) -> str:
        """Why a browser would not let passkeys be used here; empty if it would."""
        if self._number:
            return "Browsers allow passkeys where a server has a name, and not at an address of numbers like this one."
        local = self.name == "localhost" or self.name.endswith(".localhost")
        return "" if local or self.origin.startswith("https:") else "Browsers allow passkeys over https only."

    @property
    def named(self) -> str:
        """The address at which this machine has a name for itself; empty if the one asked for is not its own number."""
        number, port = self._number, urlsplit(self.origin).port
        return f"http://localhost{f':{port}' if port else ''}" if number and number.is_loopback else ""

    @property
    def _number(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        try:
            return ipaddress.ip_address(self.name)
        except ValueError:
            return None


class CeremonyTicket(msgspec.Struct, array_like=True):
    """What a ceremony was begun with."""

    purpose: str
    person: str
    site: str
    state: dict[str, Any]


class PasskeyCeremonies:
    """Begins ceremonies, and looks at what comes back of them."""

    def __init__(self, secret: str) -> None:
        self._signer = URLSafeTimedSerializer(secret, salt="passkey")
        #: The tickets that were used, until they are too old anyway.
        self._used = OrderedDict[str, float]()

    async def begin_making(self, site: PasskeySite, person: Person, known: Sequence[PasskeyRow]) -> dict[str, Any]:
        """What a browser needs to make a passkey for a person, besides those that they have for this name."""
        credentials = [row.credential for row in known if row.site == site.name]
        handle = {"id": handle_of(person.id), "name": person.name, "displayName": person.name}
        options, state = await asyncio.to_thread(_begin_making, site, handle, credentials)
        return {"options": options, "ticket": self._issue("make", person.id, site, state)}

    async def finish_making(
        self, site: PasskeySite, person: Person, ticket: str, answer: dict[str, Any]
    ) -> tuple[bytes, int]:
        """The credential that was made, and how often it has signed; BadPasskey if it was not made for this."""
        begun = self._read("make", person.id, site, ticket)
        credential, signs = await asyncio.to_thread(_tried, _finish_making, site, begun.state, answer)
        self._use(ticket)
        return credential, signs

    async def begin_coming_in(self, site: PasskeySite) -> dict[str, Any]:
        """What a browser needs to offer the passkeys that it has for this name."""
        options, state = await asyncio.to_thread(_begin_coming_in, site)
        return {"options": options, "ticket": self._issue("come in", "", site, state)}

    async def finish_coming_in(self, site: PasskeySite, row: PasskeyRow, ticket: str, answer: dict[str, Any]) -> int:
        """How often the authenticator has signed, if it holds this passkey; BadPasskey if it does not."""
        begun = self._read("come in", "", site, ticket)
        if row.site != site.name:
            raise BadPasskey(NOT_THIS)
        signs: int = await asyncio.to_thread(_tried, _finish_coming_in, site, begun.state, row, answer)
        if (signs or row.signs) and signs <= row.signs:
            raise BadPasskey("This passkey seems to have been copied, and was not taken; come in another way.")
        self._use(ticket)
        return signs

    def _issue(self, purpose: str, person: str, site: PasskeySite, state: dict[str, Any]) -> str:
        return self._signer.dumps(msgspec.to_builtins(CeremonyTicket(purpose, person, site.name, state)))

    def _read(self, purpose: str, person: str, site: PasskeySite, ticket: str) -> CeremonyTicket:
        """A ticket that is for this; used or late ones are refused."""
        try:
            begun = msgspec.convert(self._signer.loads(ticket, max_age=MINUTES), CeremonyTicket)
        except (BadSignature, msgspec.ValidationError):
            raise BadPasskey("That took too long; please try again.") from None
        if (begun.purpose, begun.person, begun.site) != (purpose, person, site.name) or ticket in self._used:
            raise BadPasskey(NOT_THIS)
        return begun

    def _use(self, ticket: str) -> None:
        """A ceremony came to its end: its ticket counts no more."""
        if ticket in self._used:  # two came at the same time
            raise BadPasskey(NOT_THIS)
        now = time.monotonic()
        self._used[ticket] = now + MINUTES
        while self._used and (len(self._used) > FINISHED or next(iter(self._used.values())) < now):
            self._used.popitem(last=False)


def number_of(credential: bytes) -> str:
    """By what a passkey is found: a digest of its credential's id."""
    return hashlib.blake2b(credential, digest_size=16).hexdigest()


def credential_id(credential: bytes) -> bytes:
    """The id within what is kept of a passkey: after the kind of authenticator and a length of two bytes."""
    return credential[18 : 18 + int.from_bytes(credential[16:18], "big")]


def handle_of(person: str) -> bytes:
    """What an authenticator calls a person: it tells nothing of them."""
    return hashlib.blake2b(person.encode(), digest_size=32, person=b"passkey").digest()


# In threads: the library takes long to load, and is loaded when somebody needs it.


def _server(site: PasskeySite) -> Any:
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    entity = PublicKeyCredentialRpEntity(name="Sparring", id=site.name)
    return Fido2Server(entity, attestation="none", verify_origin=lambda origin: origin == site.origin)  # type: ignore[arg-type]


def _begin_making(
    site: PasskeySite, handle: dict[str, Any], known: list[bytes]
) -> tuple[dict[str, Any], dict[str, Any]]:
    from fido2.webauthn import AttestedCredentialData, ResidentKeyRequirement, UserVerificationRequirement

    options, state = _server(site).register_begin(
        handle, [AttestedCredentialData(credential) for credential in known], ResidentKeyRequirement.REQUIRED,
        UserVerificationRequirement.REQUIRED,
    )  # fmt: skip
    return dict(options), state


def _finish_making(site: PasskeySite, state: dict[str, Any], answer: dict[str, Any]) -> tuple[bytes, int]:
    made = _server(site).register_complete(state, answer)
    return bytes(made.credential_data), made.counter


def _begin_coming_in(site: PasskeySite) -> tuple[dict[str, Any], dict[str, Any]]:
    from fido2.webauthn import UserVerificationRequirement

    options, state = _server(site).authenticate_begin(None, UserVerificationRequirement.REQUIRED)
    return dict(options), state


def _finish_coming_in(site: PasskeySite, state: dict[str, Any], row: PasskeyRow, answer: dict[str, Any]) -> int:
    from fido2.webauthn import AttestedCredentialData, AuthenticationResponse

    _server(site).authenticate_complete(state, [AttestedCredentialData(row.credential)], answer)
    response = AuthenticationResponse.from_dict(answer).response
    if response.user_handle is not None and response.user_handle != handle_of(row.person):
        raise BadPasskey(NOT_THIS)
    return response.authenticator_data.counter


def _tried(work: Any, *given: Any) -> Any:
    """What an answer comes to, whatever the library says of one that does not fit or was made to break it."""
    try:
        return work(*given)
    except Exception as problem:  # all that it raises means the same, and tells nobody more
        raise BadPasskey(NOT_THIS) from problem
