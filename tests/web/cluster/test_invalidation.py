"""Cache invalidation: what one process changes about accounts, tokens and tables, the others notice."""

from collections.abc import Iterator

import pytest

from sparring.web.identity import COOKIE
from sparring.web.storage import NoticeStore, notice_store
from sparring.web.tables.players import Player
from web.accounts.account_helpers import create_account, guest, new_account, sign_in
from web.accounts.test_personal_data import identity_of, program
from web.app_server import AppServer, Client, settings


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AppServer, AppServer]]:
    """Two processes on one database, which read notices when a test says so."""
    folder = tmp_path_factory.mktemp("two")
    servers = [AppServer(settings(folder, inside="http://127.0.0.1:0")) for _ in range(2)]
    yield servers[0], servers[1]
    for server in servers:
        server.close()


def refresh(server: AppServer) -> None:
    """Do what the process does every half second."""
    server.run(server.app.state.hearing.poll())


def client_at(client: Client, server: AppServer) -> Client:
    """Return the same browser at another process."""
    other = server.stranger()
    other.http.cookies[COOKIE] = client.http.cookies[COOKIE]
    return other


def test_a_new_account_is_known_at_other_processes(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    anna = guest(here, "Anna")
    assert "playing as a guest" in client_at(anna, other).get("/me").text
    create_account(anna, "anna")  # its cookie is newer than the other process's cache
    assert "You have an account" in client_at(anna, other).get("/me").text


def test_a_moved_token_acts_for_its_new_owner_elsewhere(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    anna, phone = new_account(here, "boss"), guest(here, "Phone")
    token, _ = program(phone)
    assert owner_of(other, token) == identity_of(phone).id
    sign_in(phone, "boss", bring="yes")
    other.run(other.app.state.tokens.refresh())
    assert owner_of(other, token) == identity_of(anna).id


def owner_of(server: AppServer, token: str) -> str:
    return str(server.run(server.app.state.tokens.read(token)).responsible)


def test_a_moved_seat_is_known_at_other_processes(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    anna, phone = new_account(here, "traveller"), guest(here, "Phone")
    person = identity_of(phone)
    table = other.table("", "Ben")  # the other process owns it
    assert phone.post(f"/table/{table}/sit", data={"name": "Phone", "seat": "1"}).status_code == 303
    sign_in(phone, "traveller", bring="yes")
    refresh(other)
    assert (anna.look(table)["seat"], client_at(anna, other).look(table)["seat"]) == (1, 1)
    assert other.run(other.tables.registry.get(table)).players[0] == Player(identity_of(anna).id, person.name)


def test_a_deleted_person_loses_the_name_at_other_processes(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    anna = guest(here, "Leaver")
    table = other.table("", "Ben")
    anna.post(f"/table/{table}/sit", data={"name": "Leaver", "seat": "1"})
    anna.post("/me/delete", data={"sure": "yes"})
    refresh(other)
    assert other.run(other.tables.registry.get(table)).players[0].name == "Deleted player"


def test_notices_are_handled_once_in_any_order(
    two_servers: tuple[AppServer, AppServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, other = two_servers
    heard: list[str] = []

    async def hear(tables: list[str]) -> None:
        heard.extend(tables)

    monkeypatch.setattr(other.app.state.hearing, "_reread", hear)

    def tell(*tables: str) -> None:
        here.run(here.tables.store.writer.write(lambda connection: notice_store.notify(connection, tables)))

    refresh(other)
    heard.clear()
    tell("a", "b")
    refresh(other)
    tell("c")
    refresh(other)
    assert sorted(heard) == ["a", "b", "c"]
    monkeypatch.setattr(notice_store, "KEPT", 2)
    tell("d")
    assert len(here.run(NoticeStore(here.tables.store).since(0))) == 2


def test_signing_out_reaches_other_processes(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    anna, phone = new_account(here, "leaver"), here.stranger()
    sign_in(phone, "leaver")
    copy = client_at(phone, other)
    assert "You have an account" in copy.get("/me").text
    phone.post("/me/sign-out")
    epochs = other.app.state.accounts.sessions
    other.run(epochs._known.refresh(epochs._store.current))  # the process does this every second
    assert "You have an account" not in copy.get("/me").text
    assert "You have an account" in client_at(anna, other).get("/me").text
