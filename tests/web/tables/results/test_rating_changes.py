"""Rating changes shown at the end of a match: on the table, in text mode, in the API; one's own first."""

import re
from html import unescape

import pytest

from sparring.store.person import Person
from sparring.store.rating_model import SkillRating
from sparring.tables.results.match_results import NOT_COUNTED
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer, Client
from web.rated_matches import create_table, play, ratings, with_accounts, without_ratings


@pytest.fixture
def server(server: AppServer) -> AppServer:
    return without_ratings(server)


def rating_lines(client: Client, table: str, page: str = "") -> list[str]:
    """Return the lines about ratings at the end of a table."""
    text = client.get(f"/table/{table}{page}").raise_for_status().text
    found = re.findall(r'<p class="moved">(.*?)</p>', text)
    return [unescape(re.sub("<[^>]+>", "", each)) for each in found]


def rating_change(server: AppServer, who: str) -> str:
    row = ratings(server)[who]
    return f"from 1,500 to {SkillRating(row.mu, row.sigma)}, provisional"


def test_ones_own_rating_change_comes_first_on_every_page(server: AppServer) -> None:
    anna, ben = with_accounts(server, "Anna", "Ben")
    table = create_table(server, "Anna", "Ben")
    assert rating_lines(anna, table) == [], "nothing before the end"
    play(server, table, anna, ben)
    own, other = rating_change(server, "Anna"), rating_change(server, "Ben")
    assert (
        rating_lines(anna, table)
        == rating_lines(anna, table, "/text")
        == [f"Your rating in Hush: {own}.", f"Ben: {other}."]
    )
    assert rating_lines(ben, table)[0] == f"Your rating in Hush: {other}."
    assert rating_lines(server.stranger(), table) == [f"Ratings in Hush. Anna: {own}; Ben: {other}."]
    assert anna.look(table)["ratings"] == [f"Your rating in Hush: {own}.", f"Seat 2: {other}."]


def test_rating_changes_are_streamed_with_the_end(server: AppServer) -> None:
    anna, ben = with_accounts(server, "Anna", "Ben")
    table = create_table(server, "Anna", "Ben")
    for who in (anna, ben):
        if who is ben:
            before = anna.version(table)
        who.choose(table, who.look(table)["choices"][0]["choice"])
        who.choose(table, "done")
    with anna.stream(table, before) as events:
        assert any(b"Your rating in Hush: from 1,500 to" in next(events) for _ in range(anna.version(table) - before))


def test_an_unlisted_players_change_is_shown_to_them_only(server: AppServer) -> None:
    anna, ben = with_accounts(server, "Anna", "Ben")
    table = create_table(server, "Anna", "Ben")
    play(server, table, anna, ben)
    assert len(rating_lines(anna, table)) == 2
    server.run(
        server.app.state.accounts.set_visibility(Person("Ben", "Ben", epoch=1, since=1), listed=False, page=False)
    )
    assert rating_lines(anna, table) == [f"Your rating in Hush: {rating_change(server, 'Anna')}."], (
        "from the moment they were unlisted"
    )
    assert rating_lines(ben, table)[0] == f"Your rating in Hush: {rating_change(server, 'Ben')}."
    assert "Ben:" not in "".join(rating_lines(server.stranger(), table))


def test_rating_changes_survive_reloading_the_table(server: AppServer) -> None:
    anna, ben = with_accounts(server, "Anna", "Ben")
    table = create_table(server, "Anna", "Ben")
    play(server, table, anna, ben)
    before = rating_lines(anna, table)
    server.reload(table)
    assert rating_lines(anna, table) == before


def test_the_variant_is_named(server: AppServer) -> None:
    anna, ben = with_accounts(server, "Anna", "Ben")
    table = create_table(server, "Anna", "Ben", wins="low")
    play(server, table, anna, ben)
    assert rating_lines(anna, table)[0].startswith("Your rating in Hush (")


def test_an_unrated_end_is_explained_for_rated_tables_only(server: AppServer) -> None:
    anna, ben = with_accounts(server, "Anna", "Ben")
    table = create_table(server, "Anna", "Ben")
    anna.post(f"/table/{table}/give-up")
    assert rating_lines(anna, table) == rating_lines(server.stranger(), table) == [NOT_COUNTED]
    casual = create_table(server, "Anna", "Ben", table_settings=TableSettings())
    play(server, casual, anna, ben)
    assert rating_lines(anna, casual) == []
