"""What a rated match moved, told at its end: on the table, on the page of words, to programs; to each their own."""

import re
from collections.abc import Iterator
from html import unescape

import pytest

from sparring.web.identity import Person
from sparring.web.rating import SkillRating
from sparring.web.tables.rating_changes import NOT_COUNTED
from sparring.web.tables.table_settings import TableSettings
from web.app_server import House, Visitor, settings
from web.rated_matches import known, nobody_rated, opened, play, ratings


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    one = House(settings(tmp_path_factory.mktemp("moved")))
    yield one
    one.close()


@pytest.fixture
def house(server: House) -> House:
    return nobody_rated(server)


def told(visitor: Visitor, table: str, page: str = "") -> list[str]:
    """What stands at the end of a table about ratings."""
    text = visitor.get(f"/table/{table}{page}").raise_for_status().text
    found = re.findall(r'<p class="moved">(.*?)</p>', text)
    return [unescape(re.sub("<[^>]+>", "", each)) for each in found]


def went(house: House, who: str) -> str:
    row = ratings(house)[who]
    return f"from 1,500 to {SkillRating(row.mu, row.sigma)}, provisional"


def test_each_is_told_their_own_first_on_every_page(house: House) -> None:
    anna, ben = known(house, "Anna", "Ben")
    table = opened(house, "Anna", "Ben")
    assert told(anna, table) == [], "nothing before the end"
    play(house, table, anna, ben)
    own, other = went(house, "Anna"), went(house, "Ben")
    assert told(anna, table) == told(anna, table, "/text") == [f"Your rating in Hush: {own}.", f"Ben: {other}."]
    assert told(ben, table)[0] == f"Your rating in Hush: {other}."
    assert told(house.stranger(), table) == [f"Ratings in Hush. Anna: {own}; Ben: {other}."]
    assert anna.look(table)["ratings"] == [f"Your rating in Hush: {own}.", f"Seat 2: {other}."]


def test_it_comes_with_the_end_down_the_stream(house: House) -> None:
    anna, ben = known(house, "Anna", "Ben")
    table = opened(house, "Anna", "Ben")
    for who in (anna, ben):
        if who is ben:
            before = anna.version(table)
        who.choose(table, who.look(table)["choices"][0]["choice"])
        who.choose(table, "done")
    with anna.stream(table, before) as events:
        assert any(b"Your rating in Hush: from 1,500 to" in next(events) for _ in range(anna.version(table) - before))


def test_who_is_on_no_leaderboard_is_told_their_own_and_nobody_else_is(house: House) -> None:
    anna, ben = known(house, "Anna", "Ben")
    table = opened(house, "Anna", "Ben")
    play(house, table, anna, ben)
    assert len(told(anna, table)) == 2
    house.run(house.app.state.accounts.set_visibility(Person("Ben", "Ben", epoch=1, since=1), listed=False, page=False))
    assert told(anna, table) == [f"Your rating in Hush: {went(house, 'Anna')}."], "from the moment they left the lists"
    assert told(ben, table)[0] == f"Your rating in Hush: {went(house, 'Ben')}."
    assert "Ben:" not in "".join(told(house.stranger(), table))


def test_it_is_there_after_the_table_was_read_anew(house: House) -> None:
    anna, ben = known(house, "Anna", "Ben")
    table = opened(house, "Anna", "Ben")
    play(house, table, anna, ben)
    before = told(anna, table)
    house.run(house.tables.reload([table]))
    assert told(anna, table) == before


def test_a_variant_is_named(house: House) -> None:
    anna, ben = known(house, "Anna", "Ben")
    table = opened(house, "Anna", "Ben", wins="low")
    play(house, table, anna, ben)
    assert told(anna, table)[0].startswith("Your rating in Hush (")


def test_a_match_that_did_not_count_says_so_and_a_casual_one_nothing(house: House) -> None:
    anna, ben = known(house, "Anna", "Ben")
    table = opened(house, "Anna", "Ben")
    anna.post(f"/table/{table}/give-up")
    assert told(anna, table) == told(house.stranger(), table) == [NOT_COUNTED]
    casual = opened(house, "Anna", "Ben", terms=TableSettings())
    play(house, casual, anna, ben)
    assert told(anna, casual) == []
