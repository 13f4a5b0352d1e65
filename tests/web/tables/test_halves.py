"""Two players each bring their own half: at once, or by an invitation that waits for the guest's."""

import asyncio
import re
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from sparring.engine.formats.toml import read_toml, write_toml
from sparring.games.five_circles import GAME
from sparring.people.identity import COOKIE
from sparring.people.rate_limits import Requester
from sparring.store.invitations import InvitationGone
from sparring.store.person import Person
from sparring.tables.state.table import Table
from web.app_server import HIGH_LIMITS, AppServer, Client, StartServer
from web.browser_helpers import new_context
from web.studio.sets import create_set

OPEN = {"game": "five-circles", "seats": ["me", "open"], "other": "guest"}


def own_set(person: Client, initials: str, *, both: bool = False) -> str:
    """Create a set with one deck of the standard set, or both, with initials; return its id."""
    data = read_toml(GAME.content_text, "own")
    data["decks"] = [{**deck, "initials": initials} for deck in data["decks"][: 1 + both]]
    asked = {"game": "five-circles", "name": f"Set {initials}", "toml": write_toml(data)}
    return str(person.post("/api/sets", json=asked).raise_for_status().json()["id"])


def invitation(anna: Client, **more: object) -> str:
    """Return the id of an invitation to bring the other half."""
    return str(anna.post("/api/tables", json={**OPEN, **more}).raise_for_status().json()["table"])


def halves(server: AppServer, table: str) -> list[tuple[str, str]]:
    """Return the name of each half, and the initials on its cards."""
    return [(deck.name, deck.initials) for deck in server.held(table).match.setup.content.decks]


# The way of two people


def test_a_guest_brings_their_half_and_the_match_starts_on_both_pages(server: AppServer) -> None:
    anna, ben = server.person("Anna"), server.person("Ben")
    address = create_set(anna, game="five-circles", title="Wood")
    waiting = anna.post(f"{address}/play", data={"other_half": "guest"}).headers["location"]
    page = anna.get(waiting).raise_for_status().text
    assert f'value="{server.url}{waiting}"' in page
    assert f'href="{waiting}"' in anna.get("/").text
    assert anna.get(f"/api{waiting}").json()["started"] is False
    offer = ben.get(waiting).raise_for_status().text
    assert "<b>Anna</b> invites you" in offer
    assert re.findall(r'<option value="(\S+)">', offer) == ["standard"]
    other = own_set(ben, "BE")
    assert f'<option value="{other}">Set BE</option>' in ben.get(waiting).text
    table = ben.post(waiting, data={"half": other}).headers["location"]
    assert table == waiting.replace("/halves/", "/table/")
    assert anna.get(f"/api{waiting}").json()["started"] is True
    assert anna.get(waiting).headers["location"] == table
    assert anna.post(f"{waiting}/cancel").headers["location"] == waiting  # too late, so to the table
    found = server.held(table.rsplit("/", 1)[1])
    assert [(player.name, player.person) for player in found.players] == [("Anna", "Anna"), ("Ben", "Ben")]
    assert found.set_id is None
    for person in (anna, ben):
        assert person.page(found.id)


def test_a_half_and_a_content_file_exclude_each_other(server: AppServer) -> None:
    answer = server.person("Anna").post("/api/tables", json={**OPEN, "content": GAME.content_text})
    assert answer.json()["reason"] == "Bring either a half or a content file for both seats."


def test_the_hosts_page_goes_to_the_table_by_itself(server: AppServer, anna: Client, browser: Browser) -> None:
    number = invitation(anna)
    with new_context(browser, server.url) as context:
        context.add_cookies([{"name": COOKIE, "value": anna.cookie(), "url": server.url}])
        page = context.new_page()
        page.goto(f"/halves/{number}")
        expect(page.get_by_role("button", name="Copy")).to_be_visible()
        server.person("Ben").post(f"/halves/{number}", data={"half": "standard"})
        expect(page).to_have_url(f"{server.url}/table/{number}", timeout=60_000)


def test_a_guest_without_a_set_or_a_name_brings_the_standard_half(server: AppServer) -> None:
    number = invitation(server.person("Anna"), own=own_set(server.person("Anna"), "AN"))
    stranger = server.stranger()
    table = stranger.post(f"/halves/{number}", data={"half": "standard"}).headers["location"].rsplit("/", 1)[1]
    assert halves(server, table) == [("Half A", "A"), ("Half B", "B")]
    assert [seat["name"] for seat in stranger.look(table)["seats"]] == ["Anna", "Guest"]


@pytest.mark.parametrize("seats", [["me", "random"], ["me", "open"], ["me", "local_player:Bea"]])
def test_the_host_chooses_both_halves_and_anyone_sits_down(server: AppServer, anna: Client, seats: list[str]) -> None:
    first, second = own_set(anna, "AN"), own_set(anna, "BE", both=True)
    asked = {"game": "five-circles", "seats": seats, "own": first, "other": second}
    table = anna.post("/api/tables", json=asked).raise_for_status().json()["table"]
    assert halves(server, table) == [("Half A", "AN"), ("Half B", "BE")]


def test_the_forms_offer_halves_only_where_the_game_has_them(server: AppServer, anna: Client) -> None:
    number = own_set(anna, "AN")
    page = anna.get("/games/five-circles").text
    assert page.count(f'<option value="{number}">Set AN</option>') == 2
    form = {"name": "Anna", "seat1": "me", "seat2": "random", "half": number, "other_half": "standard"}
    made = anna.post("/games/five-circles", data={**form, "option.life": "7"})
    table = server.held(made.headers["location"].rsplit("/", 1)[1])
    assert (table.match.setup.options["life"], table.match.setup.hides_content) == (7, True)
    assert "there are no hints" in anna.post("/games/five-circles", data={**form, "counting": "hints"}).text
    assert "other_half" not in anna.get("/games/make-your-moves").text
    assert "other_half" not in anna.get(create_set(anna, game="make-your-moves")).text
    refused = anna.post("/api/tables", json={**OPEN, "game": "make-your-moves"})
    assert "don't bring their own halves" in refused.json()["reason"]


# Who may do what


def test_one_of_two_guests_at_once_is_seated(server: AppServer) -> None:
    number = invitation(server.person("Anna"))

    async def both() -> list[object]:
        accept = server.tables.halves.accept
        guests = [accept(number, Person(name, name), "standard", Requester(name)) for name in ("Ben", "Carla")]
        return list(await asyncio.gather(*guests, return_exceptions=True))

    results = server.run(both())
    assert sorted(type(each).__name__ for each in results) == ["InvitationGone", "Table"]
    loser = ("Ben", "Carla")[isinstance(results[0], Table)]
    refused = server.person(loser).post(f"/halves/{number}", data={"half": "standard"})
    assert (refused.status_code, str(InvitationGone()).partition(":")[0] in refused.text) == (404, True)
    assert server.person(loser).get(f"/halves/{number}").headers["location"] == f"/table/{number}"


def test_a_double_click_opens_and_accepts_once(anna: Client, ben: Client) -> None:
    form = {"name": "Anna", "seat1": "me", "seat2": "open", "half": "standard", "other_half": "guest", "once": "a key"}
    first, second = (anna.post("/games/five-circles", data=form).headers["location"] for _ in range(2))
    assert first == second
    tables = [ben.post(first, data={"half": "standard", "once": "b"}).headers["location"] for _ in range(2)]
    assert tables == [first.replace("halves", "table")] * 2
    assert anna.post("/games/five-circles", data=form).headers["location"] == tables[0]


def test_only_the_host_cancels_and_no_one_accepts_then(anna: Client, ben: Client) -> None:
    number = invitation(anna)
    assert ben.post(f"/api/halves/{number}/cancel").status_code == 403
    assert anna.post(f"/api/halves/{number}", json={"half": "standard"}).status_code == 403
    assert anna.post(f"/halves/{number}/cancel").headers["location"] == "/"
    assert ben.get(f"/halves/{number}").status_code == 404
    assert ben.post(f"/api/halves/{number}", json={"half": "standard"}).status_code == 404
    assert anna.post(f"/api/halves/{number}/cancel").status_code == 404
    assert ben.get(f"/api/halves/{number}").status_code == 404


def test_someone_elses_set_is_no_half(anna: Client, ben: Client) -> None:
    number = invitation(anna)
    for half in (own_set(anna, "AN"), "", "guest", create_set(ben, game="make-your-moves").rsplit("/", 1)[1]):
        refused = ben.post(f"/halves/{number}", data={"half": half})
        assert (refused.status_code, "You have no such set" in refused.text) == (404, True)


def test_whom_the_host_has_blocked_finds_no_invitation(server: AppServer) -> None:
    number = invitation(server.person("Anna"))
    blocked = Person("Ben", "Ben", blocked_by=frozenset({"Anna"}))
    with pytest.raises(InvitationGone):
        server.run(server.tables.halves.accept(number, blocked, "standard", Requester("Ben")))


def test_an_invitation_counts_like_a_table(start_server: StartServer) -> None:
    server = start_server(limits=replace(HIGH_LIMITS, tables_going_on=2))
    anna = server.person("Anna")
    invitation(anna)
    invitation(anna)
    assert anna.post("/api/tables", json=OPEN).status_code == 429


@pytest.mark.parametrize("seats", [["open", "me"], ["me", "random"], ["open", "open"]])
def test_the_host_of_an_invitation_has_seat_1(server: AppServer, seats: list[str]) -> None:
    refused = server.person("Anna").post("/api/tables", json={**OPEN, "seats": seats})
    assert "take seat 1 and leave seat 2 open" in refused.json()["reason"]


def test_a_set_without_a_deck_is_refused_before_the_link_is_sent(anna: Client) -> None:
    empty = anna.post("/api/sets", json={"game": "five-circles", "name": "Empty", "blank": True}).json()["id"]
    assert "a set needs a deck" in anna.post("/api/tables", json={**OPEN, "own": empty}).json()["reason"]
