"""Tables of Make Your Moves whose beats a test steps through: with a clock that the test controls."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from sparring.people.identity import COOKIE
from web.app_server import AppServer
from web.browser_helpers import WITH_MOTION, new_context

CHOICE = "#table button[name=choice]"

expect.set_options(timeout=60_000)

OpenTable = Callable[..., Page]


@pytest.fixture
def open_table(browser: Browser) -> Iterator[OpenTable]:
    """Return a function that opens Anna's browser at a table, with a clock that the test controls."""
    contexts = []

    def open_table(server: AppServer, table: str, pace: str = "usual", **more: Any) -> Page:
        context = new_context(browser, server.url, pace, **{**WITH_MOTION, **more})
        contexts.append(context)
        cookie = server.person("Anna").cookie()
        context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.url}])
        page = context.new_page()
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        with page.expect_response("**/events?*"):
            page.goto(f"/table/{table}")
        return page

    yield open_table
    for context in contexts:
        context.close()


@pytest.fixture
def table(server: AppServer) -> str:
    """Create a table of Make Your Moves where Anna has attacked Ben, who has not answered yet."""
    table = server.table("Anna", "Ben", name="make-your-moves", first_control="seat1")
    attack(server, table)
    return table


def attack(server: AppServer, table: str) -> None:
    """Let Anna attack with her first legal card; the target is chosen automatically."""
    anna = server.person("Anna")
    anna.page(table)
    for choice in (anna.look(table)["choices"][0]["choice"], "done"):
        assert anna.choose(table, choice).status_code == 200


def answer(server: AppServer, table: str) -> None:
    """Let Ben play no card: Anna scores and is asked for her discards."""
    assert server.person("Ben").choose(table, "done").status_code == 200


def discard(server: AppServer, table: str) -> None:
    """Let both discard nothing, so that the next turn begins."""
    for who in ("Anna", "Ben"):
        assert server.person(who).choose(table, "done").status_code == 200


def displayed_beat(page: Page) -> Locator:
    return page.locator(".telling .told ul")


def prompt(page: Page) -> Locator:
    return page.locator(".scene:not(.telling) .sentence")


def scripts(page: Page) -> str:
    """Return the address of the scripts."""
    return str(page.evaluate("document.querySelector('script[src*=\"/table/\"]').src.split('/table/')[0]"))
