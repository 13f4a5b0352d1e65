"""Accessibility: axe finds nothing on any page, light and dark, wide and narrow."""

import pytest
from playwright.sync_api import Page

from web.browser.visits import Visit, click, open_table, wait_for_state
from web.browser_helpers import LOOKS, check

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_pages_without_a_table(visit: Visit, scheme: str, size: dict[str, int]) -> None:
    page = visit(color_scheme=scheme, viewport=size)
    check(page)
    for path in ("/games/make-your-moves", "/games/make-your-moves/rules", "/nowhere", "/me/tokens", "/api"):
        page.goto(path)
        check(page)
    for what in ("post--api-table-table_id-choose", "thing-TableView"):
        page.locator(f"#{what} summary").click()
    check(page)
    page.goto("/games/make-your-moves")
    page.get_by_text("Rule options").click()
    page.get_by_text("Custom cards").click()
    check(page)
    page.get_by_label("Seat 2", exact=True).select_option("open")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Create table").click()
    invited = visit(page.url, color_scheme=scheme, viewport=size)
    check(invited)
    page.goto("/")
    check(page)


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_table_page(visit: Visit, scheme: str, size: dict[str, int]) -> None:
    page = visit(color_scheme=scheme, viewport=size)
    open_table(page, "random", "random")
    for _ in range(3):
        wait_for_state(page, "choose")
        check(page)
        click(page)
    if page.locator(".latest").is_visible():
        page.locator(".latest").click()
        check(page)
        page.keyboard.press("Escape")
    for panel in ("Rules", "Table"):
        page.get_by_role("button", name=panel, exact=True).click()
        check(page)
        page.keyboard.press("Escape")
    page.keyboard.press("?")
    check(page)
    page.keyboard.press("Escape")
    play_unseen(page)
    check(page)


def play_unseen(page: Page) -> None:
    """Play to the end of the match through the API, without showing it on a page; then open the table again."""
    table, ask = page.url, page.context.request
    address = table.replace("/table/", "/api/table/")
    page.goto("/")
    while not (look := ask.get(address).json())["over"]:
        if kept := [each["choice"] for each in look["choices"] if not each["concedes"]]:
            chosen = {"version": look["version"], "choice": kept[0]}
            assert ask.post(f"{address}/choose", data=chosen, headers={"Origin": table.partition("/table/")[0]}).ok
        else:
            page.wait_for_timeout(20)
    page.goto(table)
    wait_for_state(page, "over")


def test_the_chosen_theme_overrides_the_system(visit: Visit) -> None:
    page = visit(color_scheme="light")
    page.get_by_role("button", name="dark", exact=True).click()
    page.get_by_role("button", name="dark", exact=True, pressed=True).wait_for()
    page.wait_for_load_state("load")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
    check(page)
    page.goto("/games/make-your-moves/rules")
    assert page.get_by_role("button", name="dark", exact=True).get_attribute("aria-pressed") == "true"
