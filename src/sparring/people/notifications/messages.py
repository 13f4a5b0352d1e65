"""The texts of e-mails and push notifications. Of a match they name only the game and the players."""

from collections.abc import Sequence
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from urllib.parse import urlencode

from sparring.scene.sentences import listed
from sparring.settings import MailSettings

from .push import PushMessage

#: Kinds of notifications, with the names of their choices on the account page.
KINDS = {
    "turn": "It's my turn (in matches with days per turn)",
    "invitation": "Someone invites me to a match or a rematch",
}
#: Ways to send them.
WAYS = {"mail": "E-mail", "push": "Push"}


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
