"""Passkeys (WebAuthn, with the fido2 library): registration and sign-in.

The page holds the state of a ceremony in a signed ticket, which is valid for one purpose, one person and one server
name, for a few minutes, once.
"""

import asyncio
import hashlib
import ipaddress
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import msgspec
from itsdangerous import BadSignature, URLSafeTimedSerializer

from sparring.engine.errors import SparringError
from sparring.store.accounts import AccountStore, TicketUsed
from sparring.store.person import Person
from sparring.store.schema import PasskeyRow

#: How long a ceremony may take (seconds).
TICKET_AGE = 300


class BadPasskey(SparringError):
    """The response of a passkey ceremony is invalid."""

    status = 403


NOT_THIS = "This passkey couldn't be verified. Please try again."


@dataclass(frozen=True)
class PasskeySite:
    """The server name that a passkey is for, and the origin that the browser reports."""

    name: str
    origin: str

    @property
    def problem(self) -> str:
        """Return why browsers don't allow passkeys here; empty if they do."""
        if self._number:
            return "Passkeys work only on sites with a host name, not at an IP address like this one."
        local = self.name == "localhost" or self.name.endswith(".localhost")
        return "" if local or self.origin.startswith("https:") else "Passkeys work only over HTTPS."

    @property
    def named(self) -> str:
        """Return the URL of this machine's own name; empty if the request wasn't for its loopback address."""
        number, port = self._number, urlsplit(self.origin).port
        return f"http://localhost{f':{port}' if port else ''}" if number and number.is_loopback else ""

    @property
    def _number(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        try:
            return ipaddress.ip_address(self.name)
        except ValueError:
            return None


class CeremonyTicket(msgspec.Struct, array_like=True):
    """The state of a ceremony."""

    purpose: str
    person: str
    site: str
    state: dict[str, Any]


class PasskeyCeremonies:
    """Start ceremonies and verify their responses."""

    def __init__(self, secret: str, store: AccountStore) -> None:
        self._signer = URLSafeTimedSerializer(secret, salt="passkey")
        self._store = store

    async def begin_registration(
        self, site: PasskeySite, person: Person, known: Sequence[PasskeyRow]
    ) -> dict[str, Any]:
        """Return the options to create a passkey for a person; those in `known` for this server name are excluded."""
        credentials = [row.credential for row in known if row.site == site.name]
        handle = {"id": handle_of(person.id), "name": person.name, "displayName": person.name}
        options, state = await asyncio.to_thread(_begin_registration, site, handle, credentials)
        return {"options": options, "ticket": self._issue("make", person.id, site, state)}

    async def finish_registration(
        self, site: PasskeySite, person: Person, ticket: str, answer: dict[str, Any]
    ) -> tuple[bytes, int]:
        """Return the new credential and its signature counter; raise BadPasskey if the response is invalid."""
        ceremony = self._read("make", person.id, site, ticket)
        credential, signs = await asyncio.to_thread(_verified, _finish_registration, site, ceremony.state, answer)
        await self._use(ceremony)
        return credential, signs

    async def begin_sign_in(self, site: PasskeySite) -> dict[str, Any]:
        """Return the options to sign in with any passkey for this server name."""
        options, state = await asyncio.to_thread(_begin_sign_in, site)
        return {"options": options, "ticket": self._issue("come in", "", site, state)}

    async def finish_sign_in(self, site: PasskeySite, row: PasskeyRow, ticket: str, answer: dict[str, Any]) -> int:
        """Return the authenticator's signature counter; raise BadPasskey if it doesn't hold this passkey."""
        ceremony = self._read("come in", "", site, ticket)
        if row.site != site.name:
            raise BadPasskey(NOT_THIS)
        signs: int = await asyncio.to_thread(_verified, _finish_sign_in, site, ceremony.state, row, answer)
        if (signs or row.signs) and signs <= row.signs:
            raise BadPasskey("This passkey was refused because it may have been copied. Sign in another way.")
        await self._use(ceremony)
        return signs

    def _issue(self, purpose: str, person: str, site: PasskeySite, state: dict[str, Any]) -> str:
        return self._signer.dumps(msgspec.to_builtins(CeremonyTicket(purpose, person, site.name, state)))

    def _read(self, purpose: str, person: str, site: PasskeySite, ticket: str) -> CeremonyTicket:
        """Return a ticket's state; raise BadPasskey if it is for another purpose or expired."""
        try:
            ceremony = msgspec.convert(self._signer.loads(ticket, max_age=TICKET_AGE), CeremonyTicket)
        except (BadSignature, msgspec.ValidationError):
            raise BadPasskey("That took too long. Please try again.") from None
        if (ceremony.purpose, ceremony.person, ceremony.site) != (purpose, person, site.name):
            raise BadPasskey(NOT_THIS)
        return ceremony

    async def _use(self, ceremony: CeremonyTicket) -> None:
        """Mark a ticket as used, for all processes of the server; raise BadPasskey if it was used before.

        The challenge identifies it: a signature can be written in several ways, so the ticket's text may vary.
        """
        digest = hashlib.blake2b(ceremony.state["challenge"].encode(), digest_size=16).hexdigest()
        try:
            await self._store.use_ticket(digest, int(time.time()) + TICKET_AGE)
        except TicketUsed:
            raise BadPasskey(NOT_THIS) from None


def passkey_id(credential: bytes) -> str:
    """Return a passkey's database id: a digest of its credential's id."""
    return hashlib.blake2b(credential, digest_size=16).hexdigest()


def credential_id(credential: bytes) -> bytes:
    """Return the id in a stored credential: it follows the authenticator's kind and a length of two bytes."""
    return credential[18 : 18 + int.from_bytes(credential[16:18], "big")]


def handle_of(person: str) -> bytes:
    """Return the authenticator's opaque id of a person."""
    return hashlib.blake2b(person.encode(), digest_size=32, person=b"passkey").digest()


# These run in threads: the library loads slowly, and is only loaded when needed.


def _server(site: PasskeySite) -> Any:
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    entity = PublicKeyCredentialRpEntity(name="Sparring", id=site.name)
    return Fido2Server(entity, attestation="none", verify_origin=lambda origin: origin == site.origin)  # type: ignore[arg-type]


def _begin_registration(
    site: PasskeySite, handle: dict[str, Any], known: list[bytes]
) -> tuple[dict[str, Any], dict[str, Any]]:
    from fido2.webauthn import AttestedCredentialData, ResidentKeyRequirement, UserVerificationRequirement

    options, state = _server(site).register_begin(
        handle, [AttestedCredentialData(credential) for credential in known], ResidentKeyRequirement.REQUIRED,
        UserVerificationRequirement.REQUIRED,
    )  # fmt: skip
    return dict(options), state


def _finish_registration(site: PasskeySite, state: dict[str, Any], answer: dict[str, Any]) -> tuple[bytes, int]:
    registered = _server(site).register_complete(state, answer)
    return bytes(registered.credential_data), registered.counter


def _begin_sign_in(site: PasskeySite) -> tuple[dict[str, Any], dict[str, Any]]:
    from fido2.webauthn import UserVerificationRequirement

    options, state = _server(site).authenticate_begin(None, UserVerificationRequirement.REQUIRED)
    return dict(options), state


def _finish_sign_in(site: PasskeySite, state: dict[str, Any], row: PasskeyRow, answer: dict[str, Any]) -> int:
    from fido2.webauthn import AttestedCredentialData, AuthenticationResponse

    _server(site).authenticate_complete(state, [AttestedCredentialData(row.credential)], answer)
    response = AuthenticationResponse.from_dict(answer).response
    if response.user_handle is not None and response.user_handle != handle_of(row.person):
        raise BadPasskey(NOT_THIS)
    return response.authenticator_data.counter


def _verified(verify: Any, *arguments: Any) -> Any:
    """Run a verification and turn every error into BadPasskey; forged responses may make the library raise anything."""
    try:
        return verify(*arguments)
    except Exception as problem:  # details would only help attackers
        raise BadPasskey(NOT_THIS) from problem
