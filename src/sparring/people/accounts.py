"""Accounts: create one from a guest, sign in, change sign-in methods, sign out everywhere.

`Accounts` creates accounts, signs people in and changes their sign-in methods. `SessionCache`
(`identity.py`) checks cookies, `PasskeyCeremonies` runs WebAuthn, `PasswordHasher` hashes with argon2,
`RecoveryCodes` restores access, `DeviceCookies` recognises known browsers, and `EmailAddresses` resets passwords by
e-mail.

What must hold:

* An account keeps the guest's id, so that seats, sets and records stay.
* The cookie contains a session and the account's session generation (`epoch`). Signing out everywhere increments the
  generation. Both are cached, so that the database is queried for new visitors only; event streams check before every
  message.
* Sign-in methods can be changed only within 15 minutes of a sign-in.
* The server keeps no state of a passkey ceremony. The challenge is in a signed ticket for one purpose, person and
  server name, valid for five minutes; the database holds used tickets until then.
* Password attempts are limited per name and network, and per name over all networks. A known browser has its own
  limit.
* Only digests of recovery codes are stored. An account gets eight, and each works once.
* Signing in merges the guest's data into the account (`store/personal_data.py`).
"""

import secrets
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import msgspec

from sparring.engine.errors import SparringError
from sparring.scene.markup import one_line
from sparring.settings import Settings
from sparring.settings.secrets import random_id
from sparring.store.accounts import SIGNED_OUT, AccountStore, RecoveryStore
from sparring.store.person import SIGNED_IN, Person
from sparring.store.schema import AccountRow, PasskeyRow

from .identity import DeviceCookies, SessionCache, read_name, with_name
from .passkeys import NOT_THIS, BadPasskey, PasskeyCeremonies, PasskeySite, credential_id, passkey_id
from .passwords import PasswordHasher, RecoveryCodes, read_password
from .rate_limits import RateLimits, Requester, TooMany

#: How long after a sign-in people may change sign-in methods or delete their account (seconds).
FRESH = 15 * 60
#: How long the account page says that a guest's tokens and push notifications have ended (seconds).
TOLD = 90 * 24 * 3600


class SessionRevoked(SparringError):
    """The session has been revoked."""

    status = 403


class SignInFailed(SparringError):
    """The sign-in failed."""

    status = 403


class SignInRequired(SparringError):
    """The action needs a recent sign-in."""

    status = 403


@dataclass(frozen=True)
class SignInMethods:
    """The sign-in methods of an account."""

    login: str
    #: Whether there is a password for that name; the operator may have removed it.
    password: bool
    passkeys: Sequence[PasskeyRow]

    @property
    def several(self) -> bool:
        """Return whether one of them can be removed."""
        return self.password + len(self.passkeys) > 1


class ProfileVisibility(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What others can see of you. The fields are columns of accounts."""

    listed: Annotated[bool, msgspec.Meta(description="Whether you and your bots are on leaderboards.")]
    page: Annotated[bool, msgspec.Meta(description="Whether you have a public page.")]

    @classmethod
    def of(cls, account: AccountRow | None) -> "ProfileVisibility":
        """Return what others can see of the owner of an account, or of a guest."""
        return cls(**{name: bool(getattr(account, name, False)) for name in cls.__struct_fields__})


class Accounts:
    """The accounts of a server."""

    def __init__(
        self, settings: Settings, store: AccountStore, recovery: RecoveryStore, rate_limits: RateLimits
    ) -> None:
        self.store, self.rate_limits, self.limits = store, rate_limits, settings.limits
        self.recovery = RecoveryCodes(recovery)
        self.devices = DeviceCookies(settings.secret, settings.older_secrets)
        self.sessions = SessionCache(store)
        self.passwords = PasswordHasher(settings.limits)
        self.ceremonies = PasskeyCeremonies(settings.secret, store)

    async def set_text_mode(self, person: Person, requester: Requester, *, words: bool) -> None:
        """Store whether a person wants text mode on all devices."""
        self.rate_limits.take("preferences", requester)
        await self.store.set_text_mode(person.id, words=words)
        self.sessions.forget(person.id)

    async def import_text_mode(self, person: Person, requester: Requester) -> bool:
        """Store a browser's preference for text mode with its person; return whether the person has one stored now."""
        if (await self.sessions.current(person.id, person.epoch)).words is None:
            try:
                await self.set_text_mode(person, requester, words=True)
            except TooMany:
                return False
        return True

    # Creating accounts

    async def create_with_password(self, person: Person, login: str, password: str, requester: Requester) -> Person:
        """Create an account for a guest, with a name and a password."""
        login = read_name(login)
        password = read_password(password, login, person.name)
        self._check_guest(person)
        self.rate_limits.take("accounts", requester)
        person = person if person.id and person.name else with_name(person, login)
        row = AccountRow(person=person.id, name=person.name, epoch=1, **await self.password_columns(login, password))
        await self.store.add(row)
        self.sessions.forget(person.id)
        return signed_in_person(row)

    async def begin_passkey(self, site: PasskeySite, person: Person, name: str) -> dict[str, Any]:
        """Return the options to create a passkey; a guest without a name gets one."""
        self._check_site(site)
        if person.has_account:
            self.check_fresh(person)
        person = person if person.id and person.name else with_name(person, name)
        known = await self.store.passkeys(person.id)
        if len(known) >= self.limits.passkeys_each:
            raise TooMany(f"You have {len(known)} passkeys, the maximum. Remove one first.")
        options = await self.ceremonies.begin_registration(site, person, known)
        return {**options, "person": person}

    async def add_passkey(
        self, site: PasskeySite, person: Person, label: str, ticket: str, answer: dict[str, Any], requester: Requester
    ) -> Person:
        """Store a new passkey: create an account for a guest, or add the passkey to the person's account."""
        if person.has_account:
            self.check_fresh(person)
        label = read_name(label or "passkey")
        self.rate_limits.take("accounts", requester)
        credential, signs = await self.ceremonies.finish_registration(site, person, ticket, answer)
        now = int(time.time())
        row = PasskeyRow(
            id=passkey_id(credential_id(credential)), person=person.id, credential=credential, site=site.name,
            label=label, signs=signs, created=now, used=now,
        )  # fmt: skip
        if person.has_account:
            await self.store.add_passkey(row)
            return person
        account = AccountRow(person=person.id, name=person.name, epoch=1)
        await self.store.add(account, row)
        self.sessions.forget(person.id)
        return signed_in_person(account)

    # Signing in

    async def sign_in(self, login: str, password: str, requester: Requester, device: str = "") -> Person:
        """Sign in with name and password. Unknown names and wrong passwords give the same error after the same time.

        `device` is the cookie of a browser that may have signed in with this name before.
        """
        name = fold_name(login)
        self.rate_limits.take("sign_ins", requester)
        row = await self.store.load(folded=name)
        self.rate_limits.try_password(requester, name, self.devices.read(device, row.person) if row else "")
        if not await self.passwords.matches(row.password if row else None, password) or row is None:
            raise SignInFailed("Wrong name or password.")
        return signed_in_person(row)

    async def begin_passkey_sign_in(self, site: PasskeySite, requester: Requester) -> dict[str, Any]:
        """Return the options to sign in with a passkey."""
        self._check_site(site)
        self.rate_limits.take("sign_ins", requester)
        return await self.ceremonies.begin_sign_in(site)

    async def sign_in_with_passkey(self, site: PasskeySite, ticket: str, answer: dict[str, Any]) -> Person:
        """Sign in with a passkey."""
        row = await self.store.passkey(passkey_id(_raw_id(answer)))
        if row is None:
            raise BadPasskey("This passkey is unknown. It may have been removed.")
        signs = await self.ceremonies.finish_sign_in(site, row, ticket, answer)
        account = await self.store.load(person=row.person)
        if account is None:
            raise BadPasskey(NOT_THIS)
        await self.store.use_passkey(row.id, signs)
        return signed_in_person(account)

    async def recover(self, code: str, requester: Requester) -> Person:
        """Sign in with a recovery code, which is used up."""
        self.rate_limits.take("sign_ins", requester)
        return signed_in_person(await self.recovery.use(code))

    # Changing accounts

    async def new_codes(self, person: Person, requester: Requester) -> list[str]:
        """Create new recovery codes; needs a recent sign-in."""
        self.check_fresh(person)
        self.rate_limits.take("sign_ins", requester)
        return await self.recovery.renew(person)

    async def sign_in_methods(self, person: Person) -> SignInMethods:
        """Return the sign-in methods of a person."""
        row = await self.account(person)
        if row is None:
            return SignInMethods("", False, [])
        return SignInMethods(row.login or "", row.password is not None, await self.store.passkeys(person.id))

    async def account(self, person: Person) -> AccountRow | None:
        """Return the account of a person; None for a guest."""
        return await self.store.load(person=person.id) if person.id else None

    async def guest_access_ended(self, person: Person) -> bool:
        """Return whether tokens or push notifications of a guest ended recently, who became or joined the account."""
        account = await self.account(person)
        return bool(account and (account.guest_access_ended or 0) > time.time() - TOLD)

    async def rename(self, person: Person, name: str) -> Person:
        """Rename a person on all their devices."""
        person = with_name(person, name)
        if await self.account(person):
            await self.store.change(person.id, name=person.name)
            self.sessions.forget(person.id)
        return person

    async def set_password(self, person: Person, login: str, password: str, requester: Requester) -> Person:
        """Set the sign-in name and password; all other browsers are signed out."""
        self.check_fresh(person)
        login = read_name(login)
        password = read_password(password, login, person.name)
        self.rate_limits.take("sign_ins", requester)
        await self.store.change(person.id, **await self.password_columns(login, password))
        return await self.sign_out_everywhere(person)

    async def remove_password(self, person: Person) -> Person:
        """Remove the password, if there is a passkey; all other browsers are signed out."""
        self.check_fresh(person)
        await self.store.remove_password(person.id)
        return await self.sign_out_everywhere(person)

    async def remove_passkey(self, person: Person, number: str) -> Person:
        """Remove a passkey; all other browsers are signed out."""
        self.check_fresh(person)
        await self.store.remove_passkey(person.id, number)
        return await self.sign_out_everywhere(person)

    async def set_visibility(self, person: Person, wanted: ProfileVisibility) -> None:
        """Set what others can see of a person."""
        account = await self.account(person)
        if account is None:
            raise SignInFailed("Create an account first, at /me. Guests aren't listed.")
        page = (account.page or secrets.token_urlsafe(9)) if wanted.page else None
        await self.store.change(person.id, **{**msgspec.structs.asdict(wanted), "page": page})

    async def sign_out(self, person: Person) -> None:
        """End the session of one browser; copies of its cookie become invalid too."""
        await self.store.end_session(person.id, person.session, person.since + SIGNED_IN)
        self.sessions.forget(person.id)

    def check_fresh(self, person: Person) -> None:
        """Raise SignInRequired unless a person with an account has signed in recently."""
        if not is_fresh(person):
            raise SignInRequired("Please sign in again first, because your last sign-in was a while ago.")

    def close(self) -> None:
        """Stop the threads that hash passwords."""
        self.passwords.close()

    async def sign_out_everywhere(self, person: Person) -> Person:
        """Revoke all sessions of an account, this browser's too, and return its person with a new session."""
        await self.store.revoke_sessions(person.id)
        self.sessions.forget(person.id)
        row = await self.store.load(person=person.id)
        if row is None:
            raise SessionRevoked(SIGNED_OUT)
        return replace(signed_in_person(row), since=person.since)

    async def password_columns(self, login: str, password: str) -> dict[str, str]:
        """Return the columns of an account with a new sign-in name and password."""
        return {"login": login, "folded": fold_name(login), "password": await self.passwords.hashed(password)}

    def _check_guest(self, person: Person) -> None:
        if person.has_account:
            raise SparringError("You already have an account.")

    def _check_site(self, site: PasskeySite) -> None:
        if site.problem:
            raise SparringError(site.problem)


def signed_in_person(row: AccountRow) -> Person:
    """Return the person of an account that signs in now."""
    return Person(row.person, row.name, epoch=row.epoch, since=int(time.time()), session=random_id(9))


def is_fresh(person: Person) -> bool:
    """Return whether a person has signed in recently."""
    return person.has_account and abs(time.time() - person.since) < FRESH


def fold_name(login: str) -> str:
    """Return a sign-in name for lookups: without control characters and differences of case and Unicode form."""
    return unicodedata.normalize("NFKC", one_line(login)).casefold()[:500]


def _raw_id(answer: dict[str, Any]) -> bytes:
    from base64 import urlsafe_b64decode

    try:
        text = str(answer["rawId"])
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (KeyError, ValueError):
        raise BadPasskey(NOT_THIS) from None
