"""Replays in a spectator's browser."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from web.app_server import AppServer
from web.browser_helpers import new_context

OpenReplay = Callable[..., Page]


@pytest.fixture
def open_replay(browser: Browser, server: AppServer) -> Iterator[OpenReplay]:
    """Return a function that opens a spectator's browser with a controlled clock; fail on errors in it."""
    contexts, wrong = [], list[str]()

    def open_replay(path: str, pace: str = "at once", *, stands: bool = True, **more: Any) -> Page:
        context = new_context(browser, server.url, pace, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
        if stands:
            page.clock.install(time=0)
            page.clock.pause_at(1000)
        page.goto(path)
        return page

    yield open_replay
    for context in contexts:
        context.close()
    assert not wrong
