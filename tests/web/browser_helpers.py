"""Browser contexts for tests."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

LAPTOP: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 360, "height": 740}
LOOKS = [("light", LAPTOP), ("dark", PHONE)]
#: For tests of movement.
WITH_MOTION = {"reduced_motion": "no-preference"}
#: What can differ between two looks of a page.
LOOK_RULES = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")
#: Report only violations: this halves the work of axe and nearly all of its output.
RUN_AXE = """([part, rules]) => axe.run(part ?? document, {
    resultTypes: ["violations"], ...(rules.length && { runOnly: { type: "rule", values: rules } }),
}).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]))"""
#: No test looks at pixels, and painting takes a third of a page's time; the layout is the same without it.
UNPAINTED = """
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("html { opacity: 0 !important }");
    document.adoptedStyleSheets = [sheet];
"""


def new_context(browser: Browser, url: str, pace: str = "at once", **more: Any) -> BrowserContext:
    """Return a browser context of a new person, by default without beats and service worker.

    Nothing moves or is painted either, which would double the processor time of each choice."""
    context = browser.new_context(base_url=url, **{"service_workers": "block", "reduced_motion": "reduce", **more})
    context.add_init_script(UNPAINTED)
    context.add_init_script(f"localStorage.getItem('sparring.pace') ?? localStorage.setItem('sparring.pace', '{pace}')")
    return context


def assert_accessible(page: Page, part: str | None = None, rules: tuple[str, ...] = ()) -> None:
    """Assert that axe finds nothing in a page or a part of it, by all its rules or by some."""
    page.evaluate("document.adoptedStyleSheets = []")  # axe checks only what is painted
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    assert page.evaluate(RUN_AXE, [part, rules]) == []


def rest(page: Page) -> None:
    """Wait until nothing moves: a click within one frame would miss a moving card."""
    page.evaluate("Promise.all(document.getAnimations().map(each => each.finished.catch(() => {})))")


def check(page: Page) -> None:
    """Assert that axe finds nothing once nothing moves any more."""
    rest(page)
    assert_accessible(page)


def check_both(page: Page) -> None:
    """Check a page light on a laptop and dark on a phone, where the rules about what is in it needn't run again."""
    check(page)
    size = page.viewport_size or LAPTOP
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(PHONE)
    rest(page)
    assert_accessible(page, rules=LOOK_RULES)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(size)
