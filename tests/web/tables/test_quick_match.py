"""The start page: own tables first, then public tables, and quick matches."""

import contextlib
import re
import sqlite3
import time
from typing import Any

import pytest

from sparring.bots import STRENGTHS
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.people.rate_limits import Requester
from sparring.settings import Limits
from sparring.store.table_lists import ListStore
from sparring.tables.results.match_results import TableSummary, summary_columns
from sparring.tables.state.clock_state import EarlyEnding
from sparring.tables.state.players import Player
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, StartServer
from web.tables.quick_matches import quick_match
from wording import says

#: Matches the text between the starts of two sections of the start page.
SECTION = r'aria-labelledby="{}"(.*?)</section>'


def section(page: str, name: str) -> str:
    found = re.search(SECTION.format(name), page, re.DOTALL)
    assert found
    return found[1]


def tables(page: str, name: str) -> list[str]:
    """Return the tables in a list of the start page, in order."""
    return re.findall(r'<a href="/table/([^"?/]+)', section(page, name))


def public(server: AppServer, *names: str, name: str = "hush", seed: int = 1) -> str:
    players = [Player(bot="random", name="Bolt") if who == "bot" else Player(who, who) for who in names]
    made = server.run(
        server.tables.creation.create(game(name), players, seed=seed, settings=TableSettings(public=True))
    )
    return made.id


def mark_abandoned(server: AppServer, table: str) -> None:
    """Mark a table as unattended for long."""
    row = server.run(server.tables.store.load(table))
    assert row
    server.run(server.tables.store.write(table, row.row_version, attended=int(time.time()) - 1000))
    server.reload(table)


def play(server: AppServer, table: str, seat: str) -> None:
    """Make this person's last legal choice."""
    person = server.person(seat)
    assert person.choose(table, person.look(table)["choices"][-1]["choice"]).is_success


def test_a_new_visitor_sees_the_games_first(start_server: StartServer) -> None:
    page = start_server().stranger().get("/").text
    assert page.index("What shall we play?") < page.index('class="games"') < page.index('id="quick-title"')
    assert page.index('id="quick-title"') < page.index('id="public-title"') < page.index('id="mine-title"')


def test_own_tables_come_first_with_those_on_turn_at_the_top(
    start_server: StartServer,
) -> None:
    server = start_server()
    others, waits, mine = server.table("Ben", "Anna"), server.table("Ben", "Anna", ""), server.table("Anna", "Ben")
    page = server.person("Anna").get("/").text
    order = [page.index(mark) for mark in ('id="mine-title"', 'id="quick-title"', 'id="public-title"', 'class="games"')]
    assert order == sorted(order)
    assert tables(page, "mine-title") == [mine, others, waits]
    assert re.findall(r'class="tag[^"]*">(.*?)<', section(page, "mine-title")) == [
        "your turn", "Ben&#39;s turn", "waiting for players"
    ]  # fmt: skip
    assert "<title>Your turn: Sparring</title>" in page
    assert 'data-turns="1"' in page


def test_the_list_follows_the_turn_after_a_restart_too(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben", name="make-your-moves", seed=3)
    asked = server.run(server.tables.registry.get(table)).shown.turn_seat
    names = ["Anna", "Ben"]
    for person in range(2):
        turn = "your turn" in section(server.person(names[person]).get("/").text, "mine-title")
        assert turn == (person + 1 == asked)
    server.close()
    server = start_server()
    assert "your turn" in server.person(names[asked - 1]).get("/").text
    assert not server.tables.registry._open


def test_listing_loads_no_table(start_server: StartServer) -> None:
    server = start_server()
    for seed in range(1, 51):
        server.table("Anna", "Ben", seed=seed)
    server.close()
    server = start_server()
    assert len(tables(server.person("Anna").get("/").text, "mine-title")) == 50
    assert not server.tables.registry._open


def test_only_a_passed_turn_or_an_early_end_costs_a_summary(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[bool]()

    def counted(match: Match, ended: EarlyEnding) -> dict[str, Any]:
        made.append(bool(ended.how))
        return summary_columns(match, ended)

    monkeypatch.setattr("sparring.tables.play.commits.summary_columns", counted)
    server = start_server()
    table = server.table("Anna", "Ben")
    anna, ben = server.person("Anna"), server.person("Ben")
    assert anna.post(f"/api/table/{table}/propose", json={"what": "pause"}).is_success
    assert ben.answer(table, agree=False).is_success
    assert made == []
    held = server.run(server.tables.registry.get(table))
    seat = held.shown.turn_seat
    while held.shown.turn_seat == seat:
        assert made == []
        person = server.person(held.players[seat - 1].name)
        assert person.choose(table, person.look(table)["choices"][0]["choice"]).is_success
    assert made == [False]
    assert anna.post(f"/api/table/{table}/give-up").is_success
    assert made == [False, True]


def test_listed_standings_are_the_spectators_view(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben", name="make-your-moves", seed=3)
    assert "Turn 1 · Points: Anna 0, Ben 0" in section(server.person("Anna").get("/").text, "mine-title")
    row = server.run(server.tables.store.load(table))
    assert row
    match = server.run(server.tables.registry.get(table)).match
    assert TableSummary.read(row.standing) == TableSummary.of(match)
    other = Match.new("make-your-moves", seats=2, seed=4)
    other.state.turn = match.state.turn
    if other.seat == match.seat:
        assert TableSummary.of(other) == TableSummary.of(match)


@pytest.mark.usefixtures("same_keys")
def test_a_secret_choice_does_not_change_lists_of_others(start_server: StartServer) -> None:
    """In Hush both play their cards before any is revealed."""
    server = start_server()
    table = public(server, "Anna", "Ben", "Carl")
    before = [server.person(who).get("/").content for who in ("Carl", "Dora")]
    anna = server.person("Anna")
    assert anna.choose(table, anna.look(table)["choices"][0]["choice"]).is_success
    assert [server.person(who).get("/").content for who in ("Carl", "Dora")] == before


def test_finished_tables_come_last_with_a_page_for_all(start_server: StartServer) -> None:
    server = start_server()
    ended = [server.table("Anna", "Ben", seed=seed) for seed in range(4)]
    for table in ended:
        for _ in range(100):
            if server.run(server.tables.registry.get(table)).shown.over:
                break
            play(server, table, ("Anna", "Ben")[server.run(server.tables.registry.get(table)).shown.turn_seat - 1])
    going_on = server.table("Anna", "Ben")
    page = server.person("Anna").get("/").text
    listed = tables(page, "mine-title")
    assert listed[0] == going_on
    assert len(set(listed)) == 1 + 3
    assert section(page, "mine-title").count("The match is over.") == 3
    everything = server.person("Anna").get("/tables").text
    assert all(f'"/table/{table}"' in everything for table in (going_on, *ended))
    assert "No more tables." in server.person("Anna").get("/tables?number=2").text
    assert server.person("Anna").get("/tables?number=-1").text == everything


def test_open_tables_are_listed_and_full_ones_can_be_watched(server: AppServer) -> None:
    waits, full, private = public(server, "Anna", ""), public(server, "Anna", "Ben"), server.table("Anna", "")
    page = server.person("Carl").get("/").text
    found = section(page, "public-title")
    assert f'href="/table/{waits}"' in found
    assert f'href="/table/{full}?watch=true"' in found
    assert private not in page
    assert waits not in section(server.person("Anna").get("/").text, "public-title")  # it is in her own list


def test_an_abandoned_public_table_is_unlisted(server: AppServer) -> None:
    table = public(server, "Anna", "")
    mark_abandoned(server, table)
    assert table not in server.person("Carl").get("/").text
    anna = server.person("Anna")
    anna.page(table)
    server.run(server.tables.lists.attend(server.tables.registry.attended_tables()))
    assert table in server.person("Carl").get("/").text


def test_spectators_do_not_keep_a_table_listed(server: AppServer) -> None:
    table = public(server, "Anna", "")
    held = server.run(server.tables.registry.get(table))
    held.attended_at = -1000.0
    with server.person("Carl").stream(table) as watching:
        next(watching)
        assert table not in server.tables.registry.attended_tables()
        with server.person("Anna").stream(table) as sitting:
            next(sitting)
            held.attended_at = -1000.0
            assert table in server.tables.registry.attended_tables()


def test_a_finished_public_table_is_unlisted(server: AppServer) -> None:
    table = public(server, "Anna", "Ben")
    for _ in range(100):
        if server.run(server.tables.registry.get(table)).shown.over:
            break
        play(server, table, ("Anna", "Ben")[server.run(server.tables.registry.get(table)).shown.turn_seat - 1])
    assert table not in server.person("Carl").get("/").text


def test_open_pages_refresh_only_the_lists(server: AppServer) -> None:
    table = server.table("Anna", "Ben")
    told = server.person("Anna").get("/lobby").text
    assert "<html" not in told
    assert table in section(told, "mine-title")
    assert table not in server.person("Carl").get("/lobby").text


def test_a_quick_match_against_a_bot_starts_at_once_and_is_remembered(server: AppServer) -> None:
    guest = server.stranger()
    table = server.run(server.tables.registry.get(quick_match(guest, "random", "mace", name="Gil", clock="3 days")))
    assert [(player.name, player.bot) for player in table.players] == [("Gil", ""), ("Bolt", "random")]
    assert table.settings == TableSettings(days=3, hints=True)
    page = guest.get("/").text
    assert '<option value="mace" selected>' in page
    assert '<option value="random" selected>' in page
    assert '<option value="3 days" selected>' in page
    assert 'id="name"' not in page


def test_one_click_starts_a_match_with_hints_and_the_recommended_rules(server: AppServer) -> None:
    guest = server.stranger()
    page = guest.get("/").text
    assert 'formaction="/play/five-circles" name="with" value="bot">Play<' in page
    assert 'href="/games/five-circles/learn">Learn it in five minutes<' in page
    assert 'href="/puzzles/five-circles/daily"' in page
    address = guest.post("/play/five-circles", data={"with": "bot"}).headers["location"]
    table = server.run(server.tables.registry.get(address.removeprefix("/table/")))
    assert [(player.name, player.bot) for player in table.players] == [("Guest", ""), ("Bolt", STRENGTHS[1])]
    assert table.settings == TableSettings(hints=True)
    assert table.match.box.options["life"] == 14
    assert guest.look(table.id)["seat"] == 1
    assert 'id="name"' in guest.get("/").text  # still nameless elsewhere


def test_play_starts_a_match_against_a_bot_about_as_strong_as_the_player(server: AppServer) -> None:
    dora: Any = server.person("Dora")

    def opponent() -> str:
        """Press Play, return the bot, and let Dora give up."""
        address = dora.post("/play/hush", data={"with": "bot"}).headers["location"]
        table = server.run(server.tables.registry.get(address.removeprefix("/table/")))
        dora.choose(table.id, "give up")
        return table.players[1].bot

    assert [opponent() for _ in range(2)] == [STRENGTHS[1], STRENGTHS[0]]


def test_one_click_opens_a_table_and_its_invitation_for_a_friend(server: AppServer) -> None:
    host, friend = server.stranger(), server.stranger()
    assert 'id="name"' in host.post("/play/mace", data={"with": "friend"}).text  # the invitation names the host
    address = host.post("/play/mace", data={"with": "friend", "name": "Ann"}).headers["location"]
    path, _, place = address.partition("#")
    assert place == "invite"
    page = host.get(path).text
    assert 'id="invite"' in page
    assert 'data-share="link-to-send"' in page
    assert 'aria-label="The link as a QR code"' in page
    table = server.run(server.tables.registry.get(path.removeprefix("/table/")))
    assert [player.name for player in table.players] == ["Ann", ""]
    assert not table.settings.hints
    invitation = friend.get(path).text
    assert "<b>Ann</b> invites you to a match of <b>MACE</b>." in invitation
    assert 'href="/games/mace/learn"' in invitation


def test_the_form_for_a_friend_survives_a_reload(server: AppServer) -> None:
    """The address of the form answered only posts: a reload showed an error."""
    page = server.person("").get("/play/mace").raise_for_status().text
    assert says(page, "Play with a friend", "MACE", "Get the link")
    assert server.person("").get("/play/elsewhere").status_code == 404


def test_an_error_page_leads_to_the_account(server: AppServer) -> None:
    missing = server.person("Anna").get("/elsewhere")
    assert missing.status_code == 404
    assert '<a href="/me">Account</a>' in missing.text


def test_a_wrong_name_is_refused_on_the_start_page(server: AppServer) -> None:
    refused = server.stranger().post("/play/mace", data={"with": "bot", "name": "x" * 25})
    assert refused.status_code == 422
    assert "A name can have at most 24 characters" in refused.text


def test_the_suggested_bot_is_one_level_from_the_last(server: AppServer) -> None:
    dina: Any = server.person("Dina")

    def met() -> str:
        """Return the bot of the next quick match, and let Dina give up."""
        table = server.run(server.tables.registry.get(quick_match(dina, "alike")))
        dina.choose(table.id, "give up")
        return table.players[1].bot

    assert [met() for _ in range(3)] == [STRENGTHS[1], STRENGTHS[0], STRENGTHS[0]]
    with contextlib.closing(sqlite3.connect(server.settings.database.partition("///")[2])) as database, database:
        # as if she had won, and the ends were in different seconds
        database.execute("update results set outcome = 1, ended = rowid where player = 'Dina'")
    assert met() == STRENGTHS[1]
    assert server.program("New").post("/api/quick", json={"game": "hush", "against": "alike"}).status_code == 201


def test_two_people_are_matched_at_one_table(start_server: StartServer) -> None:
    server = start_server()
    anna, ben, carl = (server.person(who) for who in ("Anna", "Ben", "Carl"))
    table = quick_match(anna, "people")
    assert quick_match(anna, "people") == table  # a waiting player keeps waiting there
    assert quick_match(carl, "people", "mace") != table
    assert quick_match(ben, "people") == table
    assert [player.name for player in server.run(server.tables.registry.get(table)).players] == ["Anna", "Ben"]
    assert quick_match(ben, "people") != table


def test_a_quick_match_of_five_circles_uses_the_longer_variant(server: AppServer) -> None:
    table = server.run(server.tables.registry.get(quick_match(server.stranger(), "random", "five-circles", name="Gil")))
    assert (table.match.box.options["life"], table.match.box.options["opening"]) == (14, "hold")


def test_a_malformed_cookie_of_the_last_quick_match_is_ignored(server: AppServer) -> None:
    guest = server.stranger()
    guest.http.cookies.set("quick", "%00=&against=<b>;;" + "x" * 3000)
    response = guest.get("/")
    assert response.is_success
    assert "<b>;;" not in response.text


def test_the_longest_waiting_player_still_present_is_matched_first(start_server: StartServer) -> None:
    server = start_server()
    gone = quick_match(server.person("Gone"), "people")
    mark_abandoned(server, gone)
    first = quick_match(server.person("Anna"), "people")
    assert gone != first
    assert quick_match(server.person("Ben"), "people") == first


def test_quick_matches_pair_only_equal_rules(start_server: StartServer) -> None:
    server = start_server()
    players = [Player("Anna", "Anna"), Player()]
    for table_settings, options in (
        (TableSettings(), {}),
        (TableSettings(public=True), {"wins": "low"}),
        (TableSettings(public=True, days=1), {}),
    ):
        server.run(server.tables.creation.create(game("hush"), players, settings=table_settings, options=options))
    assert quick_match(server.person("Ben"), "people") not in server.person("Anna").get("/tables").text


@pytest.mark.parametrize(
    ("form", "status", "sentence"),
    [
        ({"game": "hush", "against": "people"}, 422, "Please enter a name"),
        ({"game": "chess", "against": "people", "name": "Gil"}, 404, "chess"),
        ({"game": "hush", "against": "pipe:rm", "name": "Gil"}, 422, "There is no bot called pipe:rm"),
        ({"game": "hush", "against": "x" * 500, "name": "Gil"}, 422, "fields is too long"),
        ({"game": "hush", "against": "people", "name": "Gil", "clock": "1 hour"}, 422, "Unknown time control"),
        ({}, 404, "There is no game"),
    ],
)  # fmt: skip
def test_an_invalid_quick_match_gets_a_reason_and_keeps_the_form(
    server: AppServer, form: dict[str, str], status: int, sentence: str
) -> None:
    response = server.stranger().post("/quick", data=form)
    assert response.status_code == status
    assert sentence in response.text
    assert 'role="alert"' in response.text
    if name := form.get("name"):
        assert f'value="{name}"' in response.text


def test_listed_tables_per_address_are_limited(start_server: StartServer) -> None:
    server = start_server(limits=Limits(public_waiting=2))
    eve = Requester("Eve", "192.0.2.66")
    players = [Player("Eve", "Eve"), Player()]

    def one_more() -> str:
        return server.run(
            server.tables.creation.create(game("hush"), players, settings=TableSettings(public=True), requester=eve)
        ).id

    first, _ = one_more(), one_more()
    with pytest.raises(Exception, match="waiting for players"):
        one_more()
    server.run(server.tables.creation.create(game("hush"), players, requester=eve))  # other tables can still be created
    mark_abandoned(server, first)
    one_more()


def test_the_length_of_the_list_is_limited(start_server: StartServer) -> None:
    server = start_server()
    made = [public(server, "Anna", "", seed=seed) for seed in range(25)]
    store = ListStore(server.tables.store)
    assert len(server.run(store.public(0, 20, "", waiting=True))) == 20
    assert len(tables(server.person("Carl").get("/").text, "public-title")) == 20
    assert set(tables(server.person("Carl").get("/").text, "public-title")) <= set(made)


def test_the_form_creates_a_public_table(server: AppServer) -> None:
    form = {"name": "Anna", "seat1": "me", "seat2": "open", "found": "public"}
    table = server.stranger().post("/games/hush", data=form).headers["location"].removeprefix("/table/")
    assert server.run(server.tables.registry.get(table)).settings.public
    assert table in section(server.person("Carl").get("/").text, "public-title")
