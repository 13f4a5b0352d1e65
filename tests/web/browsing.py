"""People with a browser."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext

#: For tests in which things are to move.
MOVING = {"reduced_motion": "no-preference"}


def somebody(browser: Browser, url: str, pace: str = "at once", **more: Any) -> BrowserContext:
    """A person's own browser; nothing is played to them, or kept for a time without a net, unless a test wants it.

    Nor does anything move: each choice would take twice the processor time.
    """
    context = browser.new_context(base_url=url, **{"service_workers": "block", "reduced_motion": "reduce", **more})
    context.add_init_script(f"localStorage.getItem('sparring.pace') ?? localStorage.setItem('sparring.pace', '{pace}')")
    return context
