"""Seats and messages need consent: each door by which others reach a person."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from sparring.people import notifications
from sparring.settings import Limits
from sparring.store.schema import OutboxRow
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import TableSettings
from web.accounts.account_helpers import create_table, guest, id_of, identity_of, new_account, sign_in
from web.app_server import HIGH_LIMITS, AppServer, Client, settings
from web.friends.pairs import Pair, ask, challenge, do, line, news
from web.notifications.mail_catcher import catch_mail
from web.rated_matches import rows
from web.tables.quick_matches import quick_match

COUNT = iter(range(1000))
BURST = Limits.invitations_by_one_at_once
ALL = Limits.invitations_at_once


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """A server with the usual limits on invitations, whose e-mails wait in the outbox."""
    usual = {name: getattr(Limits, name) for name in vars(Limits) if name.startswith("invitations")}
    with catch_mail() as catcher, pytest.MonkeyPatch.context() as patch:
        patch.setattr(notifications, "OFTEN", 3600.0)
        folder = tmp_path_factory.mktemp("server")
        started = AppServer(settings(folder, mail=catcher.settings, limits=replace(HIGH_LIMITS, **usual)))
        yield started
        started.close()


def wants_mail(client: Client) -> Client:
    """Let a person get e-mails about invitations."""
    choices = client.server.app.state.personal_data.dispatcher.choices
    client.server.run(choices.choose(id_of(client), ["mail"], [("invitation", "mail")]))
    return client


def messages(client: Client) -> int:
    """Return how many messages wait for a person."""
    return sum(row.person == id_of(client) for row in rows(client.server, OutboxRow))


def finished(server: AppServer, *players: Client, **table_settings: Any) -> str:
    """Return a table whose first player has given up."""
    seated = [Player.of(identity_of(each)) for each in players]
    table = server.table(*seated, settings=TableSettings(**table_settings))
    for player in players[: len(players) - 1]:
        player.post(f"/api/table/{table}/give-up").raise_for_status()
    return table


def again(client: Client, table: str) -> str:
    return str(client.post(f"/api/table/{table}/again").raise_for_status().json()["table"])


def seats(client: Client, table: str) -> list[tuple[str, str]]:
    return [(seat["kind"], seat["name"]) for seat in client.look(table)["seats"]]


def history(client: Client) -> list[str]:
    return [each["table"] for each in client.get("/api/me/matches").raise_for_status().json()["matches"]]


# A rematch


def test_a_rematch_seats_only_who_asks_for_it(server: AppServer) -> None:
    eve, ben = guest(server, "Eve"), guest(server, "Ben")
    table = finished(server, eve, ben)
    following = again(eve, table)
    assert seats(eve, following) == [("open", ""), ("person", "Eve")]
    assert following not in ben.get("/api/me/tables").text
    assert again(ben, table) == following
    assert seats(eve, following) == [("person", "Ben"), ("person", "Eve")]
    assert again(ben, table) == following


def test_the_seat_is_kept_for_the_other_player(server: AppServer) -> None:
    """Strangers see no open seat, in lists, quick matches, pages and answers; the host may give it to a bot."""
    eve, ben, carla = (new_account(server, f"{name} {next(COUNT)}") for name in ("eve", "ben", "carla"))
    following = again(eve, finished(server, eve, ben, public=True))
    eve.page(following)
    assert "Waiting for the players of the last match." in eve.page(following)
    assert [kind for kind, _ in seats(carla, following)] == ["person", "person"]
    assert "Take seat" not in carla.get(f"/table/{following}").text
    refused = carla.post(f"/api/table/{following}/sit", json={"seat": 1})
    assert (refused.status_code, refused.json()["reason"]) == (403, "Seat 1 is taken.")
    assert quick_match(carla, "people") != following
    assert "Take seat 1" in ben.get(f"/table/{following}").text
    ben.post(f"/api/table/{following}/sit", json={"seat": 1}).raise_for_status()
    assert ben.look(following)["seat"] == 1


def test_a_rematch_that_a_person_never_joined_is_not_in_their_history(server: AppServer) -> None:
    """The attack: one match with Ben, then rematches of rematches, each given up at once."""
    eve, ben = new_account(server, f"eve {next(COUNT)}"), wants_mail(new_account(server, f"ben {next(COUNT)}"))
    table = first = finished(server, eve, ben)
    for _ in range(29):
        table = again(eve, table)
        eve.post(f"/api/table/{table}/give-up").raise_for_status()
    assert history(ben) == [first]
    assert messages(ben) == 1


def test_friends_on_a_shared_screen_come_back_together(server: AppServer) -> None:
    eve, ben = guest(server, "Eve"), guest(server, "Ben")
    shared = id_of(ben)
    table = server.table(Player.of(identity_of(eve)), Player(shared, "Ben"), Player(shared, "Bea"))
    with server.waiting_bots():
        eve.post(f"/api/table/{table}/give-up").raise_for_status()
        server.run(server.tables.clocks.lose(server.held(table), 2, "gave up"))
    following = again(eve, table)
    assert seats(eve, following) == [("open", ""), ("person", "Eve"), ("open", "")]
    again(ben, table)
    assert seats(eve, following) == [("person", "Bea"), ("person", "Eve"), ("person", "Ben")]


@pytest.mark.parametrize("blocker", ["eve", "ben", "carla"])
def test_a_rematch_keeps_no_seat_between_people_who_blocked_each_other(server: AppServer, blocker: str) -> None:
    number = next(COUNT)
    names = [f"{name} {number}" for name in ("eve", "ben", "carla")]
    people = dict(zip(("eve", "ben", "carla"), (new_account(server, name) for name in names), strict=True))
    blocked = {"eve": "ben", "ben": "eve", "carla": "ben"}[blocker]
    table = finished(server, *people.values())
    ask(people[blocked], f"{blocker} {number}")
    do(people[blocker], f"{blocked} {number}", "block")
    following = again(people["eve"], table)
    kept = {player.offered for player in server.held(following).players} - {""}
    apart = {blocker, blocked}
    assert kept == {id_of(client) for name, client in people.items() if name != "eve" and name not in apart}
    assert messages(people["ben"]) == 0


def test_a_seat_stays_kept_when_a_guest_joins_an_account(server: AppServer) -> None:
    name = f"ben {next(COUNT)}"
    eve, ben = guest(server, "Eve"), guest(server, "Ben")
    table = finished(server, eve, ben)
    following = again(eve, table)
    new_account(server, name)
    sign_in(ben, name, bring="yes")
    ben.post(f"/api/table/{following}/sit", json={"seat": 1}).raise_for_status()


# Messages


def test_e_mails_about_rematches_are_limited(server: AppServer) -> None:
    """The rematches are there, at the tables that both have played at."""
    eve, ben = guest(server, "Eve"), wants_mail(new_account(server, f"ben {next(COUNT)}"))
    for _ in range(BURST + 2):
        again(eve, finished(server, eve, ben))
    assert messages(ben) == BURST


def test_e_mails_of_a_persons_programs_count_for_the_person(server: AppServer) -> None:
    eve, ben = guest(server, "Eve"), wants_mail(new_account(server, f"ben {next(COUNT)}"))
    for number in range(BURST + 2):
        robot = server.program(id_of(eve), bot=f"Robot {number}")
        table = create_table(server, ben, None)
        robot.post(f"/api/table/{table}/sit", json={"seat": 2}).raise_for_status()
        robot.post(f"/api/table/{table}/give-up").raise_for_status()
        again(robot, table)
    assert messages(ben) == BURST


def test_challenges_of_one_friend_are_limited(server: AppServer) -> None:
    pair = Pair(server).befriend()  # which is one invitation
    wants_mail(pair.ben)
    for _ in range(BURST - 1):
        challenge(pair.anna, pair.names[1])
        [received] = pair.ben.get("/api/me/challenges").json()
        pair.ben.post(f"/api/me/challenges/{received['id']}/end").raise_for_status()
    refused = pair.anna.post(f"/api/me/friends/{line(pair.anna, pair.names[1])}/challenge", json={"game": "hush"})
    assert (refused.status_code, "invited this player too often" in refused.text) == (429, True)
    assert pair.ben.get("/api/me/challenges").json() == []
    assert messages(pair.ben) == BURST - 1


@pytest.mark.parametrize("known", [True, False])
def test_friend_requests_of_one_person_are_limited(server: AppServer, known: bool) -> None:
    """The answers don't tell whether the name exists."""
    pair = Pair(server)
    name = pair.names[1] if known else f"no one {next(COUNT)}"
    for _ in range(BURST):
        ask(pair.anna, name)
        do(pair.anna, name, "remove")
    refused = pair.anna.post("/api/me/friends", json={"name": name})
    assert (refused.status_code, "invited this player too often" in refused.text) == (429, True)
    assert news(pair.ben) == []


def test_invitations_of_all_senders_are_limited(server: AppServer) -> None:
    """Friend requests by name and from a table, challenges and rematches count together."""
    name = f"ben {next(COUNT)}"
    ben, carla = wants_mail(new_account(server, name)), new_account(server, f"carla {next(COUNT)}")
    for _ in range(ALL):
        ask(new_account(server, f"eve {next(COUNT)}"), name)
    table = finished(server, carla, ben)
    for refused in (
        carla.post("/api/me/friends", json={"name": name}),
        carla.post(f"/api/table/{table}/friend", json={"seat": 2}),
    ):
        assert (refused.status_code, "received too many invitations" in refused.text) == (429, True)
    again(carla, table)
    assert messages(ben) == 0


# Other doors: nothing there names another person


@pytest.mark.parametrize("seat", ["Ben", "mine:Ben", "person:Ben", "local_player:Ben"])
def test_a_new_table_seats_no_other_person(server: AppServer, seat: str) -> None:
    """A friend on the same device is the person who creates the table."""
    server.person("Ben").page(server.table("Ben", "bot"))
    eve = guest(server, "Eve")
    for answer in (
        eve.post("/api/tables", json={"game": "hush", "seats": ["me", seat]}),
        eve.post("/games/hush", data={"seat1": "me", "seat2": seat, "name": "Eve"}),
    ):
        if answer.is_success:
            table = server.held(answer.json()["table"])
            assert table.people == {id_of(eve)}
        else:
            assert answer.status_code == 422
