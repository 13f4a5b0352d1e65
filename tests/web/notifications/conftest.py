"""A server with a mail catcher, and the outbox under the test's control."""

from collections.abc import Iterator

import pytest

from sparring.people import notifications
from web.app_server import AppServer, StartServer
from web.notifications.mail_catcher import MailCatcher, catch_mail


@pytest.fixture(autouse=True)
def outbox_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the outbox wait for `send_due`: a server's own look into it comes after the test."""
    monkeypatch.setattr(notifications, "OFTEN", 600.0)


@pytest.fixture
def catcher() -> Iterator[MailCatcher]:
    with catch_mail() as caught:
        yield caught


@pytest.fixture
def mailing(start_server: StartServer, catcher: MailCatcher) -> AppServer:
    """Return a server that sends e-mail."""
    return start_server(mail=catcher.settings, notify_after=0.0)
