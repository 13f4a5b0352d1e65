"""The start page: own tables first, then public tables, and quick matches."""

import contextlib
import re
import sqlite3
import time

import pytest

from sparring.bots import STRENGTHS
from sparring.people.rate_limits import Requester, TooMany
from sparring.settings import Limits
from sparring.tables.play.match_results import TableSummary
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, Client, StartServer
from web.tables.quick_matches import quick_match
from wording import says

PUBLIC = TableSettings(public=True)


def section(page: str, name: str) -> str:
    """Return a section of the start page."""
    [found] = re.findall(rf'aria-labelledby="{name}"(.*?)</section>', page, re.DOTALL)
    return str(found)


def tables(page: str, name: str) -> list[str]:
    """Return the tables in a list of the start page, in order."""
    return re.findall(r'<a href="/table/([^"?/]+)', section(page, name))


def mark_abandoned(server: AppServer, table: str) -> None:
    """Mark a table as unattended for long."""
    row = server.run(server.tables.store.load(table))
    assert row
    server.run(server.tables.store.write(table, row.row_version, attended=int(time.time()) - 1000))
    server.reload(table)


def test_a_new_visitor_sees_the_games_first(start_server: StartServer) -> None:
    page = start_server().stranger().get("/").text
    assert page.index("What shall we play?") < page.index('class="games"') < page.index('id="quick-title"')
    assert page.index('id="quick-title"') < page.index('id="public-title"') < page.index('id="mine-title"')


def test_own_tables_come_first_with_those_on_turn_at_the_top(start_server: StartServer) -> None:
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
    asked = server.held(table).shown.turn_seat
    for restarted in range(2):
        pages = [server.person(who).get("/").text for who in ("Anna", "Ben")]
        assert ["your turn" in section(page, "mine-title") for page in pages] == [asked == 1, asked == 2]
        if not restarted:
            server.restart()
    assert not server.tables.registry._open


def test_listed_standings_are_the_spectators_view(start_server: StartServer) -> None:
    server = start_server()
    table = server.table("Anna", "Ben", name="make-your-moves", seed=3)
    assert "Turn 1 · Points: Anna 0, Ben 0" in section(server.person("Anna").get("/").text, "mine-title")
    row = server.run(server.tables.store.load(table))
    assert row
    assert TableSummary.read(row.standing) == TableSummary.of(server.held(table).match)  # see test_leaks.py


@pytest.mark.usefixtures("same_keys")
def test_a_secret_choice_does_not_change_lists_of_others(start_server: StartServer) -> None:
    """In Hush both play their cards before any is revealed."""
    server = start_server()
    table = server.table("Anna", "Ben", "Carl", settings=PUBLIC)
    before = [server.person(who).get("/").content for who in ("Carl", "Dora")]
    server.person("Anna").choose_first(table)
    assert [server.person(who).get("/").content for who in ("Carl", "Dora")] == before


def test_finished_tables_come_last_with_a_page_for_all(start_server: StartServer) -> None:
    server = start_server()
    ended = [server.table("Anna", "Ben", seed=seed) for seed in range(4)]
    for table in ended:
        server.person("Anna").choose(table, "give up").raise_for_status()
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
    waits, full = (server.table("Anna", other, settings=PUBLIC) for other in ("", "Ben"))
    private, page = server.table("Anna", ""), server.person("Carl").get("/").text
    found = section(page, "public-title")
    assert f'href="/table/{waits}"' in found
    assert f'href="/table/{full}?watch=true"' in found
    assert private not in page
    assert waits not in section(server.person("Anna").get("/").text, "public-title")  # it is in her own list


def test_an_abandoned_public_table_is_unlisted(server: AppServer, anna: Client) -> None:
    table = server.table("Anna", "", settings=PUBLIC)
    mark_abandoned(server, table)
    assert table not in server.person("Carl").get("/").text
    anna.page(table)
    server.run(server.tables.lists.attend(server.tables.registry.attended_tables()))
    assert table in server.person("Carl").get("/").text


def test_spectators_do_not_keep_a_table_listed(server: AppServer) -> None:
    table = server.table("Anna", "", settings=PUBLIC)
    held = server.held(table)
    held.attended_at = -1000.0
    with server.person("Carl").stream(table) as watching:
        next(watching)
        assert table not in server.tables.registry.attended_tables()
        with server.person("Anna").stream(table) as sitting:
            next(sitting)
            held.attended_at = -1000.0
            assert table in server.tables.registry.attended_tables()


def test_a_finished_public_table_is_unlisted(server: AppServer) -> None:
    table = server.table("Anna", "Ben", settings=PUBLIC)
    server.person("Anna").choose(table, "give up").raise_for_status()
    assert table not in server.person("Carl").get("/").text


def test_open_pages_refresh_only_the_lists(server: AppServer, table: str) -> None:
    told = server.person("Anna").get("/lobby").text
    assert "<html" not in told
    assert table in section(told, "mine-title")
    assert table not in server.person("Carl").get("/lobby").text


def test_a_quick_match_against_a_bot_starts_at_once_and_is_remembered(server: AppServer) -> None:
    guest = server.stranger()
    table = server.held(quick_match(guest, "random", "mace", name="Gil", clock="3 days"))
    assert [(player.name, player.bot) for player in table.players] == [("Gil", ""), ("Bolt", "random")]
    assert table.settings == TableSettings(days=3, hints=True)
    page = guest.get("/").text
    assert '<option value="mace" selected>' in page
    assert '<option value="random" selected>' in page
    assert '<option value="3 days" selected>' in page
    assert 'id="name"' not in page


def pressed(client: Client, path: str, form: dict[str, str]) -> str:
    """Return the table to which a button leads."""
    return client.post(path, data=form).headers["location"].removeprefix("/table/")


def test_one_click_starts_a_match_with_hints_and_the_recommended_rules(server: AppServer) -> None:
    guest = server.stranger()
    page = guest.get("/").text
    assert 'formaction="/play/five-circles" name="with" value="bot">Play<' in page
    assert 'href="/games/five-circles/learn">Learn it in five minutes<' in page
    assert 'href="/puzzles/five-circles/daily"' in page
    table = server.held(pressed(guest, "/play/five-circles", {"with": "bot"}))
    assert [(player.name, player.bot) for player in table.players] == [("Guest", ""), ("Bolt", STRENGTHS[1])]
    assert table.settings == TableSettings(hints=True)
    assert table.match.setup.options["life"] == 14
    assert guest.look(table.id)["seat"] == 1
    assert 'id="name"' in guest.get("/").text  # still nameless elsewhere


@pytest.mark.parametrize(
    ("path", "form"), [("/quick", {"game": "hush", "against": "alike"}), ("/play/hush", {"with": "bot"})]
)
def test_the_suggested_bot_is_one_level_from_the_last(server: AppServer, path: str, form: dict[str, str]) -> None:
    dina = server.person(f"Dina at {path}")

    def met() -> str:
        """Press the button, return the bot, and let Dina give up."""
        table = server.held(pressed(dina, path, form))
        dina.choose(table.id, "give up")
        return table.players[1].bot

    assert [met() for _ in range(3)] == [STRENGTHS[1], STRENGTHS[0], STRENGTHS[0]]
    with contextlib.closing(sqlite3.connect(server.settings.database.partition("///")[2])) as database, database:
        # as if she had won, and the ends were in different seconds
        database.execute("update results set outcome = 1, ended = rowid where player like 'Dina%'")
    assert met() == STRENGTHS[1]


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
    table = server.held(path.removeprefix("/table/"))
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


def test_two_people_are_matched_at_one_table(start_server: StartServer) -> None:
    server = start_server()
    anna, ben, carl = (server.person(who) for who in ("Anna", "Ben", "Carl"))
    table = quick_match(anna, "people")
    assert quick_match(anna, "people") == table  # a waiting player keeps waiting there
    assert quick_match(carl, "people", "mace") != table
    assert quick_match(ben, "people") == table
    assert [player.name for player in server.held(table).players] == ["Anna", "Ben"]
    assert quick_match(ben, "people") != table


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
    server.table("Anna", "")
    server.table("Anna", "", settings=PUBLIC, wins="low")
    server.table("Anna", "", settings=TableSettings(public=True, days=1))
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
    server, eve = start_server(limits=Limits(public_waiting=2)), Requester("Eve", "192.0.2.66")
    first, _ = (server.table("Eve", "", settings=PUBLIC, requester=eve) for _ in range(2))
    with pytest.raises(TooMany, match="waiting for players"):
        server.table("Eve", "", settings=PUBLIC, requester=eve)
    server.table("Eve", "", requester=eve)
    mark_abandoned(server, first)
    server.table("Eve", "", settings=PUBLIC, requester=eve)


def test_the_length_of_the_list_is_limited(start_server: StartServer) -> None:
    server = start_server()
    made = {server.table("Anna", "", settings=PUBLIC, seed=seed) for seed in range(25)}
    listed = tables(server.person("Carl").get("/").text, "public-title")
    assert (len(listed), set(listed) <= made) == (20, True)
