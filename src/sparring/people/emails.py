"""E-mail: addresses of accounts, resetting passwords with them, and sending through the operator's mail server.

The e-mails themselves are sent later (`people/notifications.py`), so that no answer and no response time
reveals whether an address or a sign-in name is known. A link holds 256 random bits, works once and expires; only its
digest is stored. A password change, and a change of the address, make older links invalid.
"""

import hashlib
import re
import secrets
import time
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from sparring.engine.errors import SparringError
from sparring.settings import SMTP_PORTS, MailSettings, Settings
from sparring.store.notifications import CONFIRM, RESET, MailStore, OutboxStore
from sparring.store.person import Person
from sparring.store.schema import AccountRow, AddressRow, OutboxRow

from .accounts import Accounts, fold_name, signed_in_person
from .identity import read_name
from .passwords import read_password
from .rate_limits import Requester

#: How long the mail server may take (seconds).
PATIENCE = 20.0


class MailFailed(SparringError):
    """The mail server didn't take an e-mail; `final` if it never will."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(f"The mail server didn't take an e-mail: {reason}.")
        self.final = final


class MailSender:
    """The mail server in a server's settings."""

    def __init__(self, settings: MailSettings) -> None:
        self._settings = settings

    async def send(self, message: EmailMessage) -> None:
        """Send an e-mail; raise MailFailed, whose text names no address."""
        message["From"] = self._settings.sender
        await self.connect(message)

    async def connect(self, message: EmailMessage | None = None) -> None:
        """Connect to the mail server, sign in, and send a message if there is one; raise MailFailed."""
        from aiosmtplib import SMTP, SMTPException, SMTPRecipientsRefused, SMTPResponseException

        url = urlsplit(self._settings.server)
        server = SMTP(
            hostname=url.hostname, port=url.port or SMTP_PORTS[url.scheme], use_tls=url.scheme == "smtps",
            start_tls=url.scheme == "smtp", timeout=PATIENCE,
            username=unquote(url.username) if url.username else None,
            password=unquote(url.password) if url.password else None,
        )  # fmt: skip
        try:
            async with server:
                if message:
                    await server.send_message(message)
        except SMTPRecipientsRefused as problem:
            raise MailFailed("it refused the recipient", final=_final(problem.recipients[0].code)) from None
        except SMTPResponseException as problem:
            raise MailFailed(f"it answered {problem.code}", final=_final(problem.code)) from None
        except (SMTPException, OSError, TimeoutError) as problem:
            raise MailFailed(f"{type(problem).__name__}") from None


def _final(code: int) -> bool:
    """Return whether a status code is a permanent refusal of this message; 535 is a wrong password in the settings."""
    return code >= 550


#: How long links are valid (seconds).
VALID = {RESET: 3600, CONFIRM: 24 * 3600}
LONGEST_ADDRESS = 254
#: The addresses that every mail server understands: a local part and a host name, in ASCII.
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,63}")


class BadAddress(SparringError):
    """The e-mail address is malformed."""


class BadMailLink(SparringError):
    """The link of an e-mail is invalid."""

    status = 403


NOT_VALID = "This link doesn't work. It may have been used already or have expired. Ask for a new one."


class EmailAddresses:
    """The e-mail addresses of a server's accounts."""

    def __init__(self, settings: Settings, accounts: Accounts, store: MailStore, outbox: OutboxStore) -> None:
        self.on = settings.mail.on
        self.accounts, self.store, self.outbox = accounts, store, outbox
        self._now = settings.now

    async def of(self, person: Person) -> AddressRow | None:
        """Return the address of a person; None if they have given none."""
        return await self.store.address(person.id) if person.has_account else None

    async def set(self, person: Person, address: str, requester: Requester) -> None:
        """Store a new address, and send a link to it that confirms it; needs a recent sign-in."""
        self.accounts.check_fresh(person)
        address = read_address(address)
        self._take(address.casefold(), requester)
        await self._warn(person)
        await self.store.set_pending(person.id, address)
        await self._send("confirm", person=person.id)

    async def remove(self, person: Person) -> None:
        """Delete the address of a person; needs a recent sign-in."""
        self.accounts.check_fresh(person)
        await self._warn(person)
        await self.store.remove(person.id)

    async def confirm(self, link: str) -> None:
        """Confirm an address by the link that was sent to it; raise BadMailLink if it is invalid."""
        if not await self.store.confirm(digest_of_link(link)):
            raise BadMailLink(NOT_VALID)

    async def request_reset(self, name: str, requester: Requester) -> None:
        """Send links for a new password to the owners of an address or a sign-in name, if there are any.

        The work is the same in every case.
        """
        name = fold_name(name)[:LONGEST_ADDRESS]
        self._take(name, requester)
        await self._send("reset", text=name)

    async def account_of(self, link: str) -> AccountRow:
        """Return the account whose password a link can set; raise BadMailLink if it is invalid."""
        account = await self.store.account_of(digest_of_link(link))
        if account is None:
            raise BadMailLink(NOT_VALID)
        return account

    async def reset(self, link: str, login: str, password: str) -> Person:
        """Set a new password by a link and sign in; all browsers are signed out. The link works once.

        `login` is the sign-in name for an account that has none yet.
        """
        account = await self.account_of(link)
        login = account.login or read_name(login)
        password = read_password(password, login, account.name)
        columns = await self.accounts.password_columns(login, password)
        changed = await self.store.reset(digest_of_link(link), **columns)
        if changed is None:
            raise BadMailLink(NOT_VALID)
        self.accounts.sessions.forget(changed.person)
        return signed_in_person(changed)

    async def new_link(self, person: str, purpose: str, address: str) -> str:
        """Return the secret of a new link for an e-mail."""
        link = secrets.token_urlsafe(32)
        await self.store.add_token(digest_of_link(link), person, purpose, address, int(time.time()) + VALID[purpose])
        return link

    async def _warn(self, person: Person) -> None:
        """Tell the owner of the present address that it is about to be replaced or deleted."""
        if (row := await self.of(person)) and row.address:
            await self._send("warning", person=person.id, text=row.address)

    def _take(self, name: str, requester: Requester) -> None:
        self.accounts.rate_limits.take("mails", requester)
        self.accounts.rate_limits.take("mails_to", name)

    async def _send(self, kind: str, *, person: str | None = None, text: str = "") -> None:
        due = int(1000 * self._now())
        await self.outbox.add(OutboxRow(kind=kind, channel="mail", person=person, text=text, due=due, failures=0))


def read_address(text: str) -> str:
    """Return an e-mail address; raise BadAddress if it is malformed."""
    address = text.strip()
    if len(address) > LONGEST_ADDRESS or not ADDRESS.fullmatch(address):
        raise BadAddress("An e-mail address looks like name@example.com, without accents or spaces.")
    return address


def digest_of_link(link: str) -> str:
    """Return the digest of a link's secret."""
    return hashlib.blake2b(link[:200].encode(), digest_size=16, person=b"mail link").hexdigest()
