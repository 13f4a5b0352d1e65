"""Nothing that stays in view covers what has the focus, also at 200% zoom (WCAG 2.4.11)."""

import pytest
from playwright.sync_api import Browser

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


@pytest.mark.parametrize("size", [(640, 360), (390, 844)])
@pytest.mark.parametrize("path", ["/", "/studio", "/games/five-circles", "/me/tokens", "/sign-in"])
def test_tabbing_through_a_page_shows_every_focused_element(
    browser: Browser, server: AppServer, path: str, size: tuple[int, int]
) -> None:
    context = new_context(browser, server.url, viewport={"width": size[0], "height": size[1]})
    page, covered = context.new_page(), list[str]()
    page.goto(path)
    tabs = 0
    while tabs < 200:
        page.keyboard.press("Tab")
        found = page.evaluate(COVERED)
        if found is None:
            break
        tabs += 1
        covered += [found] if found else []
    assert covered == []
    assert tabs > 8
    context.close()
