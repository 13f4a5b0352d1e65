"""Clocks on the page: they count down as on the server, and proposals don't reload the page."""

import pytest
from playwright.sync_api import expect

from sparring.tables.state.clock_state import clock
from sparring.tables.state.table_settings import TableSettings
from web.app_server import AppServer
from web.browser_helpers import assert_accessible
from web.clocks import fake_clock as clocks
from web.table_pages import OpenTable

pytestmark = pytest.mark.browser


def create_table(server: AppServer, table_settings: TableSettings) -> str:
    return clocks.create_table(server, "Anna", "Ben", name="make-your-moves", seed=3, table_settings=table_settings)


def test_the_page_counts_like_the_server(server: AppServer, open_table: OpenTable) -> None:
    page = open_table("Anna", create_table(server, TableSettings(minutes=10, more=10)))
    module = page.locator("script[src$='/table/app.js']").evaluate("it => it.src").replace("app.js", "clock.js")
    lefts = [0, 1, 99, 100, 9_950, 9_999, 10_000, 10_001, 59_999, 60_000, 3_599_001, 3_600_000, 86_400_000,
             172_799_000, 172_800_000, 172_800_001, 2_592_000_000]  # fmt: skip
    shown = page.evaluate("async ([module, lefts]) => lefts.map((await import(module)).shown)", [module, lefts])
    assert shown == [clock(left) for left in lefts]


def test_a_clock_counts_down_and_announces_the_last_minute(server: AppServer, open_table: OpenTable) -> None:
    """The test controls the page's clock: eight minutes pass in one step."""
    table = create_table(server, TableSettings(minutes=9, more=5))
    asked = server.held(table).shown.turn_seat
    page = open_table("Anna" if asked == 1 else "Ben", table)
    running = page.locator(".seat.you .clock[data-from]")
    page.clock.install()
    page.reload()
    page.clock.run_for(485_000)
    assert page.locator("#live").text_content() == "One minute left."
    page.clock.run_for(90_000)
    assert running.text_content() == "0.0"


def test_a_draw_is_agreed_without_a_reload(server: AppServer, open_table: OpenTable) -> None:
    table = create_table(server, TableSettings())
    anna, ben = open_table("Anna", table), open_table("Ben", table)
    for page in (anna, ben):
        page.evaluate("window.same = true")
    anna.get_by_role("button", name="Table", exact=True).click()
    anna.get_by_text("Give up", exact=True).click()
    assert_accessible(anna)
    anna.get_by_role("button", name="Offer draw").click()
    ben.get_by_role("button", name="Accept draw").click()
    for page in (anna, ben):
        expect(page.locator(".ask .sentence")).to_have_text("All players agreed to a draw.")
        assert page.evaluate("window.same")


def test_a_hidden_page_notifies(server: AppServer, open_table: OpenTable) -> None:
    """A hidden page polls whose turn it is; its title says so, and a notification if wanted."""
    table = create_table(server, TableSettings())
    asked = server.held(table).shown.turn_seat
    waiting = "Ben" if asked == 1 else "Anna"
    page = open_table(waiting, table, permissions=["notifications"])
    page.evaluate("""() => {
        window.Notification = class {
            static permission = "granted";
            constructor(title) { window.told = title; }
            addEventListener() {}
        };
    }""")
    page.get_by_role("button", name="Table", exact=True).click()
    page.get_by_role("button", name="Notify me").click()
    assert page.get_by_role("button", name="Notify me").get_attribute("aria-pressed") == "true"
    page.clock.install()
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true });"
                  " document.dispatchEvent(new Event('visibilitychange'))")  # fmt: skip
    while server.held(table).shown.turn_seat == asked:
        player = server.person("Anna" if asked == 1 else "Ben")
        player.choose(table, player.look(table)["choices"][-1]["choice"])
    with page.expect_response("**/turn"):
        page.clock.run_for(21_000)
    expect(page).to_have_title("Your turn: Make Your Moves Lite · Sparring")
    assert page.evaluate("window.told") == "Your turn: Make Your Moves Lite"
