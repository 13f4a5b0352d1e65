"""Friends in PostgreSQL: requests, challenges, presence, and what the server deletes."""

import pytest

from web.app_server import StartServer
from web.friends.pairs import Pair, age, ask, challenge, challenge_from_two_processes, do, friends, news

pytestmark = pytest.mark.postgres


def test_friends_are_made_and_challenged(start_on_postgres: StartServer) -> None:
    server = start_on_postgres()
    pair = Pair(server)
    anna, ben = pair.names
    ask(pair.anna, ben)
    assert pair.ben.get("/friends/news").json()["requests"] != []
    do(pair.ben, anna, "decline")
    ask(pair.anna, ben)
    assert (friends(pair.anna), friends(pair.ben)) == ({ben: ("pending", False)}, {})
    age(pair)
    ask(pair.anna, ben)
    do(pair.ben, anna, "accept")
    assert challenge(pair.anna, ben) == challenge(pair.anna, ben)
    assert news(pair.ben) == [f"{anna} challenges you to Hush. Rules: standard; no clock; not rated."]
    assert friends(pair.anna) == {ben: ("friend", True)}
    server.run(server.app.state.retention.expire())
    pair.ben.post("/me/delete", data={"sure": "yes"})
    assert friends(pair.anna) == {}


def test_two_processes_store_one_challenge(start_on_postgres: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    challenge_from_two_processes(start_on_postgres(), start_on_postgres(), monkeypatch)
