"""Leaving a match by an unusual door is giving up: the same result, rating changes and sentence.

Position: a match that counts if it is given up. Action: one of the doors. Table: as after giving up.
"""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import Connection, update

from sparring.store.moderation import Ban, BanStore, key
from sparring.store.person import Person
from sparring.store.personal_data import DEPARTED, forget_departed
from sparring.store.schema import ResultRow, TokenRow
from sparring.store.studio import remove_sets
from sparring.tables.play import match_results, moderation
from sparring.tables.play.match_results import NOT_COUNTED
from sparring.tables.play.moderation import close
from sparring.tables.state.clock_events import after_absence, clock_change
from sparring.tables.state.players import Player
from sparring.tables.workers.bot_players import BotQuestion
from web.accounts.account_helpers import create_account, guest, id_of, identity_of, new_account, sign_in
from web.accounts.stored_fields import stored
from web.accounts.token_helpers import program
from web.app_server import AppServer, Client, StartServer
from web.rated_matches import RATED, ratings, rows

COUNT = iter(range(1000))


@pytest.fixture(autouse=True)
def short_matches_count(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let short matches count, and stand-ins always make their first choice."""

    async def first_choice(question: BotQuestion, _: str = "") -> int:
        await server.bots.may_choose.wait()
        return question.legal[0]

    monkeypatch.setattr(match_results, "MIN_RATED_ACTIONS", 3)
    monkeypatch.setattr(server.bots, "choose", first_choice)


@dataclass
class Match:
    """A match of people with accounts; the last seat's player, or the owner of that program, leaves."""

    server: AppServer
    table: str
    owner: Client
    others: list[Client]
    leaver: Person
    token: str = ""

    @property
    def player(self) -> Client:
        """Return a client that acts for the player who leaves."""
        return program(self.server, self.token) if self.token else self.owner

    def look(self) -> dict[str, Any]:
        return self.others[0].look(self.table)

    def wait_for_end(self) -> None:
        """Wait until the stand-in has ended the match for the others."""
        self.server.wait_until(lambda: self.server.held(self.table).shown.over)


def begin(server: AppServer, seats: int = 2, *, bot: bool = False, early: bool = False) -> Match:
    """Begin a match; the first players end their turns, and the last one has chosen once, unless it is `early`."""
    number = next(COUNT)
    owner, *others = (new_account(server, f"{name} {number}") for name in ("leaver", "ben", "carla")[:seats])
    token = server.token(id_of(owner), bot="Robot") if bot else ""
    leaver = server.run(server.app.state.tokens.read(token)) if bot else identity_of(owner)
    table = server.table(*map(Player.of, [*map(identity_of, others), leaver]), settings=RATED)
    match = Match(server, table, owner, others, leaver, token)
    for client in [] if early else [*others, match.player]:
        client.choose_first(table)
        if client in others:
            client.choose(table, "done").raise_for_status()
    return match


def write(server: AppServer, work: Callable[[Connection], Any]) -> None:
    server.run(server.tables.store.transaction(work))


def ban(match: Match, who: str) -> None:
    match.server.run(BanStore(match.server.tables.store).put(key(who), Ban()))


def let_token_expire(match: Match) -> None:
    token = update(TokenRow).where(TokenRow.bot == match.leaver.id).values(expires=int(time.time()))
    write(match.server, lambda connection: connection.execute(token))


def revoke(match: Match) -> None:
    [token] = match.server.run(match.server.app.state.tokens.store.of(id_of(match.owner)))
    match.owner.post(f"/me/tokens/{token.id}/revoke")


def give_up(match: Match) -> None:
    match.player.post(f"/api/table/{match.table}/give-up").raise_for_status()


def delete(match: Match) -> None:
    assert match.owner.post("/me/delete", data={"sure": "yes"}).headers["location"] == "/me?said=deleted"


Door = Callable[[Match], Any]
#: How a person leaves for good, and how a program does.
PERSON: dict[str, Door] = {
    "deletes the account": delete,
    "is banned": lambda match: ban(match, match.leaver.id),
}
PROGRAM: dict[str, Door] = {
    "token revoked": revoke,
    "all tokens revoked": lambda match: match.server.run(match.server.app.state.personal_data.sign_out_everywhere(
        identity_of(match.owner), programs=True
    )),
    "token expired": let_token_expire,
    "owner deletes the account": delete,
    "is banned": lambda match: ban(match, match.leaver.id),
    "owner is banned": lambda match: ban(match, id_of(match.owner)),
}  # fmt: skip
every_door = pytest.mark.parametrize(
    ("bot", "door"), [*((False, door) for door in PERSON), *((True, door) for door in PROGRAM)]
)


def handle(server: AppServer) -> None:
    """Look for players who have left, as the server does every few seconds."""
    server.run(server.tables.departures.handle())


def leave(match: Match, door: str) -> None:
    (PROGRAM if match.token else PERSON)[door](match)
    handle(match.server)


def outcome(match: Match) -> dict[str, Any]:
    """Return what a finished table shows the others, and its result, with one name for the player who left."""
    look = match.look()
    page = re.sub(rf"{match.leaver.name}|Deleted player", "Leaver", match.others[0].page(match.table))
    return {
        **{name: look[name] for name in ("over", "winners", "log", "scene")},
        "sentences": [*re.findall("Leaver gave up[^<>]*", page), look["ratings"][0]],  # later ones: who is listed
        "results": [
            (row.seat, row.outcome, row.mu_before, row.mu, row.sigma)
            for row in rows(match.server, ResultRow) if row.table_id == match.table
        ],
        "ratings of others": [ratings(match.server)[id_of(each)].mu for each in match.others],
    }  # fmt: skip


@pytest.mark.parametrize("seats", [2, 3])
@every_door
def test_every_door_is_giving_up(server: AppServer, seats: int, bot: bool, door: str) -> None:
    """With three seats, the others see that a bot took over, and the match stays rated for them."""
    given_up, left = begin(server, seats, bot=bot), begin(server, seats, bot=bot)
    with server.waiting_bots():
        give_up(given_up)
        leave(left, door)
        for match in (given_up, left) if seats == 3 else ():
            assert "gave up. A bot took over." in match.others[0].page(match.table)
    given_up.wait_for_end()
    left.wait_for_end()
    expected = outcome(given_up)
    assert outcome(left) == expected
    assert NOT_COUNTED not in expected["sentences"]
    assert [result[1] for result in expected["results"]][-1] == -1


@every_door
def test_a_match_that_is_left_too_early_does_not_count(server: AppServer, bot: bool, door: str) -> None:
    match = begin(server, bot=bot, early=True)
    leave(match, door)
    look = match.look()
    assert (look["over"], look["winners"], look["ratings"]) == (True, [1], [NOT_COUNTED])


#: How a guest's programs lose their tokens.
OF_GUESTS: dict[str, Callable[[Client, str], Any]] = {
    "becomes an account": create_account,
    "joins an account": lambda browser, name: (new_account(browser.server, name), sign_in(browser, name, bring="yes")),
    "deletes everything": lambda browser, _: browser.post("/me/delete", data={"sure": "yes"}),
}


@pytest.mark.parametrize("door", OF_GUESTS)
def test_the_program_of_a_guest_gives_up_when_its_token_ends(server: AppServer, door: str) -> None:
    eve, ben = guest(server, "Eve"), guest(server, "Ben")
    robot = server.run(server.app.state.tokens.read(server.token(id_of(eve), bot="Robot")))
    table = server.table(Player.of(identity_of(ben)), Player.of(robot))
    OF_GUESTS[door](eve, f"eve {next(COUNT)}")
    handle(server)
    look = ben.look(table)
    assert (look["over"], look["winners"]) == (True, [1])


def test_a_person_leaves_with_all_seats_of_a_shared_screen(server: AppServer) -> None:
    anna, ben = new_account(server, f"anna {next(COUNT)}"), guest(server, "Ben")
    shared = id_of(anna)
    table = server.table(Player(shared, "Anna"), Player(shared, "Carl"), Player.of(identity_of(ben)))
    anna.post("/me/delete", data={"sure": "yes"})
    look = ben.look(table)
    assert (look["over"], look["winners"]) == (True, [3])


def test_a_ban_from_the_command_line_takes_effect_by_itself(server: AppServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moderation, "OFTEN", 0.05)
    follower = asyncio.run_coroutine_threadsafe(server.tables.departures.follow(), server.loop)
    match = begin(server)
    ban(match, match.leaver.id)
    match.wait_for_end()
    assert match.look()["winners"] == [1]
    follower.cancel()


#: After these the player can come back, so the match goes on.
CAN_COME_BACK: dict[str, Door] = {
    "signs out": lambda match: match.owner.post("/me/sign-out"),
    "signs out everywhere": lambda match: match.server.run(
        match.server.app.state.personal_data.sign_out_everywhere(identity_of(match.owner), programs=True)
    ),
    "the address is banned": lambda match: match.server.run(
        BanStore(match.server.tables.store).put(key(address="192.0.2.1"), Ban())
    ),
    "a ban has ended": lambda match: match.server.run(
        BanStore(match.server.tables.store).put(key(match.leaver.id), Ban(until=int(time.time()) - 1))
    ),
}  # fmt: skip


@pytest.mark.parametrize("door", CAN_COME_BACK)
def test_a_player_who_can_come_back_has_not_left(server: AppServer, door: str) -> None:
    match = begin(server)
    server.token(match.leaver.id)  # acts as the player, and isn't a player of its own
    before = match.look()
    CAN_COME_BACK[door](match)
    handle(server)
    assert match.look() == before


def test_a_stand_in_for_an_absent_player_changes_nothing(server: AppServer) -> None:
    """A bot plays for a player who is away; once they leave for good, that is giving up."""
    match = begin(server)

    async def take_over() -> None:
        table = await server.tables.registry.get(match.table)
        timing = after_absence(table, 2, table.now())
        await server.tables.commits.commit(table, clock_change(table, timing))

    with server.waiting_bots():
        server.run(take_over())
        handle(server)
        assert not match.look()["over"]
        assert "A bot is playing for" in match.others[0].page(match.table)
        leave(match, "deletes the account")
        assert match.look()["winners"] == [1]
    assert NOT_COUNTED not in match.look()["ratings"]


def test_the_id_that_a_deleted_player_keeps_is_forgotten_after_the_match(server: AppServer) -> None:
    match = begin(server, 3)
    with server.waiting_bots():
        delete(match)
        assert departed(server) == ["person"]
    match.wait_for_end()
    assert departed(server) == []


def departed(server: AppServer) -> list[str]:
    """Return the columns that still name people who left, after what the server does every hour."""
    write(server, forget_departed)
    return [column for _, column, value in server.run(stored(server)) if DEPARTED in str(value)]


def test_a_rated_match_at_a_closed_table_does_not_count(server: AppServer) -> None:
    match = begin(server)
    server.run(close(server.tables.commits, match.table, "We move"))
    server.reload(match.table)
    look = match.look()
    assert (look["over"], look["winners"], look["ratings"]) == (True, [], [NOT_COUNTED])
    page = match.others[0].page(match.table)
    assert "A moderator closed this table: We move." in page
    assert not [row for row in rows(server, ResultRow) if row.table_id == match.table]


# A deleted set


def people_of_a_set(server: AppServer) -> list[Client]:
    return [new_account(server, f"{name} {next(COUNT)}") for name in ("owner", "anna", "ben")]


def with_set(owner: Client, host: Client, guest: Client, *, rated: bool = True) -> tuple[str, str]:
    """Return the API address of an owner's set, and a match of two others with it."""
    made = owner.post("/api/sets", json={"game": "five-circles", "name": "Mine"}).raise_for_status().json()
    own = made["id"] if host is owner else made["share"]
    wanted = {"game": "five-circles", "seats": ["me", "open"], "own": own, "settings": {"rated": rated}}
    table = host.post("/api/tables", json=wanted).raise_for_status().json()["table"]
    guest.post(f"/api/table/{table}/sit", json={"seat": 2}).raise_for_status()
    return f"/api/sets/{made['id']}", table


#: How a set is deleted.
SET_DELETED: dict[str, Callable[[Client, str], Any]] = {
    "by its owner": lambda owner, address: owner.post(f"{address}/remove").raise_for_status(),
    "with the account": lambda owner, _: owner.post("/me/delete", data={"sure": "yes"}),
    "since no one has viewed it": lambda owner, address: owner.server.run(
        owner.server.tables.store.transaction(remove_sets, [address.split("/")[-1]])
    ),
}


@pytest.mark.parametrize("how", SET_DELETED)
def test_a_match_whose_set_is_deleted_ends_unrated(server: AppServer, how: str) -> None:
    owner, anna, ben = people_of_a_set(server)
    address, table = with_set(owner, anna, ben)
    handle(server)
    assert not ben.look(table)["over"]
    SET_DELETED[how](owner, address)
    handle(server)
    look = ben.look(table)
    assert (look["over"], look["winners"], look["ratings"]) == (True, [], [NOT_COUNTED])
    assert "The studio set of this table was deleted, so the match ended without a winner." in ben.page(table)
    assert ben.get("/api/me/matches").json()["matches"] == []


@pytest.mark.parametrize("how", SET_DELETED)
def test_a_casual_match_whose_set_is_deleted_is_played_on(server: AppServer, how: str) -> None:
    owner, anna, ben = people_of_a_set(server)
    address, table = with_set(owner, anna, ben, rated=False)
    SET_DELETED[how](owner, address)
    assert owner.get(address).status_code == 404
    handle(server)
    (anna if anna.look(table)["is_turn"] else ben).choose_first(table)
    anna.post(f"/api/table/{table}/give-up").raise_for_status()
    assert (ben.look(table)["winners"], ben.post(f"/api/table/{table}/again").status_code) == ([2], 200)


def test_a_player_cannot_end_a_rated_match_by_deleting_the_set(server: AppServer) -> None:
    owner, _, ben = people_of_a_set(server)
    address, table = with_set(owner, owner, ben)
    refused = owner.post(f"{address}/remove")
    assert (refused.status_code, "You are playing a rated match with this set" in refused.text) == (409, True)
    owner.post(f"/api/table/{table}/give-up").raise_for_status()
    following = owner.post(f"/api/table/{table}/again").raise_for_status().json()["table"]
    assert owner.post(f"{address}/remove").status_code == 409, "the rematch is played with it, too"
    owner.post(f"/api/table/{following}/give-up").raise_for_status()
    assert owner.post(f"{address}/remove").status_code == 200


@pytest.mark.postgres
def test_another_process_gives_up_for_players_in_postgresql(
    start_on_postgres: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process with the table in memory reloads it; a person deleted elsewhere is forgotten after the match."""

    async def nothing() -> None: ...

    def look_elsewhere() -> None:
        handle(other)
        server.learn()

    monkeypatch.setattr(moderation, "OFTEN", 3600.0)
    server, other = start_on_postgres(), start_on_postgres()
    monkeypatch.setattr(server.tables.departures, "handle", nothing)
    for bot, door in ((False, "deletes the account"), (False, "is banned"), (True, "token expired")):
        match = begin(server, bot=bot)
        leave(match, door)
        assert not match.look()["over"]
        look_elsewhere()
        assert match.look()["winners"] == [1]
    assert departed(server) == []
    owner, anna, ben = people_of_a_set(server)
    address, table = with_set(owner, anna, ben)
    SET_DELETED["by its owner"](owner, address)
    look_elsewhere()
    assert "The studio set of this table was deleted" in ben.page(table)
    assert ben.post(f"/api/table/{table}/again").status_code == 200
