"""What one process changes about accounts, tokens and tables, the others notice."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sparring.people.api_tokens import BadToken
from sparring.people.identity import COOKIE
from sparring.store.change_store import CHANNEL, key_of, notify
from sparring.store.database import Database
from sparring.tables.play import other_processes
from sparring.tables.state.players import Player
from web.accounts.account_helpers import (
    add_passkey,
    begin_passkey,
    create_account,
    guest,
    id_of,
    identity_of,
    new_account,
    sign_in,
    via_host,
)
from web.app_server import AppServer, Client, settings
from web.cluster.test_several_processes import processes
from web.postgres import Postgres


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[AppServer, AppServer]]:
    """Two processes on one database."""
    with processes(tmp_path_factory.mktemp("two"), 2) as (here, other):
        yield here, other


def test_a_new_account_is_known_at_other_processes(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    anna = guest(here, "Anna")
    assert "playing as a guest" in Client(other, anna.cookie()).get("/me").text
    create_account(anna, "anna")  # its cookie is newer than the other process's cache
    assert "Sign in on any device to find your tables" in Client(other, anna.cookie()).get("/me").text


def test_a_guests_token_ends_at_other_processes(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    new_account(here, "boss")
    phone = guest(here, "Phone")
    token = here.token(id_of(phone), bot="Robot")
    assert owner_of(other, token) == id_of(phone)
    sign_in(phone, "boss", bring="yes")
    other.run(other.app.state.tokens.refresh())
    with pytest.raises(BadToken):
        owner_of(other, token)


def owner_of(server: AppServer, token: str) -> str:
    return str(server.run(server.app.state.tokens.read(token)).responsible)


def test_a_moved_seat_is_known_at_other_processes(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    anna, phone = new_account(here, "traveller"), guest(here, "Phone")
    person = identity_of(phone)
    table = other.table("", "Ben")
    assert phone.post(f"/table/{table}/sit", data={"name": "Phone", "seat": "1"}).status_code == 303
    sign_in(phone, "traveller", bring="yes")
    assert (anna.look(table)["seat"], Client(other, anna.cookie()).look(table)["seat"]) == (1, 1)
    assert other.run(other.tables.registry.get(table)).players[0] == Player(identity_of(anna).id, person.name)


def test_a_deleted_person_loses_the_name_at_other_processes(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    anna = guest(here, "Leaver")
    table = other.table("", "Ben")
    anna.post(f"/table/{table}/sit", data={"name": "Leaver", "seat": "1"})
    anna.post("/me/delete", data={"sure": "yes"})
    assert other.run(other.tables.registry.get(table)).players[0].name == "Deleted player"


def test_a_passkeys_challenge_is_used_once_at_all_processes(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    device = add_passkey(via_host(guest(here, "Anna")))
    client = via_host(here.stranger())
    begun = begin_passkey(client)
    body = {"ticket": begun["ticket"], "answer": device.sign(client, begun)}
    assert client.post("/sign-in/passkey", json=body).status_code == 200
    thief = via_host(other.stranger())
    thief.http.headers.update({"Host": client.http.headers["Host"], "Origin": client.http.headers["Origin"]})
    assert thief.post("/sign-in/passkey", json=body).status_code == 403
    assert not thief.cookie(COOKIE)
    fresh = begin_passkey(client)
    again = {"ticket": fresh["ticket"], "answer": device.sign(client, fresh)}
    assert thief.post("/sign-in/passkey", json=again).status_code == 200, "the other process accepts unused ones"


def test_signing_out_reaches_other_processes(two_servers: tuple[AppServer, AppServer]) -> None:
    here, other = two_servers
    anna, phone = new_account(here, "leaver"), here.stranger()
    sign_in(phone, "leaver")
    copy = Client(other, phone.cookie())
    assert "Sign in on any device to find your tables" in copy.get("/me").text
    phone.post("/me/sign-out")
    other.learn()
    assert "Sign in on any device to find your tables" not in copy.get("/me").text
    assert "Sign in on any device to find your tables" in Client(other, anna.cookie()).get("/me").text


@pytest.mark.postgres
def test_postgresql_announces_changes(
    tmp_path: Path, postgres_server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after the database was restarted; nothing is polled meanwhile."""
    monkeypatch.setattr(other_processes, "POSTGRESQL", 1000.0)
    servers = [AppServer(settings(tmp_path, database=postgres_server.url)) for _ in "ab"]
    here, other = servers
    try:
        for restarted in (False, True):
            if restarted:
                postgres_server.kill()
                postgres_server.start()
            anna = guest(here, "Leaver")
            table = other.table("", "Ben")
            assert anna.post(f"/table/{table}/sit", data={"name": "Leaver", "seat": "1"}).status_code == 303
            anna.post("/me/delete", data={"sure": "yes"})
            ben, page = guest(other, "Ben"), f"/table/{table}?watch=true"  # the restart may move the table
            for _ in range(500):
                if "Deleted player" in ben.get(page).text:
                    break
                time.sleep(0.02)
            assert "Deleted player" in ben.get(page).text
    finally:
        for server in servers:
            server.close()


@pytest.mark.postgres
def test_notices_say_no_ids(postgres_server: Postgres) -> None:
    """Everyone who may connect to the database can hear them."""

    async def hear() -> list[str]:
        store, heard, said = Database(postgres_server.url), asyncio.Event(), list[str]()
        await store.open()
        server = await store.server_id()
        async with store.engine.connect() as connection:
            raw = (await connection.get_raw_connection()).driver_connection
            assert raw is not None

            def listen(_: object, __: int, ___: str, payload: str) -> None:
                said.append(payload)
                heard.set()

            await raw.add_listener(CHANNEL, listen)
            await store.transaction(notify, ["table"])
            await asyncio.wait_for(heard.wait(), 20)
            await raw.remove_listener(CHANNEL, listen)
        await store.close()
        return [*said, f"{key_of(server, 'table')} -1 -1"]

    said, expected = asyncio.run(hear())
    assert said == expected
