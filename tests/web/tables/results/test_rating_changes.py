"""Rating changes shown at the end of a match: on the table, in text mode, in the API; one's own first."""

import re
from html import unescape

import pytest

from pseudo_language import pseudo_language
from sparring.people.accounts import ProfileVisibility
from sparring.store.person import Person
from sparring.store.rating_model import SkillRating
from sparring.tables.play.match_results import NOT_COUNTED, change_sentences
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
    for _ in range(2):
        for page in ("", "/text"):
            assert rating_lines(anna, table, page) == [f"Your rating in Hush: {own}.", f"Ben: {other}."]
        server.reload(table)
    assert rating_lines(ben, table)[0] == f"Your rating in Hush: {other}."
    assert rating_lines(server.stranger(), table) == [f"Ratings in Hush. Anna: {own}; Ben: {other}."]
    assert anna.look(table)["ratings"] == [f"Your rating in Hush: {own}.", f"Seat 2: {other}."]
    with pseudo_language() as language:
        change_sentences(server.held(table), 1)
    assert {"{changes}.", "{who}: {change}", "Your rating in {where}: {change}."} <= language.used


def test_rating_changes_are_streamed_with_the_end_and_name_the_variant(server: AppServer) -> None:
    anna, ben = with_accounts(server, "Anna", "Ben")
    table = create_table(server, "Anna", "Ben", wins="low")
    anna.choose(table, "done")
    before = anna.version(table)
    ben.choose_first(table)
    ben.choose(table, "done")
    with anna.stream(table, before) as events:
        told = [next(events) for _ in range(anna.version(table) - before)]
    assert b"Your rating in Hush (low): from 1,500 to" in b"".join(told)


def test_an_unlisted_players_change_is_shown_to_them_only(server: AppServer) -> None:
    anna, ben = with_accounts(server, "Anna", "Ben")
    table = create_table(server, "Anna", "Ben")
    play(server, table, anna, ben)
    assert len(rating_lines(anna, table)) == 2
    unlisted = Person("Ben", "Ben", epoch=1, since=1)
    server.run(server.app.state.accounts.set_visibility(unlisted, ProfileVisibility(listed=False, page=False)))
    assert rating_lines(anna, table) == [f"Your rating in Hush: {rating_change(server, 'Anna')}."]
    assert rating_lines(ben, table)[0] == f"Your rating in Hush: {rating_change(server, 'Ben')}."
    assert "Ben:" not in "".join(rating_lines(server.stranger(), table))


def test_an_unrated_end_is_explained_for_rated_tables_only(server: AppServer) -> None:
    anna, _ = with_accounts(server, "Anna", "Ben")
    table = create_table(server, "Anna", "Ben")
    casual = create_table(server, "Anna", "Ben", table_settings=TableSettings())
    for each in (table, casual):
        anna.post(f"/table/{each}/give-up")
    assert rating_lines(anna, table) == rating_lines(server.stranger(), table) == [NOT_COUNTED]
    assert rating_lines(anna, casual) == []
