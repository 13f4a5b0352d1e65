"""Banned people get one sentence for everything they request, and everyone else plays on."""

import contextlib
import time

import pytest

from sparring.people.rate_limits import Requester
from sparring.store.moderation import key
from sparring.store.person import Person
from web.app_server import AppServer, StartServer


def test_a_banned_person_can_neither_view_nor_choose(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    anna, ben = server.person("Anna"), server.person("Ben")
    server.ban(key("Anna"), why="You were <b>rude</b>")
    page = anna.get(f"/table/{table}")
    assert page.status_code == 403
    assert "You are banned from this server: You were &lt;b&gt;rude&lt;/b&gt;." in page.text
    choice = anna.post(f"/api/table/{table}/choose", json={"version": 1, "choice": 0})
    assert (choice.status_code, choice.json()["accepted"]) == (403, False)
    assert anna.get(f"/table/{table}/events").status_code == 403
    assert ben.get(f"/table/{table}").status_code == 200

    server.ban(key("Anna"), until=0)
    assert anna.get(f"/table/{table}").status_code == 200


def test_a_banned_network_is_blocked_for_everyone(start_server: StartServer) -> None:
    server = start_server()
    server.ban(key(address="127.0.0.1"))
    assert server.stranger().get("/").status_code == 403
    assert server.person("Anna").post("/games/hush", data={"seat1": "random", "seat2": "random"}).status_code == 403


def test_a_ban_expires_and_survives_restarts(start_server: StartServer) -> None:
    server = start_server()
    server.ban(key("Anna"), until=int(time.time()) - 1)
    assert server.person("Anna").get("/").status_code == 200
    server.ban(key("Anna"), until=int(time.time()) + 100)
    server.restart()
    assert " until " in server.person("Anna").get("/").text


@pytest.mark.parametrize("what", ["person", "program", "bot", "address"])
def test_a_ban_ends_open_streams(start_server: StartServer, what: str) -> None:
    """Streams of a table and of one's own tables, each before the next thing it would show."""
    server = start_server(heartbeat=0.05)
    table = server.table("Anna", "Ben")
    anna = server.person("Anna") if what in ("person", "address") else server.program(
        "Anna", bot="Robot" if what == "bot" else ""
    )  # fmt: skip
    addresses = [f"/api/table/{table}/events", "/api/me/events"]
    if what in ("person", "address"):
        addresses += [f"/table/{table}/events", f"/table/{table}/text/events?version=0"]
    with contextlib.ExitStack() as open_streams:
        told = [open_streams.enter_context(anna.http.stream("GET", each)).iter_raw() for each in addresses]
        assert [len(next(chunks)) > 0 for chunks in told] == [True] * len(addresses)
        banned = key(address="127.0.0.1") if what == "address" else key("Anna")
        server.ban(banned)
        server.run(say_hello(server, table))
        assert all(b"Hello" not in b"".join(chunks) for chunks in told)  # all of them end


async def say_hello(server: AppServer, table: str) -> None:
    found = await server.tables.registry.get(table)
    await server.tables.chat.post(found, Person("Ben", "Ben"), Requester("Ben"), text="Hello")
