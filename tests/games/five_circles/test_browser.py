"""Whole matches in a browser: on a phone by touch, on a laptop by keyboard only."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browser_helpers import new_context
from web.server_process import ServerProcess

pytestmark = pytest.mark.browser

CHOICE = "#table button[name=choice]"
PHONE = {"width": 360, "height": 740}
LAPTOP = {"width": 1280, "height": 720}
CHOICES = 300

Open = Callable[[dict[str, int]], Page]


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    server = ServerProcess(tmp_path)
    contexts, wrong = [], list[str]()

    def open_page(size: dict[str, int]) -> Page:
        context = new_context(browser, server.url, viewport={"width": size["width"], "height": size["height"]})
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto("/games/five-circles")
        return page

    yield open_page
    for context in contexts:
        context.close()
    server.stop()
    assert not wrong


def play(page: Page, choose: Callable[[Page], None]) -> None:
    """Play until the match is over; assert that nothing is wider than the screen."""
    for _ in range(CHOICES):
        page.wait_for_selector(f"form.scene.over, {CHOICE}")
        if page.locator("form.scene.over").count():
            return
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        before = page.locator("form.scene").get_attribute("data-version")
        choose(page)
        page.wait_for_function("before => document.querySelector('form.scene').dataset.version !== before", arg=before)
    raise AssertionError(f"the match is not over after {CHOICES} choices")


def test_a_whole_match_on_a_phone(open_page: Open) -> None:
    """Play characters; if a random bot wins before that, play a second match."""
    page, seen = open_page(PHONE), set()

    def choose(page: Page) -> None:
        """Choose a card or an ability if there is one, else the main button."""
        things = page.locator(f"{CHOICE}:not(.buttons > *)")
        button = (things if things.count() else page.locator(CHOICE)).first
        seen.add(str(button.get_attribute("aria-description") or button.inner_text()).split(" ")[0])
        button.click()

    def play_one() -> None:
        page.get_by_label("Your name").fill("Anna")
        page.get_by_label("Seat 2", exact=True).select_option("random")
        page.get_by_label("Longer").check()
        page.get_by_role("button", name="Create table").click()
        page.wait_for_load_state()
        expect(page.locator("form.scene")).to_be_visible()
        play(page, choose)

    set_up = page.url
    play_one()
    if "play" not in seen:
        page.goto(set_up)
        play_one()
    assert page.locator("#log li").count() > 5
    assert {"resource", "play"} <= seen


def test_a_whole_match_by_keyboard(open_page: Open) -> None:
    page = open_page(LAPTOP)

    def tab_to(found: str) -> None:
        for _ in range(120):
            if page.evaluate("found => document.activeElement.matches(found)", found):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"Tab doesn't reach {found}")

    tab_to("#name")
    page.keyboard.type("Anna")
    tab_to("#seat2")
    page.keyboard.type("Random")
    tab_to("form.set-up button.main")
    page.keyboard.press("Enter")
    expect(page.locator("form.scene")).to_be_visible()

    def choose(page: Page) -> None:
        tab_to(CHOICE)
        page.keyboard.press("Enter")

    play(page, choose)
    assert "life" in page.locator("form.scene.over").inner_text().casefold()
