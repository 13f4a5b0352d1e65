"""Notifications on PostgreSQL: several processes that send from one outbox."""

import asyncio

import pytest

from sparring.store.group_commit import StoreError
from sparring.store.notifications import OutboxStore
from sparring.store.schema import OutboxRow
from web.app_server import StartServer
from web.notifications.mail_catcher import MailCatcher, check_a_link_sets_a_new_password_once
from web.notifications.push_service import PushBrowser, push_service
from web.notifications.turns import check_each_turn_is_one_e_mail

pytestmark = pytest.mark.postgres


def test_each_turn_is_one_e_mail(start_on_postgres: StartServer, catcher: MailCatcher) -> None:
    check_each_turn_is_one_e_mail(start_on_postgres, catcher)


def test_a_link_sets_a_new_password_once(start_on_postgres: StartServer, catcher: MailCatcher) -> None:
    server = start_on_postgres(mail=catcher.settings, notify_after=0.0)
    check_a_link_sets_a_new_password_once(server, catcher, "anna")


def test_null_characters_are_no_errors(start_on_postgres: StartServer, catcher: MailCatcher) -> None:
    """PostgreSQL has no texts with null characters."""
    with push_service() as service:
        server = start_on_postgres(mail=catcher.settings, push=service.settings)
        visitor = server.stranger()
        assert visitor.post("/sign-in/reset", data={"name": "an\0na"}).status_code == 200
        assert visitor.post("/mail/stop", data={"key": "an\0na", "kind": "turn"}).status_code == 200
        assert visitor.post("/sign-in", data={"login": "an\0na", "password": "green teapot"}).status_code == 403
        browser = PushBrowser(f"{service.url}/an\0na")
        assert visitor.post("/me/push", json=browser.subscription).status_code == 422


def test_a_value_that_is_refused_fails_no_other_write(start_on_postgres: StartServer) -> None:
    server = start_on_postgres()
    outbox: OutboxStore = server.app.state.personal_data.dispatcher.outbox
    texts = ["one", "an\0na", "two"]

    async def add_all() -> list[BaseException | None]:
        rows = [OutboxRow(kind="reset", channel="mail", text=text, due=0, failures=0) for text in texts]
        return await asyncio.gather(*map(outbox.add, rows), return_exceptions=True)

    failed = [type(problem) for problem in server.run(add_all())]
    assert failed == [type(None), StoreError, type(None)]
