"""Accessibility: axe finds nothing on any page, light and dark, wide and narrow."""

import pytest

from web.app_server import AppServer
from web.browser.visits import Visit, click, play, seated, wait_for_state
from web.browser_helpers import PHONE, check, check_both

pytestmark = pytest.mark.browser


def test_pages_without_a_table(visit: Visit) -> None:
    page = visit()
    check_both(page)
    for path in ("/games/make-your-moves/rules", "/nowhere", "/me/tokens", "/api"):
        page.goto(path)
        if path == "/api":
            for what in ("post--api-table-table_id-choose", "thing-TableView"):
                page.locator(f"#{what} summary").click()
        check_both(page)
    page.goto("/games/make-your-moves")
    page.get_by_text("Rule options").click()
    page.get_by_text("Custom cards").click()
    check_both(page)
    page.get_by_label("Seat 2", exact=True).select_option("open")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Create table").click()
    check_both(visit(page.url))
    page.goto("/")
    check(page)


def test_table_page(visit: Visit, server: AppServer) -> None:
    page = seated(visit, server, "bot", "bot")
    wait_for_state(page, "choose")
    check_both(page)
    for panel in ("Rules", "Table"):
        page.get_by_role("button", name=panel, exact=True).click()
        check_both(page)
        page.keyboard.press("Escape")
    page.keyboard.press("?")
    check_both(page)
    page.keyboard.press("Escape")
    page.set_viewport_size(PHONE)
    page.locator(".latest").click()
    check(page)


def test_the_end_of_a_match(visit: Visit, server: AppServer) -> None:
    page = seated(visit, server, "bot")
    play(page, click)
    check_both(page)


def test_the_chosen_theme_overrides_the_system(visit: Visit) -> None:
    page = visit(color_scheme="light")
    page.get_by_role("button", name="dark", exact=True).click()
    page.get_by_role("button", name="dark", exact=True, pressed=True).wait_for()
    page.wait_for_load_state("load")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    check(page)
    page.goto("/games/make-your-moves/rules")
    assert page.get_by_role("button", name="dark", exact=True).get_attribute("aria-pressed") == "true"
