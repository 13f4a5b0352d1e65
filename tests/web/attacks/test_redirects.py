"""Open redirects: `back` leads to a page of this server, or else to the start page."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import sparring.site
from web.accounts.account_helpers import (
    Authenticator,
    add_passkey,
    guest,
    new_account,
    sign_in,
    sign_in_with_passkey,
    via_host,
)
from web.app_server import HIGH_LIMITS, AppServer, Client, settings

TEMPLATES = Path(sparring.site.__file__).parent / "templates"
EVIL = "evil.example"
AWAY = [
    f"https://{EVIL}", f"http://{EVIL}/", f"https:{EVIL}", f"https:/{EVIL}", f"javascript:alert(1)//{EVIL}",
    f"data:text/html,{EVIL}", EVIL, f"me//{EVIL}", f"?next=https://{EVIL}",
    f"//{EVIL}", f"///{EVIL}", f"////{EVIL}", f"/./{EVIL}", f"/../{EVIL}", f"/.//{EVIL}", f"/me/..//{EVIL}",
    f"/;//{EVIL}", f"/me#//{EVIL}", f"/me?next=//{EVIL}", f"/@{EVIL}", f"@{EVIL}", f"/me@{EVIL}", f"//me@{EVIL}",
    f"/\\{EVIL}", f"\\\\{EVIL}", f"\\/{EVIL}", f"/me\\@{EVIL}",
    f"/\t/{EVIL}", f"/\n/{EVIL}", f"/\r\n/{EVIL}", f"\t//{EVIL}", f" //{EVIL}", f"/ /{EVIL}", f"\0//{EVIL}",
    f"/\x0b/{EVIL}", f"/\x7f/{EVIL}", f"/me\r\nLocation: https://{EVIL}",
    f"/%09/{EVIL}", f"/%2f{EVIL}", f"/%5c{EVIL}", f"%2f%2f{EVIL}", f"/%0d%0aLocation:%20https://{EVIL}",
    f"/%2509/{EVIL}", f"/%252f{EVIL}", f"%252f%252f{EVIL}",
    f"/\uff0e\uff0e/{EVIL}", f"\uff0f\uff0f{EVIL}", f"/\uff0f{EVIL}", f"/\u2044{EVIL}",
    f"/\u2028/{EVIL}", f"/\u200b/{EVIL}",
]  # fmt: skip
#: Addresses outside this server, and addresses that are no page of it.
NO_PAGE = [
    "/nowhere", "/me/", "/table", "/table/x/events", "/table/x/record", "/me/data", "/health", "/api/me", "/me/keep",
    "/me/sign-out", "/schema/openapi.json", "/worker.js", "/static/site.css", "/%6de", "/me%00", "/me\n", "/me ", "/ME",
    "/table/x%2Ftext", "me",
]  # fmt: skip
PAGES = [
    "/", "/me", "/me/delete", "/tables", "/games/hush", "/games/hush/rules", "/leaderboard", "/table/some_table-9",
    "/table/x/text", "/table/x?pictures=true", "/table/x/replay/text?at=3&view=1", "/people/A_b-9",
]  # fmt: skip

#: Every address with `back`, and how to trigger its redirect.
Redirect = Callable[[AppServer, str], str]
FORMS = ("/theme", "/choices", "/listening")


def by_form(path: str) -> Redirect:
    def led(server: AppServer, back: str) -> str:
        said = {"back": back, "theme": "dark", "choices": "every", "tables": "words"}
        return server.stranger().post(path, data=said).headers["location"]

    return led


def by_password(server: AppServer, back: str) -> str:
    return sign_in(server.stranger(), "led astray", back=back).headers["location"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    server = AppServer(settings(tmp_path_factory.mktemp("server"), limits=replace(HIGH_LIMITS, names_at_once=100_000)))
    yield server
    server.close()


@pytest.fixture(scope="module")
def owner(server: AppServer) -> Client:
    return new_account(server, "led astray")


@pytest.fixture(scope="module")
def key(server: AppServer) -> tuple[Client, Authenticator]:
    anna = via_host(guest(server, "Anna"))
    return anna, add_passkey(anna)


LED: dict[str, Redirect] = {"/sign-in": by_password, **{path: by_form(path) for path in FORMS}}


@pytest.mark.parametrize("path", LED)
@pytest.mark.usefixtures("owner")
def test_back_never_leaves_this_server(server: AppServer, path: str) -> None:
    led = {back: LED[path](server, back) for back in (*AWAY, *NO_PAGE)}
    assert {back: to for back, to in led.items() if to != "/"} == {}


@pytest.mark.parametrize("path", LED)
@pytest.mark.usefixtures("owner")
def test_back_accepts_every_page_of_this_server(server: AppServer, path: str) -> None:
    assert {back: LED[path](server, back) for back in PAGES} == {back: back for back in PAGES}


def test_passkey_sign_in_has_no_open_redirect(server: AppServer, key: tuple[Client, Authenticator]) -> None:
    """The reported attack: `/sign-in?back=/%09/evil.example` led away after a passkey."""
    anna, device = key
    page = anna.get(f"/sign-in?back=/%09/{EVIL}").text
    back = re.findall(r'name="back" value="([^"]*)"', page)[0]
    assert back == f"/\t/{EVIL}"
    for each, to in [(back, "/"), *((bad, "/") for bad in AWAY), *((good, good) for good in PAGES)]:
        assert sign_in_with_passkey(via_host(server.stranger()), device, back=each).json()["to"] == to, each


def test_every_route_with_back_is_tested() -> None:
    found = set()
    for template in TEMPLATES.glob("*.html"):
        for form in re.findall(r"<form.*?</form>", template.read_text(encoding="utf-8"), re.DOTALL):
            if 'name="back"' in form:
                found.add("by a passkey" if "data-come-in" in form else re.findall(r'action="(.*?)"', form)[0])
    assert found == {*LED, "by a passkey"}
