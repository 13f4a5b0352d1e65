"""The start page and a shared screen in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from web.browser.visits import Visit
from web.browser_helpers import LAPTOP, PHONE, check

pytestmark = pytest.mark.browser


def enter_name(page: Page, name: str) -> None:
    page.get_by_label("Your name").fill(name)


def quick_match(page: Page, against: str, name: str = "") -> None:
    """Start a quick match of MACE; two people are matched at the same table."""
    page.goto("/")
    page.get_by_label("Game").select_option(label="MACE")
    page.get_by_label("Against").select_option(label=against)
    if name:
        enter_name(page, name)
    page.get_by_role("button", name="Start quick match").click()
    page.locator("#table").wait_for()


def test_two_players_meet_and_the_start_page_shows_whose_turn_it_is(visit: Visit) -> None:
    anna, ben = visit(), visit(viewport=PHONE, color_scheme="dark")
    check(anna)
    quick_match(anna, "people", "Anna")
    expect(anna.locator("#open-seats")).to_contain_text("Seat 2 is open.")
    waiting = anna.context.new_page()
    waiting.goto("/")
    expect(waiting.locator("#mine")).to_contain_text("your turn")
    ben.goto("/")
    expect(ben.locator("#public")).to_contain_text("Anna and open seat")
    check(ben)
    quick_match(ben, "people", "Ben")
    assert ben.url == anna.url
    expect(anna.locator(".top")).to_contain_text("Ben")
    expect(anna.locator("#open-seats")).to_be_hidden()
    waiting.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # as after a reload
    expect(waiting.locator("#mine")).to_contain_text("Anna and Ben")
    ben.goto("/")
    expect(ben.locator("#mine")).not_to_contain_text("your turn")
    anna.locator("#table button[name=choice]").first.click()
    expect(anna.locator(".ask.mine")).to_have_count(0)
    ben.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ben).to_have_title("Your turn: Sparring")
    expect(ben.locator("#news")).to_have_text("It's your turn at a table.")
    check(ben)
    waiting.close()
    ben.set_viewport_size({"width": 320, "height": 640})
    for path in ("/", "/me/matches"):  # the bar is fullest for a person with a name
        ben.goto(path)
        assert ben.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_pages_of_the_menu_are_accessible(visit: Visit) -> None:
    page = visit("/learn", viewport=PHONE, color_scheme="dark")
    menu = page.get_by_role("navigation", name="Main menu")
    expect(menu.get_by_role("link")).to_have_count(0)
    menu.get_by_role("button", name="Menu").click()
    expect(menu.get_by_role("link")).to_have_count(5)
    check(page)
    page.set_viewport_size(LAPTOP)
    check(page)


def test_a_name_is_asked_for_only_where_others_see_it(visit: Visit) -> None:
    page = visit()
    expect(page.get_by_label("Your name")).to_be_hidden()
    page.get_by_label("Against").select_option(label="people")
    expect(page.get_by_label("Your name")).to_be_visible()
    page.get_by_text("Play with a friend").first.click()
    enter_name(page, "Anna")
    page.get_by_role("button", name="Get the link").click()
    expect(page.locator(".top")).to_contain_text("Anna")
    expect(page.locator("#invite")).to_be_visible()


def test_typed_text_at_an_open_seat_survives_updates(visit: Visit) -> None:
    page = visit("/games/mace")
    enter_name(page, "Anna")
    page.get_by_label("Seat 2", exact=True).select_option("random")
    page.get_by_label("Seat 3", exact=True).select_option("open")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_load_state("load")  # before its script runs, a choice reloads the page
    page.get_by_role("button", name="Table", exact=True).click()
    friend = page.locator("#sitting input[name=local_player]")
    friend.fill("Ca")
    version = page.locator("#table .scene").get_attribute("data-version")
    page.locator("#table button[name=choice]").first.evaluate("button => button.click()")
    expect(page.locator(f"#table .scene[data-version='{version}']")).to_have_count(0)
    expect(friend).to_have_value("Ca")


def test_a_hint_appears_in_place_and_player_pages_are_accessible(visit: Visit) -> None:
    page = visit("/games/mace", viewport=PHONE, color_scheme="dark")
    enter_name(page, "Anna")
    page.get_by_label("Seat 2", exact=True).select_option("open")
    page.get_by_label("Match type").select_option("hints")
    page.get_by_role("button", name="Create table").click()
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hint li")).to_have_count(3)
    expect(page.locator(".latest")).to_contain_text("Hint: ")
    page.locator(".latest").click()
    expect(page.locator(".hint li").first).to_be_hidden()
    page.get_by_text("Details", exact=True).click()
    expect(page.locator(".hint li").first).to_contain_text("to win")
    expect(page.locator("#table [data-hinted]")).to_have_count(1)
    expect(page.locator(".people")).to_contain_text("Anna uses hints.")
    check(page)
    page.reload()
    expect(page.locator(".hint li")).to_have_count(3)
    page.locator("#table button[name=choice]").first.click()
    expect(page.locator(".hint, [data-hinted]")).to_have_count(0)
    for address in ("/leaderboard", "/games/mace/leaderboard", "/me/matches"):
        page.goto(address)
        check(page)


def test_the_bar_of_puzzles_and_tutorials_has_one_line_on_a_phone(visit: Visit) -> None:
    page = visit("/games/mace/learn", viewport=PHONE)
    for address in ("/games/mace/learn", "/puzzles/mace/daily"):
        page.goto(address)
        expect(page.get_by_role("link", name="Create account")).to_be_hidden()
        expect(page.locator(".bar h1")).to_be_visible()
    page.goto("/puzzles")
    expect(page.get_by_role("link", name="Create account")).to_be_visible()


@pytest.mark.parametrize("width", [844, 1280])
def test_the_bar_fits_local_player_the_buttons_of_a_page(visit: Visit, width: int) -> None:
    page = visit(viewport={"width": width, "height": 390})
    for path in ("/api", "/me/tokens", "/games/mace/leaderboard"):
        page.goto(path)
        expect(page.get_by_role("link", name="Sign in", exact=True)).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
