"""Accounts: a guest keeps who they are, comes in elsewhere, changes the ways in, signs out everywhere."""

import secrets
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sparring.engine.errors import SparringError
from sparring.web.identity import SIGNED_IN, STRANGER, Person, named, read_name
from sparring.web.random_ids import chance_id
from sparring.web.security.rate_limits import RateLimits, Requester, TooMany
from sparring.web.security.ttl_cache import age_of
from sparring.web.settings import Settings
from sparring.web.storage import AccountStore, RecoveryStore
from sparring.web.storage.schema import AccountRow, PasskeyRow

from .device_cookies import DeviceCookies
from .passkeys import NOT_THIS, BadPasskey, PasskeyCeremonies, PasskeySite, credential_id, number_of
from .passwords import PasswordHasher, read_password
from .recovery_codes import RecoveryCodes
from .session_revocation import SessionEpochs, admits

#: For how long after signing in somebody may change their ways in, or delete everything (seconds).
FRESH = 15 * 60


class SessionRevoked(SparringError):
    """A cookie that counts no more, because its person signed out everywhere."""


class SignInFailed(SparringError):
    """Somebody who cannot come in as they tried."""


class SignInRequired(SparringError):
    """Something for which one has to have signed in just now."""


SIGNED_OUT = "You were signed out here; sign in again, and all of it is there."


@dataclass(frozen=True)
class SignInMethods:
    """How a person with an account can come in."""

    login: str
    #: Whether there is a password for that name; the operator may have removed it.
    password: bool
    passkeys: Sequence[PasskeyRow]

    @property
    def several(self) -> bool:
        """Whether one of them can be let go."""
        return self.password + len(self.passkeys) > 1


class Accounts:
    """The accounts of a server."""

    def __init__(self, settings: Settings, store: AccountStore, recovery: RecoveryStore, quotas: RateLimits) -> None:
        self.store, self.quotas, self.limits = store, quotas, settings.limits
        self.recovery = RecoveryCodes(recovery)
        self.devices = DeviceCookies(settings.secret, settings.elder)
        self.epochs = SessionEpochs(store, age_of(settings))
        self.passwords = PasswordHasher(settings.limits)
        self.ceremonies = PasskeyCeremonies(settings.secret)

    async def recognise(self, person: Person) -> Person:
        """The person that a cookie speaks of, or a token, as they are now; nobody if the cookie counts no more."""
        current = await self.epochs.current(person.id, person.epoch)
        if person.by is None and not admits(current, person):  # a token has no epoch
            return replace(STRANGER, signed_out=True)
        return replace(person, name=current.name or person.name, listens=bool(current.words))

    async def prefer(self, person: Person, asking: Requester, *, words: bool) -> None:
        """Whether somebody wants every table as a page of words, wherever they are."""
        self.quotas.wish(asking)
        await self.store.prefer(person.id, words=words)
        self.epochs.forget(person.id)

    async def take_over(self, person: Person, asking: Requester) -> bool:
        """A browser has remembered so far that its person wants words: whether that is kept here now, or was before."""
        if (await self.epochs.current(person.id, person.epoch)).words is None:
            try:
                await self.prefer(person, asking, words=True)
            except TooMany:
                return False
        return True

    # To be known again

    async def keep_by_password(self, person: Person, login: str, password: str, asking: Requester) -> Person:
        """A guest keeps who they are by a name and a password."""
        login = read_name(login)
        password = read_password(password, login, person.name)
        self._check_guest(person)
        self.quotas.begin_account(asking)
        person = person if person.id and person.name else named(person, login)
        row = AccountRow(person=person.id, name=person.name, epoch=1, **await self._signs_in(login, password))
        await self.store.add(row)
        self.epochs.forget(person.id)
        return come_in_by(row)

    async def begin_passkey(self, site: PasskeySite, person: Person, name: str) -> dict[str, Any]:
        """What a browser needs to make a passkey, for a guest who has a name now if they had none."""
        self._check_site(site)
        if person.known:
            self.check_fresh(person)
        person = person if person.id and person.name else named(person, name)
        known = await self.store.passkeys(person.id)
        if len(known) >= self.limits.passkeys_each:
            raise TooMany(f"You have {len(known)} passkeys, as many as there is room for; let one go first.")
        begun = await self.ceremonies.begin_making(site, person, known)
        return {**begun, "person": person}

    async def add_passkey(
        self, site: PasskeySite, person: Person, label: str, ticket: str, answer: dict[str, Any], asking: Requester
    ) -> Person:
        """A person keeps who they are by a passkey, or has one more of them."""
        if person.known:
            self.check_fresh(person)
        label = read_name(label or "passkey")
        self.quotas.begin_account(asking)
        credential, signs = await self.ceremonies.finish_making(site, person, ticket, answer)
        now = int(time.time())
        row = PasskeyRow(
            id=number_of(credential_id(credential)), person=person.id, credential=credential, site=site.name,
            label=label, signs=signs, created=now, used=now,
        )  # fmt: skip
        if person.known:
            await self.store.add_passkey(row)
            return person
        account = AccountRow(person=person.id, name=person.name, epoch=1)
        await self.store.add(account, row)
        self.epochs.forget(person.id)
        return come_in_by(account)

    # To come in

    async def sign_in(self, login: str, password: str, asking: Requester, device: str = "") -> Person:
        """Whoever signs in by name and password. Unknown names and wrong passwords are one answer, and take as long.

        `device` is the cookie of a browser that may have signed in by this name before.
        """
        name = folded(login)
        self.quotas.sign_in(asking)
        row = await self.store.load(folded=name)
        self.quotas.try_password(asking, name, self.devices.read(device, row.person) if row else "")
        if not await self.passwords.fit(row.password if row else None, password) or row is None:
            raise SignInFailed("Nobody comes in by that name and that password.")
        return come_in_by(row)

    async def begin_coming_in(self, site: PasskeySite, asking: Requester) -> dict[str, Any]:
        """What a browser needs to offer its passkeys."""
        self._check_site(site)
        self.quotas.sign_in(asking)
        return await self.ceremonies.begin_coming_in(site)

    async def come_in(self, site: PasskeySite, ticket: str, answer: dict[str, Any]) -> Person:
        """Whoever signs in by a passkey."""
        row = await self.store.passkey(number_of(_raw_id(answer)))
        if row is None:
            raise BadPasskey("This passkey is not known here; perhaps it was let go.")
        signs = await self.ceremonies.finish_coming_in(site, row, ticket, answer)
        account = await self.store.load(person=row.person)
        if account is None:
            raise BadPasskey(NOT_THIS)
        await self.store.use_passkey(row.id, signs)
        return come_in_by(account)

    async def recover(self, code: str, asking: Requester) -> Person:
        """Sign in the owner of a recovery code, which is used up."""
        self.quotas.sign_in(asking)
        return come_in_by(await self.recovery.use(code))

    # What can be changed

    async def new_codes(self, person: Person, asking: Requester) -> list[str]:
        """Make new recovery codes for somebody who signed in just now."""
        self.check_fresh(person)
        self.quotas.sign_in(asking)
        return await self.recovery.renew(person)

    async def ways(self, person: Person) -> SignInMethods:
        """How somebody can come in."""
        row = await self.account(person)
        if row is None:
            return SignInMethods("", False, [])
        return SignInMethods(row.login or "", row.password is not None, await self.store.passkeys(person.id))

    async def account(self, person: Person) -> AccountRow | None:
        """The account of somebody, in whatever way they came in; a guest has none."""
        return await self.store.load(person=person.id) if person.id else None

    async def rename(self, person: Person, name: str) -> Person:
        """The same person under another name, everywhere they are signed in."""
        person = named(person, name)
        if await self.account(person):
            await self.store.change(person.id, name=person.name)
            self.epochs.forget(person.id)
        return person

    async def set_password(self, person: Person, login: str, password: str, asking: Requester) -> Person:
        """Another sign-in name and password, or the first ones; all other browsers are signed out."""
        self.check_fresh(person)
        login = read_name(login)
        password = read_password(password, login, person.name)
        self.quotas.sign_in(asking)
        await self.store.change(person.id, **await self._signs_in(login, password))
        return await self._only_here(person)

    async def remove_password(self, person: Person) -> Person:
        """Come in by passkeys alone; all other browsers are signed out."""
        self.check_fresh(person)
        await self.store.remove_password(person.id)
        return await self._only_here(person)

    async def remove_passkey(self, person: Person, number: str) -> Person:
        """Let go of a passkey; all other browsers are signed out."""
        self.check_fresh(person)
        await self.store.remove_passkey(person.id, number)
        return await self._only_here(person)

    async def shows(self, person: Person) -> tuple[bool, str]:
        """Whether somebody stands on leaderboards, and the address of their public page; empty: they have none."""
        account = await self.account(person)
        return (account.listed, account.page or "") if account else (False, "")

    async def show(self, person: Person, *, listed: bool, page: bool) -> None:
        """What others find of somebody: their line on leaderboards, a page of their matches at public tables."""
        account = await self.account(person)
        if account is None:
            raise SignInFailed("Keep first who you are, at /me; a guest is on no list.")
        address = (account.page or secrets.token_urlsafe(9)) if page else None
        await self.store.change(person.id, listed=listed, page=address)

    async def sign_out(self, person: Person) -> None:
        """End the session of one browser: its cookie is worth nothing any more, nor is a copy of it."""
        await self.store.end_session(person.id, person.session, person.since + SIGNED_IN)
        self.epochs.forget(person.id)

    async def sign_out_everywhere(self, person: Person) -> None:
        """All cookies of an account are worth nothing, this browser's as well."""
        await self._only_here(person)

    def deleted(self, person: Person) -> None:
        """An account is gone: no cookie of it counts."""
        self.epochs.forget(person.id)

    def check_fresh(self, person: Person) -> None:
        """Whether somebody with an account signed in just now."""
        if not is_fresh(person):
            raise SignInRequired("Please sign in once more first: it is a while since you did.")

    def close(self) -> None:
        """End what works on passwords."""
        self.passwords.close()

    async def _only_here(self, person: Person) -> Person:
        await self.store.end_epoch(person.id)
        self.epochs.forget(person.id)
        row = await self.store.load(person=person.id)
        if row is None:
            raise SessionRevoked(SIGNED_OUT)
        return replace(come_in_by(row), since=person.since)

    async def _signs_in(self, login: str, password: str) -> dict[str, str]:
        return {"login": login, "folded": folded(login), "password": await self.passwords.hashed(password)}

    def _check_guest(self, person: Person) -> None:
        if person.known:
            raise SparringError("You have an account already.")

    def _check_site(self, site: PasskeySite) -> None:
        if site.problem:
            raise SparringError(site.problem)


def come_in_by(row: AccountRow) -> Person:
    """The person of an account, who comes in now."""
    return Person(row.person, row.name, epoch=row.epoch, since=int(time.time()), session=chance_id(9))


def is_fresh(person: Person) -> bool:
    """Whether somebody signed in just now."""
    return person.known and time.time() - person.since < FRESH


def folded(login: str) -> str:
    """A sign-in name as it is looked for: small and large letters, and forms of the same sign, are one."""
    return unicodedata.normalize("NFKC", " ".join(login.split())).casefold()[:500]


def _raw_id(answer: dict[str, Any]) -> bytes:
    from base64 import urlsafe_b64decode

    try:
        text = str(answer["rawId"])
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (KeyError, ValueError):
        raise BadPasskey(NOT_THIS) from None
