"""Pages of tables in a browser, as named people see them."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from web.app_server import AppServer
from web.browser_helpers import new_context

OpenTable = Callable[..., Page]


@pytest.fixture
def open_table(browser: Browser, server: AppServer) -> Iterator[OpenTable]:
    """Open a table in a browser as a named person."""
    contexts = []

    def open_table(who: str, table: str, **more: Any) -> Page:
        context = new_context(browser, server.url, **more)
        contexts.append(context)
        cookies = server.person(who).http.cookies
        context.add_cookies([{"name": name, "value": value, "url": server.url} for name, value in cookies.items()])
        page = context.new_page()
        page.goto(f"/table/{table}")
        return page

    yield open_table
    for context in contexts:
        context.close()
