"""Friends: requests by sign-in name, who is online, blocks, and challenges."""

import asyncio
import re
from dataclasses import replace

import pytest

from sparring.engine.game import game
from sparring.people.rate_limits import Requester
from sparring.store.moderation import key
from sparring.tables.state.players import Player
from web.accounts.account_helpers import export_data, id_of, identity_of, new_account
from web.app_server import HIGH_LIMITS, AppServer, Client, StartServer
from web.friends.pairs import Pair, age, ask, challenge, challenge_from_two_processes, do, friends, line, news, received


@pytest.fixture
def pair(server: AppServer) -> Pair:
    return Pair(server)


# Requests


def test_a_request_makes_friends_when_it_is_accepted(pair: Pair) -> None:
    anna, ben = pair.names
    ask(pair.anna, ben)
    assert friends(pair.anna) == {ben: ("pending", False)}
    assert friends(pair.ben) == {anna: ("incoming", False)}
    assert news(pair.ben) == [f"{anna} wants to be your friend."]
    do(pair.ben, anna, "accept")
    assert friends(pair.anna) == {ben: ("friend", True)}  # a page of his has asked for news
    assert friends(pair.ben) == {anna: ("friend", False)}


def test_friends_see_each_others_sign_in_names(pair: Pair) -> None:
    anna, ben = pair.names
    pair.ben.post("/me/name", data={"name": "Champion"})
    ask(pair.anna, ben)
    assert f"Your own sign-in name is <b><bdi>{anna}</bdi></b>." in pair.anna.get("/friends").text
    assert "Champion" not in pair.anna.get("/friends").text
    do(pair.ben, anna, "accept")
    assert f'<b><bdi>Champion</bdi></b> <span class="small">(<bdi>{ben}</bdi>)</span>' in pair.anna.get("/friends").text


def test_a_player_at_the_same_table_can_be_asked(server: AppServer, pair: Pair) -> None:
    """The answer is the same for a guest. Spectators can't ask."""
    anna, ben = pair.names
    table = server.table(*(Player.of(identity_of(each)) for each in (pair.anna, pair.ben)), "Guest")
    assert f'aria-label="Add {ben} as a friend"' in pair.anna.page(table)
    answers = [pair.anna.post(f"/table/{table}/friend", data={"seat": seat}).headers["location"] for seat in (2, 3)]
    assert answers == ["/friends?said=player"] * 2
    assert friends(pair.anna) == {ben: ("pending", False), "Guest": ("pending", False)}
    assert friends(pair.ben) == {anna: ("incoming", False)}
    assert pair.anna.post(f"/api/table/{table}/friend", json={"seat": 1}).status_code == 403
    watcher = new_account(server, f"watcher{anna}")
    assert watcher.post(f"/api/table/{table}/friend", json={"seat": 1}).status_code == 403


def test_two_requests_to_each_other_make_friends(pair: Pair) -> None:
    anna, ben = pair.names
    ask(pair.anna, ben)
    ask(pair.ben, anna)
    assert (friends(pair.anna)[ben][0], friends(pair.ben)[anna][0]) == ("friend", "friend")


def test_a_withdrawn_request_is_gone(pair: Pair) -> None:
    _, ben = pair.names
    ask(pair.anna, ben)
    do(pair.anna, ben, "remove")
    assert (friends(pair.anna), friends(pair.ben)) == ({}, {})


def test_a_declined_request_is_not_shown_again_and_the_asker_learns_nothing(pair: Pair) -> None:
    anna, ben = pair.names
    ask(pair.anna, ben)
    before = pair.anna.get("/api/me/friends").text
    assert pair.ben.get("/friends/news").json()["requests"] != []
    do(pair.ben, anna, "decline")
    assert pair.anna.get("/api/me/friends").text == before
    assert friends(pair.ben) == {}
    ask(pair.anna, ben)
    do(pair.anna, ben, "remove")
    assert friends(pair.anna) == {}
    ask(pair.anna, ben)
    assert friends(pair.anna) == {ben: ("pending", False)}
    assert (friends(pair.ben), pair.ben.get("/friends/news").json()["requests"]) == ({}, [])


def test_a_player_can_ask_the_person_whose_request_they_declined(pair: Pair) -> None:
    anna, ben = pair.names
    ask(pair.anna, ben)
    do(pair.ben, anna, "decline")
    ask(pair.ben, anna)
    assert (friends(pair.anna), friends(pair.ben)) == ({ben: ("friend", False)}, {anna: ("friend", False)})


def test_after_a_while_a_request_lapses_and_one_that_was_declined_can_be_repeated(pair: Pair) -> None:
    anna, ben = pair.names
    ask(pair.anna, ben)
    number = line(pair.ben, anna)
    age(pair)
    late = pair.ben.post(f"/api/me/friends/{number}", json={"do": "accept"})
    assert (late.status_code, late.json()["reason"]) == (404, "This request is no longer open.")
    ask(pair.ben, anna)
    assert (friends(pair.anna), friends(pair.ben)) == ({ben: ("incoming", False)}, {anna: ("pending", False)})
    do(pair.anna, ben, "decline")
    age(pair)
    ask(pair.ben, anna)
    assert friends(pair.anna) == {ben: ("incoming", False)}


def test_a_request_does_not_reveal_whether_a_name_exists(pair: Pair) -> None:
    _, ben = pair.names
    assert ask(pair.anna, ben) == ask(pair.anna, "Ünknown")
    ask(pair.anna, "üNKNOWN")  # replaces the request, as for a known name
    ask(pair.anna, ben.upper())
    assert friends(pair.anna) == {ben.upper(): ("pending", False), "üNKNOWN": ("pending", False)}
    lines = pair.anna.get("/api/me/friends").json()["friends"]
    assert {frozenset(each) for each in lines} == {frozenset({"id", "name", "state", "online"})}


def test_requests_do_not_reveal_that_two_names_are_one_person(server: AppServer, pair: Pair) -> None:
    """Not even by asking for a sign-in name and for a player at the table with another display name."""
    anna, ben = pair.names
    table = server.table(Player.of(identity_of(pair.anna)), Player(id_of(pair.ben), "Champion"))
    ask(pair.anna, ben)
    pair.anna.post(f"/api/table/{table}/friend", json={"seat": 2}).raise_for_status()
    assert friends(pair.anna) == {ben: ("pending", False), "Champion": ("pending", False)}
    assert friends(pair.ben) == {anna: ("incoming", False)}


def test_a_refused_request_keeps_the_earlier_one(server: AppServer, pair: Pair) -> None:
    anna, _ = pair.names
    later = f"carla{anna}"
    ask(pair.anna, later)
    carla = new_account(server, later)
    ask(carla, anna)
    lines = pair.anna.get("/api/me/friends").json()["friends"]
    [request] = [each["id"] for each in lines if each["state"] == "incoming"]
    pair.anna.post(f"/api/me/friends/{request}", json={"do": "block"}).raise_for_status()
    assert pair.anna.post("/api/me/friends", json={"name": later}).status_code == 409
    lines = pair.anna.get("/api/me/friends").json()["friends"]
    assert sorted(each["state"] for each in lines) == ["blocked", "pending"]


def test_only_the_person_who_was_asked_can_accept(server: AppServer, pair: Pair) -> None:
    anna, ben = pair.names
    ask(pair.anna, ben)
    number, carla = line(pair.ben, anna), new_account(server, "carla")
    for client in (pair.anna, carla):
        refused = client.post(f"/api/me/friends/{number}", json={"do": "accept"})
        assert (refused.status_code, refused.json()["reason"]) == (404, "This request is no longer open.")
    assert friends(pair.anna) == {ben: ("pending", False)}


def test_friends_need_an_account(server: AppServer) -> None:
    guest = server.person("Guest")
    assert guest.post("/api/me/friends", json={"name": "carla"}).status_code == 403
    assert guest.get("/friends/news").json() == {"challenges": [], "declined": [], "requests": []}
    assert "Create account" in guest.get("/friends").text
    assert "app/friends.js" not in guest.get("/friends").text


def test_own_name_and_the_same_friend_twice_are_refused(pair: Pair) -> None:
    anna, ben = pair.befriend().names
    assert pair.anna.post("/api/me/friends", json={"name": anna}).status_code == 403
    again = pair.anna.post("/api/me/friends", json={"name": ben})
    assert (again.status_code, again.json()["reason"]) == (409, "You are already friends.")


def test_requests_and_challenges_are_limited(start_server: StartServer) -> None:
    limits = replace(HIGH_LIMITS, friend_requests_at_once=2, friend_requests_each_hour=1, friends_each=3)
    server = start_server(limits=limits)
    anna = new_account(server, "anna")
    ask(anna, "one")
    ask(anna, "two")
    refused = anna.post("/api/me/friends", json={"name": "three"})
    assert (refused.status_code, "too many friend requests" in refused.json()["reason"]) == (429, True)


def test_a_list_has_a_limit_that_neither_asking_nor_accepting_exceeds(start_server: StartServer) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, friends_each=2))
    anna, ben = new_account(server, "anna"), new_account(server, "ben")
    ask(anna, "one")
    ask(anna, "two")
    ask(anna, "ONE")  # replaces a line
    refused = anna.post("/api/me/friends", json={"name": "three"})
    assert refused.status_code == 409
    assert "2 people, the maximum" in refused.json()["reason"]
    ask(ben, "anna")
    refused = anna.post(f"/api/me/friends/{line(anna, 'ben')}", json={"do": "accept"})
    assert "2 people, the maximum" in refused.json()["reason"]
    assert set(friends(anna)) == {"ONE", "two", "ben"}
    do(anna, "two", "remove")
    do(anna, "ben", "accept")
    assert friends(anna) == {"ONE": ("pending", False), "ben": ("friend", False)}


def test_challenges_have_a_limit_per_hour(start_server: StartServer) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, challenges_at_once=1, challenges_each_hour=1))
    pair = Pair(server).befriend()
    challenge(pair.anna, pair.names[1])
    challenge(pair.anna, pair.names[1])  # the same table
    body = {"game": "mace"}
    refused = pair.anna.post(f"/api/me/friends/{line(pair.anna, pair.names[1])}/challenge", json=body)
    assert (refused.status_code, "too many challenges" in refused.json()["reason"]) == (429, True)
    assert len(news(pair.ben)) == 1


# Blocking and removing


def test_removing_ends_the_friendship_for_both(pair: Pair) -> None:
    anna, _ = pair.befriend().names
    do(pair.ben, anna, "remove")
    assert (friends(pair.anna), friends(pair.ben)) == ({}, {})


def test_a_blocked_player_learns_nothing(pair: Pair) -> None:
    anna, ben = pair.befriend().names
    challenge(pair.anna, ben)
    do(pair.ben, anna, "block")
    assert friends(pair.ben) == {anna: ("blocked", False)}
    assert (friends(pair.anna), news(pair.ben)) == ({}, [])
    answer = ask(pair.anna, ben)
    assert answer == ask(pair.anna, "unknown")
    assert friends(pair.anna) == {ben: ("pending", False), "unknown": ("pending", False)}
    assert friends(pair.ben) == {anna: ("blocked", False)}
    assert pair.ben.get("/friends/news").json()["requests"] == []


def test_a_request_of_a_blocked_player_shows_after_unblocking(pair: Pair) -> None:
    anna, ben = pair.names
    ask(pair.anna, ben)
    do(pair.ben, anna, "block")
    assert pair.ben.post("/api/me/friends", json={"name": anna}).status_code == 409
    do(pair.ben, anna, "remove")
    assert friends(pair.ben) == {anna: ("incoming", False)}


# Online


def test_only_friends_see_who_is_online(server: AppServer, pair: Pair) -> None:
    anna, ben = pair.names
    news(pair.anna)
    ask(pair.ben, anna)
    assert friends(pair.ben) == {anna: ("pending", False)}
    do(pair.anna, ben, "accept")
    assert friends(pair.ben) == {anna: ("friend", True)}
    assert friends(pair.anna) == {ben: ("friend", False)}
    pair.anna.post("/api/me/online", json={"shown": False}).raise_for_status()
    assert friends(pair.ben) == {anna: ("friend", False)}
    assert "online</em>" not in pair.ben.get("/friends").text
    pair.anna.post("/friends/online", data={"shown": "yes"})
    assert "online</em>" in pair.ben.get("/friends").text


# Challenges


def test_a_challenge_waits_until_it_is_accepted(pair: Pair) -> None:
    anna, ben = pair.befriend().names
    table = challenge(pair.anna, ben)
    assert news(pair.ben) == [f"{anna} challenges you to Hush. Rules: standard; no clock; not rated."]
    page = pair.ben.get("/friends").text
    assert f"<b>{anna}</b> challenges you to Hush." in page
    assert "no clock; not rated" in page
    taken = pair.ben.post(f"/challenges/{received(pair.ben)}/accept")
    assert taken.headers["location"] == f"/table/{table}"
    assert [seat["name"] for seat in pair.ben.look(table)["seats"]] == [anna, ben]
    assert (news(pair.ben), news(pair.anna)) == ([], [])


def test_two_challenges_to_each_other_meet_at_one_table(pair: Pair) -> None:
    anna, ben = pair.befriend().names
    table = challenge(pair.anna, ben)
    assert challenge(pair.ben, anna, "mace") != table, "another game is another challenge"
    assert challenge(pair.ben, anna) == table
    assert [seat["name"] for seat in pair.ben.look(table)["seats"]] == [anna, ben]
    assert news(pair.ben) == []


def test_a_challenge_has_a_clock_and_can_be_rated(pair: Pair) -> None:
    """Challenges on other terms are separate: no player is seated on terms that they didn't choose."""
    anna, ben = pair.befriend().names
    sent = {"game": "hush", "clock": "5+5", "rated": "yes"}
    table = pair.anna.post(f"/friends/{line(pair.anna, ben)}/challenge", data=sent).headers["location"]
    assert news(pair.ben) == [f"{anna} challenges you to Hush. Rules: standard; 5 minutes + 5 s; rated."]
    assert f"/table/{challenge(pair.ben, anna)}" != table
    back = pair.ben.post(f"/friends/{line(pair.ben, anna)}/challenge", data=sent)
    assert back.headers["location"] == table
    refused = pair.anna.post(f"/friends/{line(pair.anna, ben)}/challenge", data={**sent, "clock": "x"})
    assert refused.status_code == 422


def challenged_at_once(server: AppServer, *challengers: tuple[Client, str]) -> set[str]:
    """Challenge friends at the same moment, each by name; return the tables."""
    lines = [(identity_of(client), line(client, name)) for client, name in challengers]

    async def at_once() -> set[str]:
        challenge = server.app.state.friends.challenge
        sent = (challenge(person, number, game("hush"), Requester(person.id)) for person, number in lines)
        return set(map(str, await asyncio.gather(*sent)))

    return server.run(at_once())


def test_challenges_to_each_other_at_the_same_moment_meet(server: AppServer, pair: Pair) -> None:
    anna, ben = pair.befriend().names
    [table] = challenged_at_once(server, (pair.anna, ben), (pair.ben, anna))
    assert {seat["name"] for seat in pair.ben.look(table)["seats"]} == {anna, ben}
    assert (news(pair.anna), news(pair.ben)) == ([], [])


def test_a_double_click_sends_one_challenge(server: AppServer, pair: Pair) -> None:
    anna, ben = pair.befriend().names
    assert len(challenged_at_once(server, *[(pair.anna, ben)] * 3)) == 1
    assert news(pair.ben) == [f"{anna} challenges you to Hush. Rules: standard; no clock; not rated."]


def test_the_challenger_sees_that_a_challenge_was_declined(pair: Pair) -> None:
    anna, ben = pair.befriend().names
    table = challenge(pair.anna, ben)
    number = received(pair.ben)
    pair.ben.post(f"/challenges/{number}/end")
    assert (news(pair.ben), news(pair.anna)) == ([], [f"{ben} declined your challenge to Hush."])
    assert pair.ben.post(f"/api/me/challenges/{number}/accept").status_code == 403
    pair.anna.post(f"/api/me/challenges/{number}/end").raise_for_status()
    assert news(pair.anna) == []
    assert challenge(pair.ben, anna) != table


def open_seat(client: Client, table: str) -> str:
    """Return what the page of a table says about its open seats."""
    [said] = re.findall(r'<div[^>]* id="open-seats"[^>]*>(?:<p>([^<]*)</p>)?', client.page(table))
    return str(said)


def test_the_challengers_table_says_whom_it_waits_for(pair: Pair) -> None:
    table, ben = challenge(pair.befriend().anna, pair.names[1]), pair.names[1]
    waiting = f"Waiting for {ben}."
    assert waiting in open_seat(pair.anna, table)
    pair.anna.server.reload(table)
    assert waiting in open_seat(pair.anna, table)
    assert ben not in pair.anna.server.stranger().get(f"/table/{table}?watch=true").text
    version = pair.anna.look(table)["version"]
    pair.ben.post(f"/api/me/challenges/{received(pair.ben)}/end").raise_for_status()
    assert pair.anna.look(table)["version"] > version  # an open page shows it at once
    assert f"{ben} declined your challenge." in open_seat(pair.anna, table)


def test_a_withdrawn_challenge_leaves_an_open_seat(pair: Pair) -> None:
    table = challenge(pair.befriend().anna, pair.names[1])
    pair.anna.post(f"/api/me/challenges/{received(pair.anna)}/end").raise_for_status()
    assert open_seat(pair.anna, table).startswith("Seat 2 is open.")


def test_only_friends_can_be_challenged(server: AppServer, pair: Pair) -> None:
    anna, ben = pair.names
    ask(pair.anna, ben)
    refused = pair.anna.post(f"/api/me/friends/{line(pair.anna, ben)}/challenge", json={"game": "hush"})
    assert (refused.status_code, refused.json()["reason"]) == (404, "You can only challenge your friends.")
    pair.befriend()
    carla = new_account(server, f"carla{anna}")
    refused = carla.post(f"/api/me/friends/{line(pair.anna, ben)}/challenge", json={"game": "hush"})
    assert refused.status_code == 404
    table = challenge(pair.anna, ben)
    number = received(pair.ben)
    assert carla.post(f"/api/me/challenges/{number}/accept").status_code == 403
    assert carla.post(f"/api/me/challenges/{number}/end").json() == {"accepted": True}  # without effect
    assert len(news(pair.ben)) == 1
    assert carla.look(table)["seat"] == 0


def test_a_full_table_ends_its_challenge(server: AppServer, pair: Pair) -> None:
    _, ben = pair.befriend().names
    table = challenge(pair.anna, ben)
    server.person("Carl").post(f"/api/table/{table}/sit", json={"seat": 2}).raise_for_status()
    assert news(pair.ben) == []


def test_a_banned_player_cannot_accept_a_challenge(server: AppServer, pair: Pair) -> None:
    anna, ben = pair.befriend().names
    table = challenge(pair.anna, ben)
    number = received(pair.ben)
    server.ban(key(id_of(pair.ben)))
    assert pair.ben.post(f"/challenges/{number}/accept").status_code == 403
    assert [seat["name"] for seat in pair.anna.look(table)["seats"]] == [anna, ""]


def test_two_processes_store_one_challenge(start_server: StartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    challenge_from_two_processes(start_server(), start_server(), monkeypatch)


# Personal data


def test_the_export_has_friends_and_challenges(pair: Pair) -> None:
    anna, ben = pair.befriend().names
    challenge(pair.anna, ben)
    told = export_data(pair.ben)
    assert told["friends"] == [{"name": anna, "state": "friend"}]
    assert told["challenges"] == [{"name": anna, "game": "hush", "sent": False}]
    assert told["friends don't see that you are online"] is False


def test_deleting_an_account_removes_it_from_the_lists_of_others(pair: Pair) -> None:
    _, ben = pair.befriend().names
    challenge(pair.anna, ben)
    pair.ben.post("/me/delete", data={"sure": "yes"})
    assert (friends(pair.anna), news(pair.anna)) == ({}, [])
    assert re.search("None yet", pair.anna.get("/friends").text)


def test_a_request_to_a_deleted_account_stays_like_one_to_an_unknown_name(pair: Pair) -> None:
    _, ben = pair.names
    ask(pair.anna, ben)
    before = friends(pair.anna)
    pair.ben.post("/me/delete", data={"sure": "yes"})
    assert friends(pair.anna) == before == {ben: ("pending", False)}
