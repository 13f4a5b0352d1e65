"""The text mode preference: stored with the person, and migrated once from the old cookie."""

import pytest

from sparring.people.identity import COOKIE, TEXT_MODE_COOKIE
from sparring.people.rate_limits import RateLimits
from sparring.settings import Limits
from sparring.store.accounts import CurrentAccount
from web.accounts.account_helpers import create_account, guest, id_of, sign_in, uses_text_mode
from web.app_server import AppServer, Client


def set_preference(client: Client, tables: str = "words") -> None:
    assert client.post("/listening", data={"tables": tables, "back": "/me"}).status_code == 303


def has_cookie(client: Client) -> str:
    return client.cookie(TEXT_MODE_COOKIE).strip('"')


def drop_cookie(client: Client) -> None:
    client.set_cookie("", TEXT_MODE_COOKIE)


def with_legacy_cookie(client: Client) -> None:
    """Return a client with the old cookie, which was the only storage once."""
    client.http.cookies.set(TEXT_MODE_COOKIE, "words", domain="127.0.0.1", path="/")


def test_a_guests_preference_applies_in_all_their_browsers(server: AppServer) -> None:
    anna = guest(server, "Anna")
    other = Client(server, anna.cookie())
    assert not uses_text_mode(other)
    set_preference(anna)
    assert uses_text_mode(other)
    set_preference(other, "pictures")
    drop_cookie(anna)  # which keeps for ten seconds what was chosen here
    assert not uses_text_mode(anna)


def test_the_preference_follows_an_account_and_a_merged_guest(server: AppServer) -> None:
    anna = guest(server, "Bea")
    set_preference(anna)
    create_account(anna, "bea")
    phone = server.stranger()
    sign_in(phone, "bea")
    assert uses_text_mode(phone)
    quiet, guest_here = guest(server, "Cleo"), guest(server, "Cleo")
    create_account(quiet, "cleo")
    set_preference(guest_here)
    sign_in(guest_here, "cleo", bring="yes")
    drop_cookie(guest_here)
    assert uses_text_mode(guest_here)
    assert uses_text_mode(quiet)


def test_an_accounts_own_preference_is_not_replaced_by_a_guests(server: AppServer) -> None:
    dora, guest_here = guest(server, "Dora"), guest(server, "Dora")
    create_account(dora, "dora")
    set_preference(dora, "pictures")
    set_preference(guest_here)
    sign_in(guest_here, "dora", bring="yes")
    drop_cookie(guest_here)
    assert not uses_text_mode(guest_here)


def test_a_legacy_cookie_is_migrated_once(server: AppServer) -> None:
    emma = guest(server, "Emma")
    with_legacy_cookie(emma)
    other = Client(server, emma.cookie())
    assert uses_text_mode(emma)
    assert has_cookie(emma) == ""
    assert uses_text_mode(other)
    set_preference(other, "pictures")
    old = Client(server, emma.cookie())
    with_legacy_cookie(old)
    assert not uses_text_mode(old), "only once"
    assert has_cookie(old) == ""


def test_a_strangers_preference_is_in_a_cookie_until_they_have_an_identity(server: AppServer) -> None:
    stranger = server.stranger()
    set_preference(stranger)
    assert uses_text_mode(stranger)
    assert has_cookie(stranger) == "words"
    stranger.post("/me/name", data={"name": "Fay"})
    assert stranger.cookie(COOKIE)
    assert uses_text_mode(stranger)
    assert has_cookie(stranger) == ""
    assert uses_text_mode(Client(server, stranger.cookie()))


def test_an_uninformed_process_uses_the_cookie(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    hanna, known = guest(server, "Hanna"), server.app.state.accounts.sessions
    before: CurrentAccount = server.run(known.current(id_of(hanna)))

    async def current(*_: object) -> CurrentAccount:
        return before

    monkeypatch.setattr(known, "current", current)  # as at a process that doesn't know of the change
    set_preference(hanna)
    assert uses_text_mode(hanna)
    assert not uses_text_mode(Client(server, hanna.cookie())), "until it reads the database again"


def test_preference_changes_are_rate_limited(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.app.state.accounts, "rate_limits", RateLimits(Limits(preferences_at_once=1)))
    ida = guest(server, "Ida")
    set_preference(ida)
    assert ida.post("/listening", data={"tables": "pictures"}).status_code == 429
    jane = guest(server, "Jane")
    with_legacy_cookie(jane)
    assert uses_text_mode(jane)
    assert has_cookie(jane) == "words", "nothing is lost"
