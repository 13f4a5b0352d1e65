"""Page titles: every page says what it is, then the site, so that tabs, bookmarks and history read alike."""

import re
from collections.abc import Iterator

import pytest
from litestar.routes import HTTPRoute

from web.accounts.account_helpers import new_account
from web.app_server import AppServer, StartServer
from web.notifications.mail_catcher import catch_mail

#: Pages with a parameter in their path. `{table}`, `{over}` and `{set}` stand for what the test makes.
WITH_PARAMETERS = [
    "/games/hush", "/games/mace/rules", "/games/mace/positions", "/games/mace/learn", "/games/mace/learn/text",
    "/games/mace/leaderboard", "/play/hush", "/puzzles/mace/daily", "/table/{table}", "/table/{table}/text",
    "/table/{table}/chat", "/table/{table}/replay", "/table/{table}/replay/text", "/studio/{set}",
    "/studio/{set}/table", "/studio/{set}/learn", "/studio/{set}/tune", "/studio/{set}/report", "/no-such-page",
    "/table/no-such-table", "/mail/confirm?token=a", "/mail/stop?key=a&kind=turn",
]  # fmt: skip


def title_of(html: str) -> str:
    [title] = re.findall("<title>([^<]*)</title>", html.partition("<body")[0])
    return str(title)


@pytest.fixture
def mailing(start_server: StartServer) -> Iterator[AppServer]:
    with catch_mail() as catcher:
        yield start_server(mail=catcher.settings)


def pages_without_parameters(server: AppServer) -> list[str]:
    """Return the addresses of the server's own pages, without those that programs read."""
    paths = [route.path for route in server.app.routes if isinstance(route, HTTPRoute) and "GET" in route.methods]
    return sorted({path for path in paths if "{" not in path and not path.startswith("/api/")})


def test_every_title_is_the_page_and_then_the_site(mailing: AppServer) -> None:
    anna = new_account(mailing, "anna")
    table = anna.post("/games/hush", data={"name": "Anna", "seat1": "me", "seat2": "open"}).headers["location"]
    made = anna.post("/studio", data={"game": "make-your-moves", "title": "Harbour", "name": "Anna", "from": "own"})
    known = {"table": table.rpartition("/")[2], "set": made.headers["location"].rpartition("/")[2]}
    addresses = [address.format(**known) for address in WITH_PARAMETERS] + pages_without_parameters(mailing)
    titles = dict[str, str]()
    for client in (anna, mailing.stranger()):
        for address in addresses:
            answer = client.get(address)
            if answer.text.startswith("<!doctype html>"):
                titles[f"{address} {client is anna}"] = title_of(answer.text)
    assert (titles.pop("/ True"), titles.pop("/ False")) == ("Your turn: Sparring", "Sparring")
    assert len(titles) > 60
    wrong = {address: title for address, title in titles.items() if not re.fullmatch(r"[A-Z].* · Sparring", title)}
    assert wrong == {}


def test_a_forms_address_that_is_opened_says_what_to_do(mailing: AppServer) -> None:
    stranger = mailing.stranger()
    page, program = stranger.get("/quick"), stranger.get("/api/table/x/choose")
    assert (page.status_code, "start again from the start page" in page.text) == (405, True)
    assert "HTTP method" in program.json()["reason"]
