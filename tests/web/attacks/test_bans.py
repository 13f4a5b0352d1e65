"""Banned people get one sentence for everything they request, and everyone else plays on."""

import time

from sparring.web.security.bans import Ban, key
from sparring.web.storage import BanStore
from web.app_server import AppServer, StartServer


def ban_person(server: AppServer, who: str, ban: Ban | None) -> None:
    """Ban as the command line does, and let some seconds pass."""
    server.run(BanStore(server.tables.store).put(who, ban))
    server.run(server.app.state.bans.reload())


def test_a_banned_person_can_neither_view_nor_choose(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben")
    anna, ben = server.person("Anna"), server.person("Ben")
    ban_person(server, key("Anna"), Ban(why="You were <b>rude</b>"))
    page = anna.get(f"/table/{table}")
    assert page.status_code == 403
    assert "The server operator has banned you: You were &lt;b&gt;rude&lt;/b&gt;." in page.text
    choice = anna.post(f"/api/table/{table}/choose", json={"version": 1, "choice": 0})
    assert (choice.status_code, choice.json()["accepted"]) == (403, False)
    assert anna.get(f"/table/{table}/events").status_code == 403
    assert ben.get(f"/table/{table}").status_code == 200

    ban_person(server, key("Anna"), None)
    assert anna.get(f"/table/{table}").status_code == 200


def test_a_banned_network_is_blocked_for_everyone(start_server: StartServer) -> None:
    server = start_server()
    ban_person(server, key(address="127.0.0.1"), Ban())
    assert server.stranger().get("/").status_code == 403
    assert server.person("Anna").post("/games/hush", data={"seat1": "random", "seat2": "random"}).status_code == 403


def test_a_ban_expires_and_survives_restarts(start_server: StartServer) -> None:
    server = start_server()
    ban_person(server, key("Anna"), Ban(until=int(time.time()) - 1))
    assert server.person("Anna").get("/").status_code == 200
    ban_person(server, key("Anna"), Ban(until=int(time.time()) + 100))
    server.close()
    assert " until " in start_server().person("Anna").get("/").text
