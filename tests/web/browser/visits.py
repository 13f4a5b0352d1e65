"""Visits in a browser like a person's: tables are created and played through pages only."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from sparring.people.identity import COOKIE
from web.app_server import AppServer
from web.browser_helpers import LAPTOP, new_context, rest
from web.server_process import ServerProcess

CHOICE = "#table button[name=choice]"

Visit = Callable[..., Page]

# Long timeouts for busy machines; nothing here waits longer than it must.
expect.set_options(timeout=60_000)


@pytest.fixture
def visit(browser: Browser, server: ServerProcess | AppServer) -> Iterator[Visit]:
    """Return a function that opens a new person's browser; fail on errors in it and requests to other hosts."""
    contexts, wrong = [], list[str]()

    def visit(path: str = "/", who: str = "", **more: Any) -> Page:
        context = new_context(browser, server.url, **{"viewport": LAPTOP, **more})
        context.set_default_timeout(60_000)
        if who and isinstance(server, AppServer):
            cookie = server.person(who).cookie()
            context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.url}])
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if _is_wrong(message) else None)
        page.on("request", lambda request: None if request.url.startswith(server.url) else wrong.append(request.url))
        page.on("response", lambda answer: wrong.append(answer.url) if _is_missing(answer) else None)
        page.goto(path)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not wrong


def _is_wrong(message: Any) -> bool:
    """Return whether a console message is an error, apart from responses that tests provoke."""
    return message.type == "error" and "Failed to load resource" not in message.text


def _is_missing(answer: Any) -> bool:
    return answer.status >= 400 and answer.request.resource_type in ("script", "stylesheet", "image")


def seated(visit: Visit, server: AppServer, *others: str, **more: Any) -> Page:
    """Open a table of Make Your Moves as Anna, without the way there."""
    return visit(f"/table/{server.table('Anna', *others, name='make-your-moves')}", "Anna", **more)


def start_match(page: Page, *others: str, turns: int = 20) -> None:
    """Create a table of Make Your Moves from the start page."""
    page.get_by_role("link", name="Customize Make Your Moves").click()
    page.get_by_label("Your name").fill("Anna")
    for seat, who in enumerate(others, 2):
        page.get_by_label(f"Seat {seat}", exact=True).select_option(who)
    page.get_by_text("Rule options").click()
    page.get_by_role("spinbutton", name="Turn limit").fill(str(turns))
    page.get_by_role("button", name="Create table").click()
    expect(page.locator("form.scene")).to_be_visible()


def state(page: Page) -> str:
    """`choose`, `over` or `wait`."""
    if page.locator("form.scene.over").count():
        return "over"
    return "choose" if page.locator(CHOICE).count() else "wait"


def wait_for_state(page: Page, *wanted: str) -> str:
    page.wait_for_load_state()  # before its script runs, a page posts plain forms and reloads
    page.wait_for_function(
        """wanted => {
            const scene = document.querySelector("form.scene");
            const choice = scene.querySelector("button[name=choice]");
            return wanted.includes(scene.classList.contains("over") ? "over" : choice ? "choose" : "wait");
        }""",
        arg=list(wanted),
    )
    return state(page)


def version(page: Page) -> str:
    return page.locator("form.scene").get_attribute("data-version") or ""


def changed(page: Page, before: str) -> None:
    page.wait_for_function("before => document.querySelector('form.scene').dataset.version !== before", arg=before)


def click(page: Page) -> None:
    """Choose by mouse: the main button if there is one, else the first choice."""
    rest(page)
    before = version(page)
    main = page.locator(f"{CHOICE}.main")
    (main if main.count() else page.locator(CHOICE)).first.click(position={"x": 12, "y": 12})
    changed(page, before)


def type_choice(page: Page) -> None:
    """Choose by keyboard: press Tab until a choice has the focus, then Enter."""
    before = version(page)
    for _ in range(60):
        if page.evaluate("document.activeElement.name === 'choice'"):
            page.keyboard.press("Enter")
            changed(page, before)
            assert page.evaluate("document.activeElement !== document.body"), "the focus is lost after a choice"
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab reaches no choice")


def play(page: Page, choose: Callable[[Page], None], times: int = 1000) -> None:
    """Play until the match is over, or this many choices."""
    for _ in range(times):
        if wait_for_state(page, "choose", "over") == "over":
            return
        choose(page)
