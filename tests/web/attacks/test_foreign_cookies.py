"""Servers on one host get each other's cookies, because browsers ignore ports. None of them may lose one of another."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sparring.people.identity import CHOICES, COOKIE, DEVICE, GUEST, TEXT_MODE_COOKIE, IdentityCookie
from sparring.store.person import Person
from web.accounts.account_helpers import create_account, export_data, guest, sign_in
from web.app_server import AppServer, Client, StartServer, settings
from web.studio.sets import create_set


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AppServer, AppServer]]:
    """Two servers with different keys on one host."""
    pair = [
        AppServer(settings(tmp_path_factory.mktemp(name), secret=name, heartbeat=0.05)) for name in ("here", "there")
    ]
    yield pair[0], pair[1]
    for server in pair:
        server.close()


def at(client: Client, server: AppServer) -> Client:
    """Return the same browser at another server: both share all cookies."""
    other = server.stranger()
    other.http.cookies.jar = client.http.cookies.jar
    return other


def names(client: Client) -> set[str]:
    return {cookie.name for cookie in client.http.cookies.jar}


def test_two_servers_on_one_host_keep_each_others_guests(servers: tuple[AppServer, AppServer]) -> None:
    here, there = servers
    anna = guest(here, "Anna")
    elsewhere = at(anna, there)
    assert elsewhere.post("/theme", data={"theme": "dark"}).status_code == 303
    assert elsewhere.post("/me/name", data={"name": "Anna there"}).status_code == 303
    create_account(elsewhere, "anna").raise_for_status()
    elsewhere.post("/me/sign-out-everywhere")
    assert elsewhere.post("/me/name", data={"name": "Somebody"}).status_code == 303
    assert len(export_data(anna)["tables"]) == 1
    assert "Anna" in anna.get("/me").text
    assert export_data(elsewhere)["tables"] == []


def test_an_old_cookie_of_another_server_is_ignored_and_stays(servers: tuple[AppServer, AppServer]) -> None:
    """Both names are as before; a button that answered 403, and deleted the cookie, works."""
    here, there = servers
    browser = there.stranger()
    for name in (COOKIE, GUEST, DEVICE):
        browser.http.cookies.set(
            name, IdentityCookie("here").write(Person("x", "Anna")).value or "", domain="127.0.0.1"
        )
    assert browser.get("/me").status_code == 200
    assert browser.post("/me/name", data={"name": "Ben"}).status_code == 303
    create_account(browser, "ben").raise_for_status()
    sign_in(browser, "ben")
    browser.post("/me/sign-out")
    browser.post("/me/delete", data={"sure": "yes"})
    assert {COOKIE, GUEST, DEVICE} <= names(browser)
    assert at(browser, here).get("/me").text.count("<h1>Anna</h1>") == 1


def test_an_old_cookie_of_this_server_is_read_renamed_and_forgotten(servers: tuple[AppServer, AppServer]) -> None:
    here, _ = servers
    first = guest(here, "Anna")
    browser = here.stranger()
    browser.http.cookies.set(COOKIE, first.cookie(), domain="127.0.0.1")
    assert "<h1>Anna</h1>" in browser.get("/me").text
    assert (browser.cookie(), COOKIE in names(browser)) == (first.cookie(), False)
    create_account(browser, "old").raise_for_status()
    later = here.stranger()
    later.http.cookies.set(COOKIE, browser.cookie(), domain="127.0.0.1")
    later.http.cookies.set(GUEST, guest(here, "Guest").cookie(), domain="127.0.0.1")
    assert later.post("/me/sign-out").status_code == 303
    assert names(later) == {f"{COOKIE}{here.app.state.cookie_names.suffix}"}
    assert "<h1>Guest</h1>" in later.get("/me").text


def test_old_preferences_are_read_until_they_are_changed(servers: tuple[AppServer, AppServer]) -> None:
    here, _ = servers
    browser = here.stranger()
    browser.http.cookies.set("theme", "dark", domain="127.0.0.1")
    assert 'data-theme="dark"' in browser.get("/").text
    browser.post("/theme", data={"theme": "light"})
    assert 'data-theme="light"' in browser.get("/").text
    assert browser.http.cookies["theme"] == "dark"  # another server's, perhaps


def test_an_unreadable_cookie_of_this_server_is_replaced(servers: tuple[AppServer, AppServer]) -> None:
    here, _ = servers
    browser = here.stranger()
    seats = {"name": "Anna", "seat1": "me", "seat2": "open"}
    for page in ("form", "page"):
        browser.set_cookie("nonsense")
        if page == "page":
            assert browser.get("/").status_code == 200
        else:
            assert browser.post("/games/hush", data=seats).status_code == 403
        assert browser.cookie() == ""
    assert browser.post("/games/hush", data=seats).status_code == 303
    assert "<h1>Anna</h1>" in browser.get("/me").text


def test_all_cookies_carry_the_servers_hash(servers: tuple[AppServer, AppServer]) -> None:
    here, _ = servers
    anna = guest(here, "Anna")
    for path in ("theme", "choices", "listening"):
        anna.post(f"/{path}")
    anna.post("/quick", data={"game": "hush", "against": "random"})
    address = create_set(anna, game="mace")
    anna.post(f"{address}/play", data={"name": "Anna"})
    anna.get("/games/mace/learn?made=")
    create_account(anna, "every cookie")
    sign_in(guest_cookie := guest(here, "Ben"), "every cookie")
    known = names(anna) | names(guest_cookie)
    suffix = here.app.state.cookie_names.suffix
    assert {name for name in known if not name.endswith(suffix)} == set()
    wanted = {COOKIE, GUEST, DEVICE, CHOICES, TEXT_MODE_COOKIE, "theme", "quick", "set", "learn-mace"}
    assert wanted <= {name.removesuffix(suffix) for name in known}


def test_the_names_outlast_a_new_key_and_are_those_of_all_processes(start_server: StartServer, tmp_path: Path) -> None:
    first, second = start_server(), start_server()
    anna = guest(first, "Anna")
    assert "<h1>Anna</h1>" in at(anna, second).get("/me").text
    rotated = start_server(secret="new", older_secrets=("known",))
    assert "<h1>Anna</h1>" in at(anna, rotated).get("/me").text
    assert len({server.app.state.cookie_names.suffix for server in (first, second, rotated)}) == 1
