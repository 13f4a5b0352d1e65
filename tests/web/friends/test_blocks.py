"""Blocking closes every door: lists, quick matches, open seats by link or challenge, chat, and programs.

A block counts at tables that its owner hosts or plays at. `tests/web/friends/test_friends.py` tests requests.
"""

import re
from dataclasses import dataclass

import pytest

from sparring.tables.state.players import Player
from web.accounts.account_helpers import identity_of, new_account
from web.accounts.token_helpers import make_token, program
from web.app_server import AppServer, Client, StartServer
from web.chat.chat_helpers import create_table, say, texts
from web.friends.pairs import ask, challenge, do
from web.tables.quick_matches import quick_match

DOORS = ("hosts", "plays at")
COUNT = iter(range(100))


@dataclass
class Blocked:
    """Anna has blocked Ben. Her public table has an open seat."""

    anna: Client
    ben: Client
    names: tuple[str, str]
    table: str


def block(anna: Client, ben: Client, names: tuple[str, str]) -> None:
    ask(ben, names[0])
    do(anna, names[1], "block")


@pytest.fixture(params=DOORS)
def blocked(request: pytest.FixtureRequest, server: AppServer) -> Blocked:
    """Anna hosts the table, or only plays there. Ben has looked at it before."""
    number = next(COUNT)
    names = f"anna blocks {number}", f"ben is blocked {number}"
    anna, ben = (new_account(server, name) for name in names)
    person = identity_of(anna)
    first = person.id if request.param == "hosts" else "Host"
    table = create_table(server, first, "", "" if request.param == "plays at" else "Carl", name="mace", public=True,
                         chat="free", spectators_chat=True)  # fmt: skip
    if request.param == "plays at":
        anna.post(f"/api/table/{table}/sit", json={"seat": 2}).raise_for_status()
    assert ben.look(table)["seats"][2 if request.param == "plays at" else 1]["kind"] == "open"
    block(anna, ben, names)
    return Blocked(anna, ben, names, table)


def open_seat(blocked: Blocked) -> int:
    return next(int(each["seat"]) for each in blocked.anna.look(blocked.table)["seats"] if each["kind"] == "open")


def listed(client: Client, table: str) -> tuple[bool, bool]:
    """Return whether a table is on the start page and in the API's list."""
    return f"/table/{table}" in client.get("/").text, table in client.get("/api/tables").text


def test_the_lobby_does_not_show_the_table(server: AppServer, blocked: Blocked) -> None:
    assert listed(blocked.ben, blocked.table) == (False, False)
    assert listed(server.person("Carla"), blocked.table) == (True, True)
    assert listed(program(server, make_token(blocked.ben)), blocked.table)[1] is False


def test_every_seat_is_taken(server: AppServer, blocked: Blocked) -> None:
    """The page, the answers and the stream are those of a table whose open seat a player called "Seat 2" has."""
    ben, seat, table = blocked.ben, open_seat(blocked), blocked.table

    def refused_and_seen(client: Client) -> list[tuple[int, str]]:
        answers = [
            client.post(f"/api/table/{table}/sit", json={"seat": seat}),
            client.post(f"/api/table/{table}/sit", json={"seat": seat, "name": "Ben"}), client.sit(table, seat, "Ben"),
            *(client.get(page) for page in (f"/table/{table}", f"/table/{table}/text", f"/api/table/{table}")),
        ]  # fmt: skip
        with client.stream(table, 0, away=True) as events:
            return [*((each.status_code, anonymous(each.text)) for each in answers), (200, anonymous(next(events)))]

    before = refused_and_seen(ben)
    assert f"Seat {seat} is taken." in before[0][1]
    found = server.held(table)
    found.players = found.with_player(seat, Player("Dora", f"Seat {seat}"))
    for feed in range(len(found.players) + 1):
        found.feed(feed).rendered.clear()
    carla = new_account(server, f"carla {next(COUNT)}")
    for mine, hers in zip(before, refused_and_seen(carla), strict=True):
        assert mine == hers


def anonymous(page: str | bytes) -> str:
    """Return a page without the reader's name and the time."""
    text = page.decode() if isinstance(page, bytes) else page
    return re.sub(r"(carla|ben is blocked) \d+|data-now=\"\d+\"", "", text)


def test_a_quick_match_leads_elsewhere(start_server: StartServer) -> None:
    """In both directions: neither is seated with the other."""
    server = start_server()
    anna, ben, carla = (new_account(server, name) for name in ("anna", "ben", "carla"))
    block(anna, ben, ("anna", "ben"))
    annas, bens = quick_match(anna, "people"), quick_match(ben, "people")
    assert annas != bens
    assert quick_match(carla, "people") == annas  # which has waited longest
    second = quick_match(ben, "people", "mace")
    assert quick_match(anna, "people", "mace") != second


def test_programs_of_blocked_people_are_kept_out_too(server: AppServer, blocked: Blocked) -> None:
    ben, seat = blocked.ben, open_seat(blocked)
    form = {"name": "Robot", "kind": "bot", "days": "0", "scope.play": "on", "scope.look": "on", "scope.chat": "on"}
    token = re.findall(r"sp_[A-Za-z0-9_-]+", ben.post("/me/tokens", data=form).text)[0]
    robot = program(server, token)
    assert robot.post(f"/api/table/{blocked.table}/sit", json={"seat": seat}).status_code == 403
    assert ben.post(f"/api/table/{blocked.table}/sit", json={"seat": seat, "program": "Robot"}).status_code == 403
    assert say(robot, blocked.table, "Hello from a robot").status_code == 403


def test_chat_of_blocked_people_is_muted_for_the_blocker(server: AppServer, blocked: Blocked) -> None:
    assert say(blocked.ben, blocked.table, "Hello").status_code == 200
    assert texts(blocked.anna, blocked.table) == []
    assert texts(server.person("Host"), blocked.table) == ["Hello"]
    assert "You muted" not in blocked.anna.page(blocked.table)
    do(blocked.anna, blocked.names[1], "remove")
    assert texts(blocked.anna, blocked.table) == ["Hello"]


def test_unblocking_opens_the_doors_again(blocked: Blocked) -> None:
    do(blocked.anna, blocked.names[1], "remove")
    assert listed(blocked.ben, blocked.table) == (True, True)
    assert blocked.ben.post(f"/api/table/{blocked.table}/sit", json={"seat": open_seat(blocked)}).status_code == 200


def test_a_challenge_from_before_the_block_cannot_be_accepted(server: AppServer) -> None:
    number = next(COUNT)
    names = f"challenger {number}", f"challenged {number}"
    anna, ben = (new_account(server, name) for name in names)
    ask(anna, names[1])
    do(ben, names[0], "accept")
    table = challenge(anna, names[1])
    [received] = ben.get("/api/me/challenges").json()
    do(anna, names[1], "block")
    refused = ben.post(f"/api/me/challenges/{received['id']}/accept")
    assert (refused.status_code, ben.look(table)["seat"]) == (403, 0)


def test_blocked_people_keep_the_seats_that_they_have(server: AppServer) -> None:
    number = next(COUNT)
    names = f"blocks late {number}", f"sits early {number}"
    anna, ben = (new_account(server, name) for name in names)
    table = create_table(server, identity_of(anna).id, identity_of(ben).id)
    block(anna, ben, names)
    assert ben.look(table)["seat"] == 2
