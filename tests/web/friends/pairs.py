"""Two people with accounts, and what they do as friends."""

from itertools import count

import pytest
from sqlalchemy import text

from web.accounts.account_helpers import new_account
from web.app_server import AppServer, Client

numbers = count(1)


class Pair:
    """Two people with new accounts."""

    def __init__(self, server: AppServer) -> None:
        number = next(numbers)
        self.names = f"anna{number}", f"ben{number}"
        self.anna, self.ben = (new_account(server, name) for name in self.names)

    def befriend(self) -> "Pair":
        ask(self.anna, self.names[1])
        do(self.ben, self.names[0], "accept")
        return self


def ask(client: Client, name: str) -> str:
    return client.post("/api/me/friends", json={"name": name}).raise_for_status().text


def friends(client: Client) -> dict[str, tuple[str, bool]]:
    """Return a person's list: state and whether online, by name."""
    lines = client.get("/api/me/friends").raise_for_status().json()["friends"]
    return {line["name"]: (line["state"], line["online"]) for line in lines}


def line(client: Client, name: str) -> str:
    lines = client.get("/api/me/friends").raise_for_status().json()["friends"]
    return str(next(each["id"] for each in lines if each["name"] == name))


def do(client: Client, name: str, what: str) -> None:
    client.post(f"/api/me/friends/{line(client, name)}", json={"do": what}).raise_for_status()


def challenge(client: Client, name: str, game: str = "hush") -> str:
    """Challenge a friend; return the table."""
    answer = client.post(f"/api/me/friends/{line(client, name)}/challenge", json={"game": game})
    return str(answer.raise_for_status().json()["table"])


def received(client: Client) -> str:
    """Return the id of a person's first challenge, received or sent."""
    return str(client.get("/api/me/challenges").json()[0]["id"])


def news(client: Client) -> list[str]:
    found = client.get("/friends/news").json()
    return [each["words"] for each in found["challenges"] + found["declined"] + found["requests"]]


def age(pair: Pair) -> None:
    """Make all requests and their answers 31 days older."""
    server = pair.anna.server
    server.run(server.tables.store.execute(text("update friendships set made = made - 2678400")))


def challenge_from_two_processes(one: AppServer, two: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Challenge a friend from two processes, neither of which sees the other's challenge before it writes its own."""
    pair = Pair(one).befriend()
    anna, ben = pair.names
    elsewhere = Client(two, pair.anna.cookie())

    async def none(*_: str) -> str:
        return ""

    for server in (one, two):
        monkeypatch.setattr(server.app.state.friends.challenges, "table_waiting", none)
    assert challenge(elsewhere, ben) == challenge(pair.anna, ben)
    assert len(pair.anna.get("/api/me/tables").json()) == 1
    assert news(pair.ben) == [f"{anna} challenges you to Hush. Rules: standard; no clock; not rated."]
