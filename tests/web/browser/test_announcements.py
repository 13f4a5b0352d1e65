"""Announcements in the bar of a table, such as `Anna took back a choice.`, on phones."""

import pytest
from playwright.sync_api import Browser, expect

from web.app_server import AppServer

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_an_announcement_covers_no_seat(server: AppServer, browser: Browser, size: tuple[int, int]) -> None:
    table = server.table("Anna", "Ben", name="mace")
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(f"{server.url}/table/{table}")
    before = page.locator(".bar").bounding_box()

    async def announce() -> None:
        server.tables.registry.presence(table).announce(sentence="Maximilian took back a choice.")

    with page.expect_event("response", lambda response: "/events" in response.url):
        page.reload()
    server.run(announce())
    told = page.locator("#people .passing")
    expect(told).to_be_visible()
    box, seats, bar = (
        told.bounding_box(),
        page.locator(".seats").first.bounding_box(),
        page.locator(".bar").bounding_box(),
    )
    assert box
    assert seats
    assert bar == before
    assert bar
    assert bar["y"] <= box["y"]
    assert box["y"] + box["height"] <= bar["y"] + bar["height"] <= seats["y"] + 1
    menu = page.locator(".bar nav").bounding_box()
    assert menu
    assert box["x"] + box["width"] <= menu["x"]
    context.close()
