"""Banned people get one sentence for everything they request, and everyone else plays on."""

import time

from sparring.web.security.bans import Ban, key
from sparring.web.storage import BanStore
from web.app_server import House, Opener


def keep_out(house: House, who: str, ban: Ban | None) -> None:
    """Ban from the command line, and let some seconds pass."""
    house.run(BanStore(house.tables.store).put(who, ban))
    house.run(house.app.state.bans.reload())


def test_a_banned_person_can_neither_look_nor_choose(open_house: Opener) -> None:
    house = open_house()
    table = house.table("Anna", "Ben")
    anna, ben = house.person("Anna"), house.person("Ben")
    keep_out(house, key("Anna"), Ban(why="You were <b>rude</b>"))
    page = anna.get(f"/table/{table}")
    assert page.status_code == 403
    assert "The server operator has banned you: You were &lt;b&gt;rude&lt;/b&gt;." in page.text
    choice = anna.post(f"/api/table/{table}/choose", json={"version": 1, "choice": 0})
    assert (choice.status_code, choice.json()["accepted"]) == (403, False)
    assert anna.get(f"/table/{table}/events").status_code == 403
    assert ben.get(f"/table/{table}").status_code == 200

    keep_out(house, key("Anna"), None)
    assert anna.get(f"/table/{table}").status_code == 200


def test_a_banned_network_is_blocked_for_everyone(open_house: Opener) -> None:
    house = open_house()
    keep_out(house, key(address="127.0.0.1"), Ban())
    assert house.stranger().get("/").status_code == 403
    assert house.person("Anna").post("/games/hush", data={"seat1": "random", "seat2": "random"}).status_code == 403


def test_a_ban_expires_and_survives_restarts(open_house: Opener) -> None:
    house = open_house()
    keep_out(house, key("Anna"), Ban(until=int(time.time()) - 1))
    assert house.person("Anna").get("/").status_code == 200
    keep_out(house, key("Anna"), Ban(until=int(time.time()) + 100))
    house.close()
    assert " until " in open_house().person("Anna").get("/").text
