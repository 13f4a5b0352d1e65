"""Sets in a browser, opened like a person's; errors and code that runs fail the test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Dialog, Page, Route, expect

from web.app_server import AppServer
from web.browser_helpers import new_context

LAPTOP, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
EVIL = "<img src=x onerror=alert(1)>"

Visit = Callable[..., Page]

# Long timeouts for busy machines; nothing here waits longer than it must.
expect.set_options(timeout=60_000)


@pytest.fixture
def visit(browser: Browser, server: AppServer) -> Iterator[Visit]:
    """Return a function that opens a new person's set; fail on errors in the browser and on code that runs."""
    contexts, wrong = [], list[str]()

    def visit(game: str = "five-circles", path: str = "", **more: Any) -> Page:
        context = new_context(browser, server.url, **{"viewport": LAPTOP, **more})
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        watched(page, wrong)
        if not path:
            begin: dict[str, str | float | bool] = {"game": game, "name": "Anna", "from": "own"}
            answer = context.request.post("/studio", form=begin, headers={"Origin": server.url}, max_redirects=0)
            path = answer.headers["location"]
        page.goto(path)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not wrong


def watched(page: Page, wrong: list[str]) -> None:
    def alarm(dialog: Dialog) -> None:
        if dialog.type != "beforeunload":
            wrong.append(dialog.message)
        dialog.accept()

    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", alarm)


def saved(page: Page) -> None:
    expect(page.locator("#saved")).to_have_text("Saved")


def hold(page: Page, pattern: str) -> list[Route]:
    """Hold the next request for this address; it appears in the returned list."""
    held: list[Route] = []

    def handler(route: Route) -> None:
        held.append(route)

    page.route(pattern, handler, times=1)
    return held


def wait_for(page: Page, held: list[Route]) -> None:
    """Wait until a request is held."""
    while not held:
        page.wait_for_timeout(10)
