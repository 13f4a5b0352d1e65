"""E-mail addresses of accounts, and new passwords by e-mail."""

import pytest

from sparring.people import emails
from sparring.people.emails import BadAddress, digest_of_link, read_address
from sparring.settings import Limits
from web.accounts.account_helpers import (
    add_passkey,
    begin_passkey,
    export_data,
    guest,
    new_account,
    sign_in,
    via_host,
)
from web.accounts.stored_fields import stored
from web.app_server import AppServer, StartServer
from web.notifications.mail_catcher import (
    NEW,
    MailCatcher,
    ask_for_reset,
    check_a_link_sets_a_new_password_once,
    confirm,
    link_in,
    reset_link,
    send_due,
    set_password,
    with_address,
)


def test_no_one_can_send_their_own_words_to_a_strangers_address(mailing: AppServer, catcher: MailCatcher) -> None:
    spammer = new_account(mailing, "win.example/now")
    spammer.post("/me/address", data={"address": "stranger@example.com"})
    send_due(mailing)
    assert "win.example" not in catcher.take().get_content()


def test_a_refused_password_keeps_the_link(mailing: AppServer, catcher: MailCatcher) -> None:
    with_address(mailing, catcher, "anna", "anna@example.com")
    link = reset_link(mailing, catcher, "anna")
    assert "8 to 200 characters" in set_password(mailing.stranger(), link, "short")
    assert set_password(mailing.stranger(), link) == "/me?said=reset"


def test_every_name_and_address_gets_the_same_answer_after_the_same_work(
    mailing: AppServer, catcher: MailCatcher
) -> None:
    with_address(mailing, catcher, "anna", "anna@example.com")
    new_account(mailing, "ben")
    answers = {
        ask_for_reset(mailing, name) for name in ("anna", "anna@example.com", "ben", "nobody", "nobody@example.com", "")
    }
    assert len(answers) == 1
    waiting = [value for table, column, value in mailing.run(stored(mailing)) if (table, column) == ("outbox", "kind")]
    assert waiting == ["reset"] * 6  # one row each: the accounts are looked up later
    send_due(mailing)
    assert [mail["To"] for mail in catcher.mails] == ["anna@example.com"] * 2


def test_only_a_confirmed_address_gets_links(mailing: AppServer, catcher: MailCatcher) -> None:
    anna = new_account(mailing, "anna")
    anna.post("/me/address", data={"address": "wrong@example.com"})
    send_due(mailing)
    catcher.take()
    ask_for_reset(mailing, "anna")
    ask_for_reset(mailing, "wrong@example.com")
    send_due(mailing)
    assert catcher.mails == []


def test_accounts_that_share_an_address_get_a_link_each(mailing: AppServer, catcher: MailCatcher) -> None:
    for name in ("anna", "ben"):
        with_address(mailing, catcher, name, "family@example.com")
    ask_for_reset(mailing, "family@example.com")
    send_due(mailing)
    assert [("anna" in mail.get_content(), "ben" in mail.get_content()) for mail in catcher.mails] == [
        (True, False), (False, True)
    ]  # fmt: skip


def test_a_link_expires(mailing: AppServer, catcher: MailCatcher, monkeypatch: pytest.MonkeyPatch) -> None:
    with_address(mailing, catcher, "anna", "anna@example.com")
    monkeypatch.setitem(emails.VALID, "reset", -1)
    link = reset_link(mailing, catcher, "anna")
    page = mailing.stranger().get(link)
    assert (page.status_code, "used already or have expired" in page.text) == (403, True)
    assert "used already or have expired" in set_password(mailing.stranger(), link)


@pytest.mark.parametrize("what", ["password", "everywhere", "address", "operator"])
def test_a_change_makes_older_links_invalid(mailing: AppServer, catcher: MailCatcher, what: str) -> None:
    anna = with_address(mailing, catcher, "anna", "anna@example.com")
    link = reset_link(mailing, catcher, "anna")
    if what == "password":
        anna.post("/me/password", data={"login": "anna", "password": "a third green teapot"})
    elif what == "everywhere":
        anna.post("/me/sign-out-everywhere")
    elif what == "address":
        anna.post("/me/address/remove")
    else:
        account = mailing.run(mailing.app.state.accounts.store.load(folded="anna"))
        mailing.run(mailing.app.state.accounts.recovery.reset(account, passkeys=False))
    assert "used already or have expired" in set_password(mailing.stranger(), link)


def test_an_account_with_passkeys_gets_a_name_and_a_password(mailing: AppServer, catcher: MailCatcher) -> None:
    new_account(mailing, "taken")
    anna = via_host(mailing.stranger())
    add_passkey(anna)
    confirm(anna, catcher, "anna@example.com")
    link = reset_link(mailing, catcher, "anna@example.com")
    phone = mailing.stranger()
    assert 'name="login"' in phone.get(link).text
    assert "taken. Choose another one" in set_password(phone, link, login="taken")
    assert set_password(phone, link, login="anna") == "/me?said=reset"
    assert sign_in(mailing.stranger(), "anna", NEW).status_code == 303


def test_no_link_is_stored(mailing: AppServer, catcher: MailCatcher) -> None:
    with_address(mailing, catcher, "anna", "anna@example.com")
    token = reset_link(mailing, catcher, "anna").partition("token=")[2]
    values = {str(value) for _, _, value in mailing.run(stored(mailing))}
    assert token not in values
    assert digest_of_link(token) in values


def test_requests_are_limited_per_name_and_per_client(start_server: StartServer, catcher: MailCatcher) -> None:
    server = start_server(mail=catcher.settings, limits=Limits(mails_at_once=5, mails_to_at_once=2))

    def status(name: str) -> int:
        return server.stranger().post("/sign-in/reset", data={"name": name}).status_code

    assert [status("anna") for _ in range(3)] == [200, 200, 429]
    assert [status(f"name {number}") for number in range(3)] == [200, 200, 429]


def test_an_address_is_confirmed_by_a_press_and_not_by_opening_the_link(
    mailing: AppServer, catcher: MailCatcher
) -> None:
    anna = new_account(mailing, "anna")
    anna.post("/me/address", data={"address": "anna@example.com"})
    send_due(mailing)
    link = link_in(catcher.take())
    mailing.stranger().get(link)
    assert "Not confirmed yet: <b>anna@example.com</b>" in anna.get("/me").text
    token = link.partition("token=")[2]
    assert mailing.stranger().post("/mail/confirm", data={"token": token}).status_code == 200
    assert "Your address is <b>anna@example.com</b>." in anna.get("/me").text
    assert mailing.stranger().post("/mail/confirm", data={"token": token}).status_code == 403


def test_a_new_address_replaces_the_old_one_when_it_is_confirmed(mailing: AppServer, catcher: MailCatcher) -> None:
    anna = with_address(mailing, catcher, "anna", "old@example.com")
    anna.post("/me/address", data={"address": "new@example.com"})
    send_due(mailing)
    warning, confirmation = sorted(catcher.mails, key=lambda mail: mail["To"] == "new@example.com")
    catcher.mails.clear()
    assert (warning["To"], warning["Subject"]) == ("old@example.com", "Sparring: Change to your e-mail address")
    first = link_in(confirmation).partition("token=")[2]
    ask_for_reset(mailing, "anna")
    send_due(mailing)
    assert catcher.take()["To"] == "old@example.com"
    assert anna.post("/me/address", data={"address": "newer@example.com"}).status_code == 303
    send_due(mailing)
    [token] = [link_in(mail).partition("token=")[2] for mail in catcher.mails if mail["To"] == "newer@example.com"]
    catcher.mails.clear()
    assert mailing.stranger().post("/mail/confirm", data={"token": token}).status_code == 200
    assert mailing.stranger().post("/mail/confirm", data={"token": first}).status_code == 403
    ask_for_reset(mailing, "anna")
    send_due(mailing)
    assert catcher.take()["To"] == "newer@example.com"


def test_changing_an_address_needs_a_recent_sign_in(
    mailing: AppServer, catcher: MailCatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna = with_address(mailing, catcher, "anna", "anna@example.com")
    monkeypatch.setattr("sparring.people.accounts.FRESH", -1)
    for path in ("/me/address", "/me/address/remove"):
        refused = anna.post(path, data={"address": "thief@example.com"})
        assert (refused.status_code, "sign in again first" in refused.text) == (403, True)
    assert export_data(anna)["e-mail address"] == "anna@example.com"
    assert guest(mailing, "Guest").post("/me/address", data={"address": "a@example.com"}).status_code == 403


@pytest.mark.parametrize(
    "text",
    ["", "anna", "anna@", "@example.com", "anna@example", "a b@example.com", "a@example.com\nBcc: b@example.com",
     "<a@example.com>", "ánna@example.com", "a@-example.com", f"{'a' * 65}@example.com", f"a@{'b.' * 130}com"],
)  # fmt: skip
def test_a_malformed_address_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        read_address(text)


def test_the_address_is_exported_and_deleted_and_no_one_else_sees_it(mailing: AppServer, catcher: MailCatcher) -> None:
    anna = with_address(mailing, catcher, "anna", "private@example.com")
    anna.post("/me/address", data={"address": "other@example.com"})
    told = export_data(anna)
    assert (told["e-mail address"], told["e-mail address to confirm"]) == ("private@example.com", "other@example.com")
    anna.post("/me/shown", data={"listed": "yes", "page": "yes"})
    account = mailing.run(mailing.app.state.accounts.store.load(folded="anna"))
    table = mailing.table("Ben", "bot")
    for page in (f"/people/{account.page}", f"/table/{table}", "/leaderboard"):
        assert "private@" not in mailing.person("Ben").get(page).text
    anna.post("/me/delete", data={"sure": "yes"})
    assert not [value for _, _, value in mailing.run(stored(mailing)) if "@example.com" in str(value)]


def test_a_server_without_mail_offers_none(start_server: StartServer) -> None:
    server = start_server()
    anna = new_account(server, "anna")
    for client, page in ((anna, "/me"), (anna, "/sign-in"), (server.stranger(), "/sign-in/recovery")):
        text = client.get(page).text.lower()
        assert "e-mail" not in text
        assert "notification" not in text
    for path in ("/sign-in/reset", "/sign-in/new-password", "/mail/confirm", "/mail/stop"):
        assert anna.get(path).status_code == 404
        assert anna.post(path, data={"name": "anna"}).status_code == 404
    assert anna.post("/me/address", data={"address": "anna@example.com"}).status_code == 404
    assert anna.post("/me/notifications", data={"turn-mail": "yes"}).status_code == 404
    assert begin_passkey(via_host(server.stranger()))["ticket"]  # other ways to sign in are as before


def test_a_failing_mail_server_is_tried_again(mailing: AppServer, catcher: MailCatcher) -> None:
    anna = with_address(mailing, catcher, "anna", "anna@example.com")
    catcher.refusal = "451 later"
    ask_for_reset(mailing, "anna")
    assert send_due(mailing) == 1
    assert send_due(mailing) == 0  # not before a minute
    assert catcher.mails == []
    rows = [(column, value) for table, column, value in mailing.run(stored(mailing)) if table == "outbox"]
    assert ("failures", 1) in rows
    assert anna.get("/me").status_code == 200


def test_a_mail_that_is_refused_for_good_is_dropped(mailing: AppServer, catcher: MailCatcher) -> None:
    with_address(mailing, catcher, "anna", "anna@example.com")
    catcher.refusal = "554 never"
    ask_for_reset(mailing, "anna")
    assert send_due(mailing) == 1
    assert [value for table, _, value in mailing.run(stored(mailing)) if table == "outbox"] == []


@pytest.mark.parametrize("name", ["anna@example.com", "Anna@Example.COM", "anna", " ANNA "])
def test_a_link_sets_a_new_password_once_and_ends_all_sessions(
    mailing: AppServer, catcher: MailCatcher, name: str
) -> None:
    check_a_link_sets_a_new_password_once(mailing, catcher, name)
