"""People with a browser."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page

#: For tests in which things are to move.
MOVING = {"reduced_motion": "no-preference"}
#: axe tells in full only what is wrong, not also what is right: half of its work, and nearly all of what is sent then.
WRONG = {"resultTypes": ["violations"]}
#: No test looks at a pixel, and to paint a page is a third of what it costs; where everything lies is the same without.
UNPAINTED = """
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("html { opacity: 0 !important }");
    document.adoptedStyleSheets = [sheet];
"""


def somebody(browser: Browser, url: str, pace: str = "at once", **more: Any) -> BrowserContext:
    """A person's own browser; nothing is played to them, or kept for a time without a net, unless a test wants it.

    Nor does anything move, which would take twice the processor time for each choice, or is anything painted.
    """
    context = browser.new_context(base_url=url, **{"service_workers": "block", "reduced_motion": "reduce", **more})
    context.add_init_script(UNPAINTED)
    context.add_init_script(f"localStorage.getItem('sparring.pace') ?? localStorage.setItem('sparring.pace', '{pace}')")
    return context


def faultless(page: Page, part: str | None = None) -> None:
    """Nothing that axe complains of, in a page or a part of it."""
    page.evaluate("document.adoptedStyleSheets = []")  # axe judges only what is painted
    found = Axe().run(page, context=part, options=WRONG)
    assert not found.response["violations"], found.generate_report()
