"""Tables as pages of words: the wish is kept with the person, wherever they are; and taken over from before, once."""

from collections.abc import Iterator

import pytest

from sparring.web.identity import COOKIE, LISTENING
from sparring.web.security.rate_limits import RateLimits
from sparring.web.settings import Limits
from web.accounts.account_helpers import guest, keep, sign_in
from web.app_server import House, Visitor, settings


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    one = House(settings(tmp_path_factory.mktemp("listening")))
    yield one
    one.close()


def wish(visitor: Visitor, tables: str = "words") -> None:
    assert visitor.post("/listening", data={"tables": tables, "back": "/me"}).status_code == 303


def listens(visitor: Visitor) -> bool:
    """Whether tables open as pages of words."""
    return "Open all tables with pictures" in visitor.get("/me").raise_for_status().text


def elsewhere(visitor: Visitor) -> Visitor:
    """The same person in another browser."""
    return Visitor(visitor.house, visitor.http.cookies[COOKIE])


def remembers(visitor: Visitor) -> str:
    return visitor.http.cookies.get(LISTENING) or ""


def before(visitor: Visitor) -> None:
    """A browser from a time in which it alone remembered that."""
    visitor.http.cookies.set(LISTENING, "words", domain="127.0.0.1", path="/")


def test_a_guest_has_it_in_every_browser_of_theirs(house: House) -> None:
    anna = guest(house, "Anna")
    other = elsewhere(anna)
    assert not listens(other)
    wish(anna)
    assert listens(other)
    wish(other, "pictures")
    anna.http.cookies.delete(LISTENING)  # which says for ten seconds what was chosen here
    assert not listens(anna)


def test_an_account_has_it_on_another_device_and_a_guest_brings_it_along(house: House) -> None:
    anna = guest(house, "Bea")
    wish(anna)
    keep(anna, "bea")
    phone = house.stranger()
    sign_in(phone, "bea")
    assert listens(phone)
    quiet, guest_here = guest(house, "Cleo"), guest(house, "Cleo")
    keep(quiet, "cleo")
    wish(guest_here)
    sign_in(guest_here, "cleo", bring="yes")
    guest_here.http.cookies.delete(LISTENING)
    assert listens(guest_here)
    assert listens(quiet)


def test_what_a_person_said_themselves_is_not_changed_by_a_guest_who_comes_along(house: House) -> None:
    dora, guest_here = guest(house, "Dora"), guest(house, "Dora")
    keep(dora, "dora")
    wish(dora, "pictures")
    wish(guest_here)
    sign_in(guest_here, "dora", bring="yes")
    guest_here.http.cookies.delete(LISTENING)
    assert not listens(guest_here)


def test_what_a_browser_remembered_is_taken_over_once(house: House) -> None:
    emma = guest(house, "Emma")
    before(emma)
    other = elsewhere(emma)
    assert listens(emma)
    assert remembers(emma) == ""
    assert listens(other)
    wish(other, "pictures")
    old = elsewhere(emma)
    before(old)
    assert not listens(old), "only once"
    assert remembers(old) == ""


def test_the_browser_of_a_stranger_remembers_it_until_they_are_somebody(house: House) -> None:
    stranger = house.stranger()
    wish(stranger)
    assert listens(stranger)
    assert remembers(stranger) == "words"
    stranger.post("/me/name", data={"name": "Fay"})
    assert COOKIE in stranger.http.cookies
    assert listens(stranger)
    assert remembers(stranger) == ""
    assert listens(elsewhere(stranger))


def test_who_is_deleted_leaves_no_wish_behind(house: House) -> None:
    gina = guest(house, "Gina")
    wish(gina)
    gina.post("/me/delete", data={"sure": "yes"})
    assert not listens(gina)


def test_another_process_that_has_not_heard_of_it_believes_the_browser(house: House) -> None:
    hanna = guest(house, "Hanna")
    listens(hanna)
    accounts = house.app.state.accounts
    forget = accounts.sessions.forget
    accounts.sessions.forget = lambda _: None  # as at a process where somebody else has stored it
    try:
        wish(hanna)
        assert listens(hanna)
        assert not listens(elsewhere(hanna)), "until it reads the database anew"
    finally:
        accounts.sessions.forget = forget


def test_a_wish_is_stored_only_so_often(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house.app.state.accounts, "rate_limits", RateLimits(Limits(preferences_at_once=1)))
    ida = guest(house, "Ida")
    wish(ida)
    assert ida.post("/listening", data={"tables": "pictures"}).status_code == 429
    jane = guest(house, "Jane")
    before(jane)
    assert listens(jane)
    assert remembers(jane) == "words", "nothing is lost"
