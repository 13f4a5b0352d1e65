"""Pages of tables without their stream, so that tests can put scenes into them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from sparring.people.identity import COOKIE
from web.app_server import AppServer
from web.browser_helpers import UNPAINTED

LAPTOP, DESK, TABLET = (1280, 720), (1920, 1080), (820, 1180)
PHONE, SIDEWAYS = (390, 844), (844, 390)
SIZES = (LAPTOP, DESK, TABLET, PHONE, SIDEWAYS)

LAY = "html => { document.getElementById('table').innerHTML = html; }"
#: Replace the scene as the page does.
REPLACE = """async html => {
    const {update} = await import(document.querySelector("script[src$='/app.js']").src.replace("app.js", "motion.js"));
    const parts = document.createElement("template");
    parts.innerHTML = html;
    update(document.getElementById("table"), parts.content.querySelector(".scene"));
}"""
BOXES = """names => names.map(name => {
    const box = document.querySelector(name)?.getBoundingClientRect();
    return box?.width ? [box.left, box.top, box.width, box.height].map(Math.round) : null;
})"""
#: The positions of a raised thing over some frames.
TOPS_OF = """async (risen) => {
    const tops = new Set();
    for (let frame = 0; frame < 12; frame++) {
        await new Promise(requestAnimationFrame);
        tops.add(risen.getBoundingClientRect().top);
    }
    return tops.size;
}"""
#: As a page is before its first test.
CLEAN = """() => {
    for (const open of document.querySelectorAll(":popover-open")) open.hidePopover();
    document.documentElement.removeAttribute("style");
    document.activeElement.blur();
}"""

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def open_page(browser: Browser, server: AppServer) -> Iterator[Open]:
    """Return a function that opens a game's page in a size; a page is opened once per file, because that is dear."""
    opened: dict[tuple[Any, ...], Page] = {}

    def open_page(name: str, size: tuple[int, int] = LAPTOP, **more: Any) -> Page:
        wanted = (name, *more.items())
        if wanted not in opened:
            context = browser.new_context(base_url=server.url, **more)
            context.add_init_script(UNPAINTED)
            cookie = server.person("Anna").cookie()
            context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.url}])
            opened[wanted] = context.new_page()
            opened[wanted].route("**/events?*", lambda route: route.abort())
            opened[wanted].goto(f"/table/{server.table('Anna', 'Ben', name=name)}")
            # It says that the stream is lost.
            opened[wanted].locator("#link").evaluate("each => { each.style.display = 'none'; }")
        page = opened[wanted]
        page.evaluate(CLEAN)
        page.mouse.move(0, 0)
        resize(page, size)
        return page

    yield open_page
    for page in opened.values():
        page.context.close()


def resize(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def lay(page: Page, scene: str) -> None:
    """Put a scene on the table."""
    page.evaluate(LAY, scene)
