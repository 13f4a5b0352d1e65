"""A mail server on this machine that catches e-mails, and a server that sends them there."""

import email
import email.policy
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from sparring.web.notifications.dispatcher import Dispatcher
from sparring.web.serve import listen
from sparring.web.settings import MailSettings
from web.app_server import AppServer

SENDER, SITE = "Sparring <play@table.example>", "https://table.example"


@dataclass
class MailCatcher:
    """The e-mails that a mail server has taken; it can be told to refuse them with a status code."""

    mails: list[EmailMessage] = field(default_factory=list)
    refusal: str = ""
    port: int = 0

    @property
    def settings(self) -> MailSettings:
        return MailSettings(server=f"smtp+plain://127.0.0.1:{self.port}", sender=SENDER, site=SITE)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - the name is aiosmtpd's
        if self.refusal:
            return self.refusal
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(mail, EmailMessage)
        assert envelope.rcpt_tos == [mail["To"]]
        self.mails.append(mail)
        return "250 OK"

    def take(self) -> EmailMessage:
        """Return the only e-mail that has come since the last call."""
        [mail] = self.mails
        self.mails.clear()
        return mail


@contextmanager
def catch_mail() -> Iterator[MailCatcher]:
    """Run a mail server while the block runs."""
    catcher = MailCatcher()
    with listen("127.0.0.1", 0) as free:
        catcher.port = free.getsockname()[1]
    controller = Controller(catcher, hostname="127.0.0.1", port=catcher.port)
    controller.start()
    try:
        yield catcher
    finally:
        controller.stop()


def send_due(server: AppServer) -> int:
    """Send what is in the outbox, as the server does every few seconds."""
    dispatcher: Dispatcher = server.app.state.holdings.dispatcher
    return server.run(dispatcher.send_due())


def link_in(mail: EmailMessage) -> str:
    """Return the path of the first link to the site in an e-mail."""
    [path] = re.findall(rf"^{SITE}(\S+)\r?$", mail.get_content(), re.MULTILINE)[:1]
    return str(path)
