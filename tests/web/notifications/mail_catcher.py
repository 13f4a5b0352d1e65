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

from sparring.people.notifications import Dispatcher
from sparring.serve import listen
from sparring.settings import MailSettings
from web.accounts.account_helpers import (
    copy_session,
    new_account,
    sign_in,
)
from web.app_server import AppServer, Client

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
    dispatcher: Dispatcher = server.app.state.personal_data.dispatcher
    return server.run(dispatcher.send_due())


def link_in(mail: EmailMessage) -> str:
    """Return the path of the first link to the site in an e-mail."""
    [path] = re.findall(rf"^{SITE}(\S+)\r?$", mail.get_content(), re.MULTILINE)[:1]
    return str(path)


def with_address(server: AppServer, catcher: MailCatcher, name: str, address: str) -> Client:
    """Return a client with a new account and a confirmed address."""
    client = new_account(server, name)
    confirm(client, catcher, address)
    return client


def confirm(client: Client, catcher: MailCatcher, address: str) -> None:
    assert client.post("/me/address", data={"address": address}).headers["location"] == "/me?said=mailed"
    send_due(client.server)
    mail = catcher.take()
    assert mail["To"] == address
    token = link_in(mail).partition("token=")[2]
    assert "is confirmed" in client.server.stranger().post("/mail/confirm", data={"token": token}).text


def ask_for_reset(server: AppServer, name: str) -> str:
    """Ask for a link, and return the answer."""
    response = server.stranger().post("/sign-in/reset", data={"name": name})
    assert response.status_code == 200
    return response.text


def reset_link(server: AppServer, catcher: MailCatcher, name: str) -> str:
    ask_for_reset(server, name)
    send_due(server)
    return link_in(catcher.take())


NEW = "another green teapot"


def set_password(client: Client, link: str, password: str = NEW, **more: str) -> str:
    """Set a password by a link; return the redirect, or the page with the error."""
    token = link.partition("token=")[2]
    response = client.post("/sign-in/new-password", data={"token": token, "password": password, **more})
    return response.headers.get("location") or response.text


def check_a_link_sets_a_new_password_once(mailing: AppServer, catcher: MailCatcher, name: str) -> None:
    anna = with_address(mailing, catcher, "anna", "Anna@example.com")
    thief = copy_session(anna)
    link = reset_link(mailing, catcher, name)
    phone = mailing.stranger()
    assert "Set a new password" in phone.get(link).text  # opening it, as mail scanners do, doesn't use it up
    assert set_password(phone, link) == "/me?said=reset"
    assert "Your new password is set." in phone.get("/me?said=reset").text
    for other in (anna, thief):
        assert "You were signed out" in other.get("/me").text
    assert sign_in(mailing.stranger(), "anna").status_code == 403
    assert sign_in(mailing.stranger(), "anna", NEW).status_code == 303
    assert "used already or have expired" in set_password(mailing.stranger(), link, "yet another teapot")
    assert sign_in(mailing.stranger(), "anna", NEW).status_code == 303
