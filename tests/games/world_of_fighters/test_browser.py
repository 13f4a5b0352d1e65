"""Whole matches in a real browser, by mouse and by keyboard."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from web.app_server import AppServer, settings
from web.browser.visits import Visit, click, play, type_choice, visit
from web.browser_helpers import PHONE

pytestmark = pytest.mark.browser

__all__ = ["visit"]  # a fixture


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    started = AppServer(settings(tmp_path_factory.mktemp("server")))
    yield started
    started.close()


def open_table(page: Page) -> None:
    """Create a table for a short match against a bot."""
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Seat 2", exact=True).select_option("random")
    page.get_by_text("Rule options").click()
    page.get_by_label("Round limit").fill("10")
    page.get_by_role("button", name="Create table").click()
    expect(page.locator("form.scene")).to_be_visible()


def test_a_whole_match_by_mouse(visit: Visit) -> None:
    page = visit("/games/world-of-fighters")
    open_table(page)
    page.locator("[aria-description='pick Kenji Aoki']").first.click()
    expect(page.locator(".seat.s1 .title")).to_have_text("Kenji Aoki")
    expect(page.locator(".cell")).to_have_count(35)
    play(page, click)
    expect(page.locator("form.scene.over")).to_be_visible()
    assert page.locator("#log li").count() > 10


def test_a_whole_match_by_keyboard_on_a_phone(visit: Visit) -> None:
    page = visit("/games/world-of-fighters", viewport=PHONE)
    open_table(page)
    play(page, type_choice)
    expect(page.locator("form.scene.over")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") == 0
