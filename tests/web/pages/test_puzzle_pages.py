"""Puzzle pages: answers with forms only and by keyboard, streaks of guests and accounts, the daily puzzle."""

import re
from datetime import UTC, datetime
from html import unescape

import httpx
import pytest
from playwright.sync_api import expect

from sparring.engine.game import game, games
from sparring.puzzles import Puzzle, collection_of
from web.accounts.account_helpers import export_data, new_account
from web.app_server import AppServer, Client
from web.browser.visits import Visit
from web.browser_helpers import LAPTOP, PHONE, assert_accessible
from wording import says

PUZZLED = [name for name, each in games().items() if collection_of(each)]
NAME = "untitled-movement"


def puzzle_of(name: str = NAME) -> Puzzle:
    return next(iter(collection_of(game(name))))


def answer(client: Client, page: httpx.Response, choice: int) -> httpx.Response:
    """Press a choice on the page."""
    action = re.search(r'<form[^>]* action="([^"]+)"', page.text)
    assert action
    return client.http.post(unescape(action[1]), data={"choice": str(choice), "version": "0"}, follow_redirects=True)


def wrong(puzzle: Puzzle) -> int:
    return puzzle.second.action


@pytest.mark.parametrize("name", PUZZLED)
def test_every_page_offers_the_best_choice_and_no_answer(server: AppServer, name: str) -> None:
    client = server.stranger()
    for puzzle in list(collection_of(game(name)))[:8]:
        page = client.get(f"/puzzles/{name}/{puzzle.id}")
        assert page.status_code == 200
        assert "/table_art/surface.css" in page.text, "the table looks as it does in a match"
        choices = re.findall(r'name="choice" value="([^"]*)"', page.text)
        assert all(map(str.isdecimal, choices)), "a tap that makes several choices isn't one answer"
        assert re.search(rf'name="choice" value="{puzzle.best.action}"', page.text)
        assert "data-pointed" not in page.text
        assert "95% interval" not in page.text


@pytest.mark.parametrize("name", PUZZLED)
def test_both_answers_are_judged_and_explained(server: AppServer, name: str) -> None:
    client, puzzle = server.stranger(), puzzle_of(name)
    page = client.get(f"/puzzles/{name}/{puzzle.id}")
    right, failed = (answer(client, page, choice) for choice in (puzzle.best.action, wrong(puzzle)))
    assert 'class="right"' in right.text
    assert 'class="wrong"' in failed.text
    for shown in (right, failed):
        assert "95% interval" in shown.text
        assert re.search(rf'value="{puzzle.best.action}"[^>]* data-pointed', shown.text)


def test_a_streak_goes_on_until_the_first_mistake(server: AppServer) -> None:
    client = server.stranger()
    page = client.http.get(f"/puzzles/{NAME}/streak?run=7", follow_redirects=True)
    order = collection_of(game(NAME)).shuffled(7)
    for number in range(2):
        assert order[number].id in str(page.url)
        page = answer(client, page, order[number].best.action)
        assert f'data-streak="{number + 1}"' in page.text
        following = re.search(r'href="([^"]+)">Next puzzle', page.text)
        assert following
        page = client.http.get(unescape(following[1]), follow_redirects=True)
    page = answer(client, page, wrong(order[2]))
    assert 'data-streak="2"' in page.text
    assert "Next puzzle" not in page.text
    again = answer(client, page, order[2].best.action)
    assert 'data-streak="2"' in again.text
    assert "Next puzzle" not in again.text


def test_a_puzzle_out_of_place_is_shown_on_its_own(server: AppServer) -> None:
    order = collection_of(game(NAME)).shuffled(7)
    page = server.stranger().get(f"/puzzles/{NAME}/{order[1].id}?run=7&at=5")
    assert page.status_code == 200
    assert 'data-streak="0"' in page.text
    assert "run=" not in page.text


@pytest.mark.parametrize("path", ["no-such-puzzle", "no-such-puzzle?run=3&at=-1"])
def test_an_unknown_puzzle_is_not_found(server: AppServer, path: str) -> None:
    page = server.stranger().get(f"/puzzles/{NAME}/{path}")
    assert page.status_code == 404
    assert says(unescape(page.text), "this puzzle doesn't exist")


def test_an_illegal_answer_shows_the_puzzle_again(server: AppServer) -> None:
    client, puzzle = server.stranger(), puzzle_of()
    page = answer(client, client.get(f"/puzzles/{NAME}/{puzzle.id}"), 99_999)
    assert page.status_code == 200
    assert "95% interval" not in page.text


def test_a_game_without_puzzles_has_no_pages_and_no_link(server: AppServer) -> None:
    client = server.stranger()
    assert client.get("/puzzles/hush/daily").status_code == 404
    assert "/puzzles/hush" not in client.get("/games/hush").text
    assert f"/puzzles/{NAME}/daily" in client.get(f"/games/{NAME}").text


def test_the_daily_puzzle_is_that_of_the_date_in_utc(server: AppServer) -> None:
    before = datetime.now(UTC).date()
    page = server.stranger().http.get(f"/puzzles/{NAME}/daily", follow_redirects=True)
    days = {before, datetime.now(UTC).date()}
    assert str(page.url).rpartition("/")[2] in {collection_of(game(NAME)).daily(day).id for day in days}


def test_an_account_keeps_its_longest_streak(server: AppServer) -> None:
    client = new_account(server, "Ringmaster")
    order = collection_of(game(NAME)).shuffled(5)
    page = client.http.get(f"/puzzles/{NAME}/streak?run=5", follow_redirects=True)
    answer(client, page, order[0].best.action)
    assert says(client.get("/puzzles").text, "your longest streak: 1")
    assert export_data(client)["longest streaks of puzzles"] == {NAME: 1}
    page = client.http.get(f"/puzzles/{NAME}/streak?run=6", follow_redirects=True)
    answer(client, page, collection_of(game(NAME)).shuffled(6)[0].second.action)
    assert export_data(client)["longest streaks of puzzles"] == {NAME: 1}


def test_a_guest_solves_a_puzzle_by_keyboard(visit: Visit) -> None:
    puzzle = puzzle_of()
    page = visit(f"/puzzles/{NAME}/{puzzle.id}")
    page.locator(f'#table button[name=choice][value="{puzzle.best.action}"]').first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#puzzle-title")).to_have_class("right")
    expect(page.locator("#puzzle-title")).to_be_focused()
    expect(page.locator("#table [data-pointed]").first).to_be_visible()


def test_a_guests_streak_is_kept_in_the_browser(visit: Visit) -> None:
    page = visit(f"/puzzles/{NAME}/streak?run=3")
    best = collection_of(game(NAME)).shuffled(3)[0].best.action
    page.locator(f'#table button[name=choice][value="{best}"]').first.press("Enter")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_visible()
    page.goto("/puzzles")
    expect(page.locator(f'[data-streak-of="{NAME}"]')).to_have_text("Your longest streak: 1.")


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_pages_are_accessible(visit: Visit, size: dict[str, int]) -> None:
    page = visit("/puzzles", viewport=size)
    assert_accessible(page)
    page.goto(f"/puzzles/{NAME}/{puzzle_of().id}?answer={puzzle_of().best.action}")
    assert_accessible(page)
