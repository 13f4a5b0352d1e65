"""Announcements in the bar of a table, such as `Anna took back a choice.`, on phones."""

import pytest
from playwright.sync_api import expect

from web.app_server import AppServer
from web.browser.visits import Visit

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_an_announcement_covers_no_seat(server: AppServer, visit: Visit, size: tuple[int, int]) -> None:
    table = server.table("Anna", "Ben", name="mace")
    page = visit(f"/table/{table}", viewport={"width": size[0], "height": size[1]})
    before = page.locator(".bar").bounding_box()

    async def announce() -> None:
        server.tables.registry.presence(table).announce(sentence="Maximilian took back a choice.")

    with page.expect_event("response", lambda response: "/events" in response.url):
        page.reload()
    server.run(announce())
    told = page.locator("#people .passing")
    expect(told).to_be_visible()
    box, seats, bar = (part.bounding_box() for part in (told, page.locator(".seats").first, page.locator(".bar")))
    assert box
    assert seats
    assert bar
    assert bar == before
    assert bar["y"] <= box["y"]
    assert box["y"] + box["height"] <= bar["y"] + bar["height"] <= seats["y"] + 1
    menu = page.locator(".bar nav").bounding_box()
    assert menu
    assert box["x"] + box["width"] <= menu["x"]
