"""Notifications by e-mail and push: write messages to the outbox, take them from there, word and send them.

`MailSender` (`emails.py`) talks to the mail server, and `PushSender` (`push.py`) to push services.

What must hold:

* A table never waits for a message: its commit only adds a row to the outbox (`store/notifications.py`). A turn's is
  written in the transaction of the choice that begins it.
* One process sends each message, once.
* A message says whose turn it is at which table, and nothing else about the match but the players.
* Everything is opt-in, per kind and per channel. Each e-mail has a link that stops its kind with one click.
* A browser that the push service no longer knows is forgotten.
* The server posts to the push services in its settings only, whatever endpoint a browser names.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from functools import partial
from urllib.parse import urlencode

from sparring.engine.errors import SparringError, UnknownGame
from sparring.engine.game import game as find_game
from sparring.scene.sentences import listed
from sparring.settings import MailSettings, Settings
from sparring.store.database import Database
from sparring.store.group_commit import StoreError, Work
from sparring.store.notifications import CONFIRM, RESET, NotificationStore, OutboxStore, notify
from sparring.store.schema import OutboxRow, TableRow

from .emails import EmailAddresses, MailFailed, MailSender
from .push import BadDevice, DeviceGone, PushFailed, PushMessage, PushSender

#: Kinds of notifications, with the names of their choices on the account page.
KINDS = {
    "turn": "It's my turn (in matches with days per turn)",
    "invitation": "Someone invites me to a match or a rematch",
}
#: Channels to send them by.
CHANNELS = {"mail": "E-mail", "push": "Push"}

log = logging.getLogger(__name__)
#: How often to look into the outbox (seconds), and how many messages to send at once.
OFTEN, AT_ONCE = 5.0, 10
#: The seconds to wait before each retry; after the last one the message is dropped.
RETRIES = (60, 300, 1800, 7200)
#: The maximum number of accounts with the same address that get an e-mail for one request.
MOST_ACCOUNTS = 5


def channels(settings: Settings) -> list[str]:
    """Return the channels by which a server sends notifications."""
    on = {"mail": settings.mail.on, "push": settings.push.on}
    return [channel for channel in CHANNELS if on[channel]]


class OutgoingMessages:
    """Write messages to people who are away: "your turn" in matches with days per turn, and invitations."""

    def __init__(self, settings: Settings, outbox: OutboxStore) -> None:
        self._settings, self._outbox, self._channels = settings, outbox, channels(settings)

    def turn(self, person: str, table: str) -> Work | None:
        """Return the write that tells a person that it is their turn at a table; None if they needn't be told."""
        if not (self._channels and person):
            return None
        due = self._due(self._settings.notify_after)
        return partial(notify, people=[person], kind="turn", channels=self._channels, table=table, due=due)

    def invitation(self, people: Iterable[str], inviter: str, table: str) -> Work | None:
        """Return the write that tells people that someone invites them to a table; `inviter` is the name that they see.

        None if no one needs to be told.
        """
        invited = set(people)
        if not (self._channels and invited):
            return None
        return partial(
            notify, people=invited, kind="invitation", channels=self._channels, table=table, due=self._due(0),
            text=inviter,
        )  # fmt: skip

    async def invite(self, people: Iterable[str], inviter: str, table: str) -> None:
        """Tell people that someone invites them to a table."""
        if message := self.invitation(people, inviter, table):
            await self._outbox.notify(message)

    def _due(self, seconds: float) -> int:
        return int(1000 * (self._settings.now() + seconds))


def notification(kind: str, title: str, others: Sequence[str], inviter: str, table: str) -> PushMessage:
    """Return a notification about a table: the title of its game, the names of the other players, and who invites."""
    path = f"/table/{table}"
    company = f" with {listed(list(others))}" if others else ""
    if kind == "turn":
        return PushMessage(f"Your turn: {title}", f"It's your turn in {title}{company}.", path)
    return PushMessage(f"Invitation: {title}", f"{inviter} invites you to a match of {title}.", path)


def notification_mail(settings: MailSettings, to: str, told: PushMessage, kind: str, stop: str) -> EmailMessage:
    """Return a notification as an e-mail, with a link that stops e-mails of this kind."""
    site = settings.site.rstrip("/")
    link = f"{site}/mail/stop?{urlencode({'key': stop, 'kind': kind})}"
    mail = _mail(settings, to, told.title, (
        f"{told.text}\n\n{site}{told.path}\n\n"
        f"You turned on these e-mails on your account page. To stop them:\n{link}"
    ))  # fmt: skip
    mail["List-Unsubscribe"] = f"<{link}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return mail


def confirm_mail(settings: MailSettings, to: str, token: str) -> EmailMessage:
    """Return the e-mail that confirms a new address.

    It contains nothing that the account's owner wrote, since they can send it to any address.
    """
    return _mail(settings, to, "Confirm your e-mail address", (
        f"Someone wants to use this address for their account at {settings.site}. If that is you, confirm it here:\n\n"
        f"{_link(settings, '/mail/confirm', token)}\n\n"
        "The link works once and expires after a day. If you didn't ask for it, ignore this e-mail."
    ))  # fmt: skip


def reset_mail(settings: MailSettings, to: str, name: str, token: str) -> EmailMessage:
    """Return the e-mail with a link for a new password."""
    return _mail(settings, to, "Set a new password", (
        f"Someone asked for a new password for {name} at {settings.site}. If that was you, set it here:\n\n"
        f"{_link(settings, '/sign-in/new-password', token)}\n\n"
        "The link works once and expires after an hour. "
        "If you didn't ask for it, ignore this e-mail: your password won't change."
    ))  # fmt: skip


def warning_mail(settings: MailSettings, to: str) -> EmailMessage:
    """Return the e-mail to an address that its account is about to replace or delete."""
    return _mail(settings, to, "Change to your e-mail address", (
        f"Someone signed in to your account at {settings.site} and asked to replace or delete this address.\n\n"
        "If that wasn't you, sign in, change your password and enter this address again."
    ))  # fmt: skip


def _link(settings: MailSettings, path: str, token: str) -> str:
    return f"{settings.site.rstrip('/')}{path}?{urlencode({'token': token})}"


def _mail(settings: MailSettings, to: str, subject: str, text: str) -> EmailMessage:
    mail = EmailMessage()
    mail["To"], mail["Subject"], mail["Date"] = to, f"Sparring: {subject}", formatdate()
    mail["Message-ID"] = make_msgid(domain=settings.sender.rpartition("@")[2].strip("> "))
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(f"{text}\n")
    return mail


class Dispatcher:
    """Sends e-mails and push notifications. `is_turn_of` tells by a table's row whether it is a person's turn."""

    def __init__(
        self, settings: Settings, store: Database, addresses: EmailAddresses,
        is_turn_of: Callable[[TableRow, str], bool],
    ) -> None:  # fmt: skip
        self.settings, self._store, self._addresses = settings, store, addresses
        self._is_turn_of = is_turn_of
        self.outbox = OutboxStore(store)
        self.choices = NotificationStore(store)
        self.mail = MailSender(settings.mail)
        self.push = PushSender(settings.push, self.choices)

    @property
    def channels(self) -> list[str]:
        """Return the channels by which this server sends notifications."""
        return channels(self.settings)

    async def run(self) -> None:
        """Send what is due until the task is cancelled; return at once if the server sends nothing."""
        while self.channels:
            more = await self.send_due() == AT_ONCE
            await asyncio.sleep(0 if more else OFTEN)

    async def send_due(self) -> int:
        """Send what is due, and return how many messages that were."""
        claimed = await self.outbox.claim(self._now(), AT_ONCE)
        await asyncio.gather(*map(self._send, claimed))
        return len(claimed)

    async def _send(self, message: OutboxRow) -> None:
        """Send a message, or put it back."""
        try:
            await self._deliver(message)
        except SparringError as problem:
            log.warning("A message of the kind %s wasn't sent. %s", message.kind, problem)
            final = isinstance(problem, MailFailed) and problem.final
            if not final and message.failures < len(RETRIES):
                await self._retry(message)
        except Exception as problem:
            log.error("A message of the kind %s failed", message.kind, exc_info=problem)

    async def _retry(self, message: OutboxRow) -> None:
        try:
            await self.outbox.retry(message, self._now() + 1000 * RETRIES[message.failures])
        except StoreError:
            log.warning("A message of the kind %s is lost, since the database failed", message.kind)

    async def _deliver(self, message: OutboxRow) -> None:
        if message.channel not in self.channels:
            return  # the operator has turned it off since
        if message.kind == "reset":
            await self._mail_resets(message.text)
        elif message.kind == "confirm":
            await self._mail_confirmation(message.person or "")
        elif message.kind == "warning":
            await self.mail.send(warning_mail(self.settings.mail, message.text))
        elif told := await self._notification(message):
            await (self._mail_notification if message.channel == "mail" else self._push)(message, told)

    async def _mail_resets(self, name: str) -> None:
        """Send links to the owners of an address or a sign-in name; raise MailFailed if none could be sent."""
        sent, problems = 0, list[MailFailed]()
        for account, address in await self._addresses.store.accounts(name, MOST_ACCOUNTS):
            link = await self._addresses.new_link(account.person, RESET, address)
            try:
                await self.mail.send(reset_mail(self.settings.mail, address, account.name, link))
                sent += 1
            except MailFailed as problem:
                problems.append(problem)
        if problems and not sent:
            raise problems[0]

    async def _mail_confirmation(self, person: str) -> None:
        row = await self._addresses.store.address(person)
        if row and row.pending:
            link = await self._addresses.new_link(person, CONFIRM, row.pending)
            await self.mail.send(confirm_mail(self.settings.mail, row.pending, link))

    async def _notification(self, message: OutboxRow) -> PushMessage | None:
        """Return a notification, or None if it is out of date or no longer wanted."""
        person, table = message.person or "", message.table or ""
        wanted = (message.kind, message.channel) in await self.choices.choices(person)
        row = await self._store.load(table)
        if not wanted or row is None or row.over or (message.kind == "turn" and not self._is_turn_of(row, person)):
            return None
        others = [seat.name for seat in row.seats if seat.person != person and seat.name]
        return notification(message.kind, _title(row.game), others, message.text, table)

    async def _mail_notification(self, message: OutboxRow, told: PushMessage) -> None:
        row = await self._addresses.store.address(message.person or "")
        if row and row.address:
            await self.mail.send(notification_mail(self.settings.mail, row.address, told, message.kind, row.stop))

    async def _push(self, message: OutboxRow, told: PushMessage) -> None:
        """Send a notification to a person's browsers; raise PushFailed if there is a browser and none could be reached.

        Forget browsers that are gone.
        """
        problems = list[SparringError]()
        reached = False
        for device in await self.choices.devices(message.person or ""):
            try:
                await self.push.send(device, told)
                reached = True
            except (DeviceGone, BadDevice):
                await self.choices.remove_device(device.person, device.id)
            except PushFailed as problem:
                problems.append(problem)
        if problems and not reached:
            raise problems[0]

    def _now(self) -> int:
        return int(1000 * self.settings.now())


def _title(name: str) -> str:
    """Return the title of a game, or its name if it isn't installed any more."""
    try:
        return find_game(name).title
    except UnknownGame:
        return name
