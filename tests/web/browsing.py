"""People with a browser."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext


def somebody(browser: Browser, url: str, pace: str = "at once", **more: Any) -> BrowserContext:
    """A person's own browser; nothing is played to them unless a test wants to see it."""
    context = browser.new_context(base_url=url, **more)
    context.add_init_script(f"localStorage.getItem('sparring.pace') ?? localStorage.setItem('sparring.pace', '{pace}')")
    return context
