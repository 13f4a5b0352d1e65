"""Where people come in: their own tables first, those that anybody may find, quick matches."""

import contextlib
import re
import sqlite3
import time
from typing import Any

import pytest

from sparring.bots import STRENGTHS
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.web.security.rate_limits import Requester
from sparring.web.settings import Limits
from sparring.web.storage import ListStore
from sparring.web.tables.players import Player
from sparring.web.tables.summary import TableSummary
from sparring.web.tables.table_settings import TableSettings
from web.app_server import House, Opener, Visitor

#: What stands between the beginnings of two sections of the start page.
SECTION = r'aria-labelledby="{}"(.*?)</section>'


def section(page: str, name: str) -> str:
    found = re.search(SECTION.format(name), page, re.DOTALL)
    assert found
    return found[1]


def tables(page: str, name: str) -> list[str]:
    """The tables in a list of the start page, in their order."""
    return re.findall(r'<a href="/table/([^"?/]+)', section(page, name))


def public(house: House, *names: str, name: str = "hush", seed: int = 1) -> str:
    sitters = [Player(bot="random", name="Bolt") if who == "bot" else Player(who, who) for who in names]
    made = house.run(house.tables.create(game(name), sitters, seed=seed, terms=TableSettings(public=True)))
    return made.id


def unattended(house: House, table: str) -> None:
    """As if nobody had been there for long."""
    row = house.run(house.tables.store.load(table))
    assert row
    house.run(house.tables.store.write(table, row.edition, attended=int(time.time()) - 1000))


def play(house: House, table: str, seat: str) -> None:
    """The last choice that this person has."""
    person = house.person(seat)
    assert person.choose(table, person.look(table)["choices"][-1]["choice"]).is_success


def test_the_games_come_first_for_somebody_new(open_house: Opener) -> None:
    page = open_house().stranger().get("/").text
    assert page.index("What shall we play?") < page.index('class="games"') < page.index('id="quick-title"')
    assert page.index('id="quick-title"') < page.index('id="public-title"') < page.index('id="mine-title"')


def test_who_comes_back_finds_their_own_tables_first_and_those_where_it_is_their_turn_before_all(
    open_house: Opener,
) -> None:
    house = open_house()
    others, waits, mine = house.table("Ben", "Anna"), house.table("Ben", "Anna", ""), house.table("Anna", "Ben")
    page = house.person("Anna").get("/").text
    order = [page.index(mark) for mark in ('id="mine-title"', 'id="quick-title"', 'id="public-title"', 'class="games"')]
    assert order == sorted(order)
    assert tables(page, "mine-title") == [mine, others, waits]
    assert re.findall(r'class="tag[^"]*">(.*?)<', section(page, "mine-title")) == [
        "Your turn", "Ben’s turn", "waiting for players"
    ]  # fmt: skip
    assert "<title>Your turn: Sparring</title>" in page
    assert 'data-turns="1"' in page


def test_the_list_follows_whose_turn_it_is_also_after_a_restart(open_house: Opener) -> None:
    house = open_house()
    table = house.table("Anna", "Ben", name="make-your-moves", seed=3)
    asked = house.run(house.tables.get(table)).shown.asked
    names = ["Anna", "Ben"]
    for person in range(2):
        turn = "Your turn" in section(house.person(names[person]).get("/").text, "mine-title")
        assert turn == (person + 1 == asked)
    house.close()
    house = open_house()
    assert "Your turn" in house.person(names[asked - 1]).get("/").text
    assert not house.tables._open


def test_a_list_opens_no_table(open_house: Opener) -> None:
    house = open_house()
    for seed in range(1, 51):
        house.table("Anna", "Ben", seed=seed)
    house.close()
    house = open_house()
    assert len(tables(house.person("Anna").get("/").text, "mine-title")) == 50
    assert not house.tables._open


def test_how_it_stands_is_what_those_see_who_watch(open_house: Opener) -> None:
    house = open_house()
    table = house.table("Anna", "Ben", name="make-your-moves", seed=3)
    assert "Turn 1 · Points: Anna 0, Ben 0" in section(house.person("Anna").get("/").text, "mine-title")
    row = house.run(house.tables.store.load(table))
    assert row
    match = house.run(house.tables.get(table)).match
    assert TableSummary.read(row.standing) == TableSummary.of(match)
    other = Match.new("make-your-moves", seats=2, seed=4)
    other.state.turn = match.state.turn
    if other.seat == match.seat:
        assert TableSummary.of(other) == TableSummary.of(match)


def test_a_secret_choice_changes_no_list_of_others(open_house: Opener) -> None:
    """In Hush both lay their cards before any is turned up."""
    house = open_house()
    table = public(house, "Anna", "Ben", "Carl")
    before = [house.person(who).get("/").content for who in ("Carl", "Dora")]
    anna = house.person("Anna")
    assert anna.choose(table, anna.look(table)["choices"][0]["choice"]).is_success
    assert [house.person(who).get("/").content for who in ("Carl", "Dora")] == before


def test_finished_tables_come_last_a_few_and_all_of_them_on_a_page_of_their_own(open_house: Opener) -> None:
    house = open_house()
    ended = [house.table("Anna", "Ben", seed=seed) for seed in range(4)]
    for table in ended:
        for _ in range(100):
            if house.run(house.tables.get(table)).shown.over:
                break
            play(house, table, ("Anna", "Ben")[house.run(house.tables.get(table)).shown.asked - 1])
    going_on = house.table("Anna", "Ben")
    page = house.person("Anna").get("/").text
    listed = tables(page, "mine-title")
    assert listed[0] == going_on
    assert len(set(listed)) == 1 + 3
    assert section(page, "mine-title").count("The match is over.") == 3
    everything = house.person("Anna").get("/tables").text
    assert all(f'"/table/{table}"' in everything for table in (going_on, *ended))
    assert "No more tables." in house.person("Anna").get("/tables?number=2").text
    assert house.person("Anna").get("/tables?number=-1").text == everything


def test_tables_that_wait_for_people_are_found_and_those_that_are_full_can_be_watched(house: House) -> None:
    waits, full, private = public(house, "Anna", ""), public(house, "Anna", "Ben"), house.table("Anna", "")
    page = house.person("Carl").get("/").text
    found = section(page, "public-title")
    assert f'href="/table/{waits}"' in found
    assert f'href="/table/{full}?watch=true"' in found
    assert private not in page
    assert waits not in section(house.person("Anna").get("/").text, "public-title")  # it is among her own


def test_a_public_table_at_which_nobody_is_leaves_the_lists(house: House) -> None:
    table = public(house, "Anna", "")
    unattended(house, table)
    assert table not in house.person("Carl").get("/").text
    anna = house.person("Anna")
    anna.page(table)
    house.run(house.tables.lists.attend(house.tables.attended_tables()))
    assert table in house.person("Carl").get("/").text


def test_whoever_only_watches_keeps_no_table_in_the_lists(house: House) -> None:
    table = public(house, "Anna", "")
    held = house.run(house.tables.get(table))
    held.attended_at = -1000.0
    with house.person("Carl").stream(table) as watching:
        next(watching)
        assert table not in house.tables.attended_tables()
        with house.person("Anna").stream(table) as sitting:
            next(sitting)
            held.attended_at = -1000.0
            assert table in house.tables.attended_tables()


def test_a_finished_public_table_is_found_no_more(house: House) -> None:
    table = public(house, "Anna", "Ben")
    for _ in range(100):
        if house.run(house.tables.get(table)).shown.over:
            break
        play(house, table, ("Anna", "Ben")[house.run(house.tables.get(table)).shown.asked - 1])
    assert table not in house.person("Carl").get("/").text


def test_the_lists_alone_are_what_an_open_page_asks_for(house: House) -> None:
    table = house.table("Anna", "Ben")
    told = house.person("Anna").get("/lobby").text
    assert "<html" not in told
    assert table in section(told, "mine-title")
    assert table not in house.person("Carl").get("/lobby").text


def quick(visitor: Visitor, against: str, played: str = "hush", **more: str) -> str:
    answer = visitor.post("/quick", data={"game": played, "against": against, **more})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removeprefix("/table/")


def test_a_quick_match_against_a_bot_begins_at_once_and_is_remembered(house: House) -> None:
    guest = house.stranger()
    table = house.run(house.tables.get(quick(guest, "random", "mace", name="Gil", clock="3 days")))
    assert [(sitter.name, sitter.bot) for sitter in table.players] == [("Gil", ""), ("Bolt", "random")]
    assert table.settings == TableSettings(days=3)
    page = guest.get("/").text
    assert '<option value="mace" selected>' in page
    assert '<option value="random" selected>' in page
    assert '<option value="3 days" selected>' in page
    assert 'id="quick-name"' not in page


def test_a_bot_about_as_strong_as_somebody_is_one_step_from_the_last_that_they_played(house: House) -> None:
    dina: Any = house.person("Dina")

    def met() -> str:
        """The bot of the next quick match, which goes on until Dina gives up."""
        table = house.run(house.tables.get(quick(dina, "alike")))
        dina.choose(table.id, "give up")
        return table.players[1].bot

    assert [met() for _ in range(3)] == [STRENGTHS[1], STRENGTHS[0], STRENGTHS[0]]
    with contextlib.closing(sqlite3.connect(house.settings.database.partition("///")[2])) as database, database:
        # as if she had won, and they had not all ended in the same second
        database.execute("update results set outcome = 1, ended = rowid where player = 'Dina'")
    assert met() == STRENGTHS[1]
    assert house.program("New").post("/api/quick", json={"game": "hush", "against": "alike"}).status_code == 201


def test_two_who_want_people_meet_at_one_table(open_house: Opener) -> None:
    house = open_house()
    anna, ben, carl = (house.person(who) for who in ("Anna", "Ben", "Carl"))
    table = quick(anna, "people")
    assert quick(anna, "people") == table  # who waits already goes on waiting there
    assert quick(carl, "people", "mace") != table
    assert quick(ben, "people") == table
    assert [sitter.name for sitter in house.run(house.tables.get(table)).players] == ["Anna", "Ben"]
    assert quick(ben, "people") != table


def test_a_quick_match_of_five_circles_is_one_of_the_longer_ones(house: House) -> None:
    table = house.run(house.tables.get(quick(house.stranger(), "random", "five-circles", name="Gil")))
    assert (table.match.box.options["life"], table.match.box.options["opening"]) == (14, "hold")


def test_a_broken_memory_of_the_last_quick_match_changes_nothing(house: House) -> None:
    guest = house.stranger()
    guest.http.cookies.set("quick", "%00=&against=<b>;;" + "x" * 3000)
    answer = guest.get("/")
    assert answer.is_success
    assert "<b>;;" not in answer.text


def test_whoever_has_waited_longest_is_met_first_and_nobody_who_has_gone(open_house: Opener) -> None:
    house = open_house()
    gone = quick(house.person("Gone"), "people")
    unattended(house, gone)
    first = quick(house.person("Anna"), "people")
    assert gone != first
    assert quick(house.person("Ben"), "people") == first


def test_a_quick_match_meets_nobody_who_plays_by_other_rules(open_house: Opener) -> None:
    house = open_house()
    sitters = [Player("Anna", "Anna"), Player()]
    for terms, options in (
        (TableSettings(), {}),
        (TableSettings(public=True), {"wins": "low"}),
        (TableSettings(public=True, days=1), {}),
    ):
        house.run(house.tables.create(game("hush"), sitters, terms=terms, options=options))
    assert quick(house.person("Ben"), "people") not in house.person("Anna").get("/tables").text


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"game": "hush", "against": "people"}, "Please enter a name"),
        ({"game": "chess", "against": "people", "name": "Gil"}, "chess"),
        ({"game": "hush", "against": "pipe:rm", "name": "Gil"}, "There is no bot called pipe:rm"),
        ({"game": "hush", "against": "x" * 500, "name": "Gil"}, "fields is too long"),
        ({"game": "hush", "against": "people", "name": "Gil", "clock": "1 hour"}, "Unknown time control"),
        ({}, "There is no game"),
    ],
)  # fmt: skip
def test_a_quick_match_that_cannot_be_says_why_and_keeps_what_was_filled_in(
    house: House, form: dict[str, str], sentence: str
) -> None:
    answer = house.stranger().post("/quick", data=form)
    assert 400 <= answer.status_code < 500
    assert sentence in answer.text
    assert 'role="alert"' in answer.text
    if name := form.get("name"):
        assert f'value="{name}"' in answer.text


def test_nobody_fills_the_list_of_tables_that_wait(open_house: Opener) -> None:
    house = open_house(limits=Limits(public_waiting=2))
    eve = Requester("Eve", "192.0.2.66")
    sitters = [Player("Eve", "Eve"), Player()]

    def one_more() -> str:
        return house.run(house.tables.create(game("hush"), sitters, terms=TableSettings(public=True), requester=eve)).id

    first, _ = one_more(), one_more()
    with pytest.raises(Exception, match="waiting for players"):
        one_more()
    house.run(house.tables.create(game("hush"), sitters, requester=eve))  # others may still be opened
    unattended(house, first)
    one_more()


def test_at_most_so_many_are_listed(open_house: Opener) -> None:
    house = open_house()
    made = [public(house, "Anna", "", seed=seed) for seed in range(25)]
    store = ListStore(house.tables.store)
    assert len(house.run(store.public(0, 20, waiting=True))) == 20
    assert len(tables(house.person("Carl").get("/").text, "public-title")) == 20
    assert set(tables(house.person("Carl").get("/").text, "public-title")) <= set(made)


def test_the_form_opens_a_public_table(house: House) -> None:
    form = {"name": "Anna", "seat1": "me", "seat2": "open", "found": "public"}
    table = house.stranger().post("/games/hush", data=form).headers["location"].removeprefix("/table/")
    assert house.run(house.tables.get(table)).settings.public
    assert table in section(house.person("Carl").get("/").text, "public-title")
