"""Pages at 200% and on phones: they don't scroll sideways, and nothing covers what has the focus (WCAG 2.4.11)."""

import pytest
from playwright.sync_api import Browser, Page

from web.app_server import AppServer
from web.browser_helpers import new_context

pytestmark = pytest.mark.browser

#: The name of the focused element if another one covers its middle; null at the end of the page.
COVERED = """() => {
    const focused = document.activeElement, { x, y, width, height } = focused.getBoundingClientRect();
    if (focused === document.body) return null;
    const above = document.elementFromPoint(x + width / 2, y + Math.min(height / 2, 20));
    const own = [focused, ...(focused.labels ?? [])];
    const seen = above && own.some((each) => each.contains(above) || above.contains(each));
    return seen ? "" : focused.outerHTML.slice(0, 100);
}"""
WIDER = "document.documentElement.scrollWidth - innerWidth"


@pytest.fixture(scope="module")
def page(browser: Browser, server: AppServer) -> Page:
    return new_context(browser, server.url).new_page()


@pytest.mark.parametrize("path", ["/", "/studio", "/games/five-circles", "/me/tokens", "/sign-in"])
def test_tabbing_through_a_page_shows_every_focused_element(page: Page, path: str) -> None:
    page.goto(path)
    for width, height in ((640, 360), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.activeElement.blur()")
        covered, tabs = list[str](), 0
        while tabs < 200:
            page.keyboard.press("Tab")
            found = page.evaluate(COVERED)
            if found is None:
                break
            tabs += 1
            covered += [found] if found else []
        assert covered == [], width
        assert tabs > 8, width


def test_pages_do_not_scroll_sideways_at_200_percent(page: Page, server: AppServer) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    table = f"/table/{server.table('Anna', 'Ben', name='world-of-fighters')}"
    for path in (
        "/", "/games/mace", "/games/mace/leaderboard", "/games/untitled-movement/rules", "/me/tokens",
        "/games/world-of-fighters/learn/text", table,
    ):  # fmt: skip
        page.goto(path)
        page.evaluate("document.documentElement.style.fontSize = '32px'")
        assert page.evaluate(WIDER) <= 0, path
