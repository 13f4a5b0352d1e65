"""A guest who used a browser before, or planted its cookie, tries to act as the account that the next person gets.

Each door is a way in which a guest becomes or joins an account; whatever acts as the guest ends there.
"""

import json
import re
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import pytest
from alembic import command
from sqlalchemy import create_engine, text

from sparring.store.migrations import migrate
from sparring.store.notifications import RESET
from web.accounts.account_helpers import (
    Authenticator,
    add_passkey,
    begin_passkey,
    codes_in,
    copy_session,
    create_account,
    create_table,
    export_data,
    guest,
    id_of,
    new_account,
    sign_in,
    sign_in_with_passkey,
    via_host,
)
from web.accounts.token_helpers import TOKEN, make_token, program
from web.app_server import AppServer, Client, settings
from web.notifications.mail_catcher import catch_mail
from web.notifications.push_service import PushBrowser, push_service
from web.upgrades.steps import add_rows, config_of

ENDED = "API tokens and push notifications that were set up here as a guest have ended."
NEW = "another green teapot"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """A server that sends e-mails and push notifications."""
    with catch_mail() as catcher, push_service() as service:
        folder = tmp_path_factory.mktemp("server")
        started = AppServer(settings(folder, mail=catcher.settings, push=service.settings, heartbeat=0.05))
        yield started
        started.close()


def subscribe(client: Client, name: str) -> None:
    """Let a browser get push notifications."""
    browser = PushBrowser(f"{client.server.settings.push.services[0]}/{name}")
    client.post("/me/push", json=browser.subscription).raise_for_status()


@dataclass
class Account:
    """An account that exists already, with what signs in to it."""

    owner: Client
    codes: list[str]
    passkey: Authenticator
    token: str

    def reset_link(self) -> str:
        addresses = self.owner.server.app.state.personal_data.addresses
        return str(self.owner.server.run(addresses.new_link(id_of(self.owner), RESET, "a@b.example")))


def existing_account(server: AppServer, name: str) -> Account:
    owner = via_host(server.stranger())
    codes = codes_in(create_account(owner, name))
    account = Account(owner, codes, add_passkey(owner), make_token(owner))
    subscribe(owner, f"own-{name}")
    return account


#: How a guest becomes an account.
BECOMES: dict[str, Callable[[Client, str], object]] = {
    "creates one with a password": lambda browser, name: create_account(browser, name).raise_for_status(),
    "creates one with a passkey": lambda browser, _: add_passkey(browser),
}
#: How a guest joins an account, with the box ticked or not.
JOINS: dict[str, Callable[[Client, str, Account, bool], object]] = {
    "password": lambda browser, name, _, box: sign_in(browser, name, **ticked(box)),
    "passkey": lambda browser, _, account, box: sign_in_with_passkey(browser, account.passkey, bring=box),
    "recovery code": lambda browser, _, account, box: browser.post(
        "/sign-in/recovery", data={"code": account.codes[0], **ticked(box)}
    ),
    "link by e-mail": lambda browser, _, account, box: browser.post(
        "/sign-in/new-password", data={"token": account.reset_link(), "password": NEW, **ticked(box)}
    ),
}


def ticked(box: bool) -> dict[str, str]:
    return {"bring": "yes"} if box else {}


@dataclass
class Planted:
    """What an attacker has of a guest: a token, a copy of the cookie, and a browser with push notifications."""

    cookie: Client
    program: Client
    table: str


def plant(server: AppServer, name: str) -> Planted:
    eve = via_host(guest(server, "Eve"))
    subscribe(eve, f"eve-{name}")
    return Planted(eve, program(server, make_token(eve)), create_table(server, eve, None))


def check_ended(planted: Planted, owner: Client, devices: int) -> None:
    """Check that nothing of the attacker acts as the account, which has the guest's table, and says what ended."""
    assert planted.program.get("/api/me").status_code == 401
    assert planted.program.get(f"/api/table/{planted.table}").status_code == 401
    assert planted.cookie.look(planted.table)["seat"] == 0
    assert planted.cookie.post("/me/tokens", data=TOKEN).status_code == 403
    data = export_data(owner)
    assert (len(data["browsers with push notifications"]), len(data["tables"])) == (devices, 2)
    assert ENDED in owner.get("/me").text


def taken_over(planted: Planted, enter: Callable[[Client], object]) -> Client:
    """Let the next person of the browser enter an account; check that all streams of the guest end, and return it."""
    browser = copy_session(planted.cookie)
    browser.http.headers = planted.cookie.http.headers
    with planted.program.turn_events() as turns, planted.cookie.stream(planted.table) as events:
        assert len([next(turns), next(turns)]) == 2  # both tables
        next(events)
        enter(browser)
        assert list(turns) == []
        assert b"Your hand" not in b"".join(events)
    assert browser.look(planted.table)["seat"] == 1
    return browser


@pytest.mark.parametrize("way", BECOMES)
def test_nothing_of_a_guest_acts_as_the_account_they_become(server: AppServer, way: str) -> None:
    name = f"victim {list(BECOMES).index(way)}"
    planted = plant(server, name)
    check_ended(planted, taken_over(planted, lambda browser: BECOMES[way](browser, name)), devices=0)


@pytest.mark.parametrize("way", JOINS)
def test_nothing_of_a_guest_acts_as_the_account_they_join(server: AppServer, way: str) -> None:
    """The account's own token and browser stay; a new password ends its browsers anyway."""
    name = f"joined {list(JOINS).index(way)}"
    account, planted = existing_account(server, name), plant(server, name)
    browser = taken_over(planted, lambda browser: JOINS[way](browser, name, account, True))
    check_ended(planted, browser, devices=0 if way == "link by e-mail" else 1)
    assert program(server, account.token).get("/api/me").status_code == 200


def test_a_guest_who_keeps_a_seat_gets_a_new_cookie(server: AppServer) -> None:
    """Both sat at one table: the second seat is restored at sign-out, but not for a copy of the guest's cookie."""
    anna, phone = new_account(server, "keeper"), guest(server, "Phone")
    thief, both = copy_session(phone), create_table(server, anna, phone)
    sign_in(phone, "keeper", bring="yes")
    phone.post("/me/sign-out")
    assert (phone.look(both)["seat"], thief.look(both)["seat"]) == (2, 0)


@pytest.mark.parametrize("page", ["/sign-in", "/sign-in/recovery", "/sign-in/new-password"])
def test_the_box_is_unchecked_and_names_what_it_moves(server: AppServer, page: str) -> None:
    account = existing_account(server, f"shown {page}"[:20])
    eve = guest(server, "Eve")
    eve.post("/studio", data={"game": "mace", "name": "Eve"})
    create_table(server, eve, None)
    shown = eve.get(f"{page}?token={account.reset_link()}").raise_for_status().text
    boxes = re.findall(r'<input [^>]*name="bring"[^>]*>([^<]*)', shown)
    assert set(boxes) == {" Add to my account: 2 matches as Eve, 1 set"}
    assert not re.search(r'name="bring"[^>]* checked', shown)
    for client in (server.stranger(), account.owner):
        assert 'name="bring"' not in client.get(f"{page}?token={account.reset_link()}").text


@pytest.mark.parametrize("way", JOINS)
def test_without_the_box_the_guest_stays_apart(server: AppServer, way: str) -> None:
    name = f"apart {list(JOINS).index(way)}"
    account, planted = existing_account(server, name), plant(server, name)
    browser = copy_session(planted.cookie)
    browser.http.headers = planted.cookie.http.headers
    JOINS[way](browser, name, account, False)
    assert export_data(browser)["tables"] == []
    assert planted.program.get(f"/api/table/{planted.table}").json()["seat"] == 1
    assert planted.program.get("/api/me").json()["name"] == "Eve"


@pytest.mark.parametrize("what", ["token", "push"])
@pytest.mark.parametrize("way", ["becomes", "joins"])
def test_a_request_that_waits_while_the_guest_gets_an_account_makes_nothing(
    server: AppServer, way: str, what: str
) -> None:
    """The attacker sends half of a form as the guest, and the rest afterwards."""
    name = f"late {way} {what}"
    if way == "joins":
        new_account(server, name)
    eve = guest(server, "Eve")
    browser, subscription = copy_session(eve), PushBrowser(f"{server.settings.push.services[0]}/late").subscription
    if what == "token":
        late = half_sent(eve, "/me/tokens", urlencode(TOKEN), "application/x-www-form-urlencoded")
    else:
        late = half_sent(eve, "/me/push", json.dumps(subscription), "application/json")
    if way == "becomes":
        create_account(browser, name).raise_for_status()
    else:
        sign_in(browser, name, bring="yes")
    assert b"You have been signed out" in late()
    data = export_data(browser)
    assert (data["tokens"], data["browsers with push notifications"]) == ([], [])


def test_a_passkey_that_a_guest_began_cannot_be_added_to_the_account(server: AppServer) -> None:
    eve = via_host(guest(server, "Eve"))
    begun = begin_passkey(eve, "/me/passkeys", name="Eve")
    _, answer = Authenticator().register(eve, begun)
    owner = copy_session(eve)
    create_account(owner, "one passkey").raise_for_status()
    late = {"ticket": begun["ticket"], "answer": answer, "label": "Eve's"}
    assert eve.post("/me/passkeys", json=late).status_code == 403
    assert export_data(owner)["passkeys"] == []


def test_the_upgrade_ends_what_guests_made_before_an_account(tmp_path: Path) -> None:
    """A token that was moved to an account later has the guest's name."""
    file = tmp_path / "tables.sqlite3"
    engine = create_engine(f"sqlite:///{file}")
    account = {"login": None, "folded": None, "epoch": 1, "created": 100, "listed": True}
    token = {"scopes": "look", "used": 0, "name": "x"}
    device = {"label": "x", "endpoint": "https://push.example", "p256dh": "", "auth": ""}
    with engine.begin() as connection:
        command.upgrade(config_of(connection), "0028")
        add_rows(connection, {
            "accounts": [{**account, "person": who, "name": who} for who in ("Anna", "Ben", "Cleo")],
            "tokens": [
                {**token, "id": f"{who} {made} {owner}", "digest": f"{who} {made} {owner}", "person": who,
                 "owner": owner, "created": made}
                for who, made, owner in (("Anna", 99, "Anna"), ("Anna", 101, "Anna"), ("Ben", 101, "Eve"),
                                         ("Cleo", 101, "Cleo"), ("guest", 50, "Eve"))
            ],
            "push_devices": [
                {**device, "id": f"{who} {made}", "person": who, "created": made}
                for who, made in (("Anna", 100), ("Ben", 101), ("guest", 50))
            ],
        })  # fmt: skip
        migrate(connection)
        left = {
            kind: sorted(connection.scalars(text(f"select id from {kind}")))
            for kind in ("tokens", "push_devices")
        }  # fmt: skip
        told = "select person from accounts where guest_access_ended is not null order by person"
        assert list(connection.scalars(text(told))) == ["Anna", "Ben"]
    engine.dispose()
    assert left == {
        "tokens": ["Anna 101 Anna", "Cleo 101 Cleo", "guest 50 Eve"], "push_devices": ["Ben 101", "guest 50"]
    }  # fmt: skip


def half_sent(client: Client, path: str, body: str, kind: str) -> Callable[[], bytes]:
    """Send a request without the second half of its body; return a function that sends it, and returns the answer."""
    host, port = client.server.url.removeprefix("http://").split(":")
    cookies = "; ".join(f"{name}={value}" for name, value in client.http.cookies.items())
    connection = socket.create_connection((host, int(port)))
    head = [f"POST {path} HTTP/1.1", f"Host: {host}:{port}", f"Cookie: {cookies}", f"Origin: {client.server.url}",
            f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close"]  # fmt: skip
    connection.sendall("\r\n".join([*head, "", body[:10]]).encode())

    def rest() -> bytes:
        with connection:
            connection.sendall(body[10:].encode())
            answer = b""
            while chunk := connection.recv(1 << 16):
                answer += chunk
            return answer

    return rest
