"""Clocks on the page: they count down as on the server, and proposals don't reload the page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from sparring.engine.game import game
from sparring.web.tables.clocks.clock_panel import clock
from sparring.web.tables.players import Player
from sparring.web.tables.table_settings import TableSettings
from web.app_server import House
from web.browser_helpers import faultless, somebody

pytestmark = pytest.mark.browser

Come = Callable[..., Page]


@pytest.fixture
def come(browser: Browser, house: House) -> Iterator[Come]:
    """Open a table in a browser as a named person."""
    contexts = []

    def come(who: str, table: str, **more: Any) -> Page:
        context = somebody(browser, house.url, **more)
        contexts.append(context)
        cookies = house.person(who).http.cookies
        context.add_cookies([{"name": name, "value": value, "url": house.url} for name, value in cookies.items()])
        page = context.new_page()
        page.goto(f"/table/{table}")
        return page

    yield come
    for context in contexts:
        context.close()


def lay(house: House, terms: TableSettings) -> str:
    """Create a table where Anna and Ben have both arrived."""
    sitters = [Player(who, who) for who in ("Anna", "Ben")]
    table = house.run(house.tables.create(game("make-your-moves"), sitters, seed=3, terms=terms)).id
    for who in ("Anna", "Ben"):
        house.person(who).page(table)
    return table


def test_the_page_counts_as_the_server_does(house: House, come: Come) -> None:
    page = come("Anna", lay(house, TableSettings(minutes=10, more=10)))
    module = page.locator("script[src$='/table/app.js']").evaluate("it => it.src").replace("app.js", "clock.js")
    lefts = [0, 1, 99, 100, 9_950, 9_999, 10_000, 10_001, 59_999, 60_000, 3_599_001, 3_600_000, 86_400_000,
             172_799_000, 172_800_000, 172_800_001, 2_592_000_000]  # fmt: skip
    shown = page.evaluate("async ([module, lefts]) => lefts.map((await import(module)).shown)", [module, lefts])
    assert shown == [clock(left) for left in lefts]


def test_a_clock_counts_down_by_itself_and_says_so_at_the_last_minute(house: House, come: Come) -> None:
    """The test controls the page's clock: eight minutes pass in one step."""
    table = lay(house, TableSettings(minutes=9, more=5))
    asked = house.run(house.tables.get(table)).shown.asked
    page = come("Anna" if asked == 1 else "Ben", table)
    running = page.locator(".seat.you .clock[data-from]")
    page.clock.install()
    page.reload()
    page.clock.run_for(485_000)
    assert page.locator("#live").text_content() == "One minute left."
    page.clock.run_for(90_000)
    assert running.text_content() == "0.0"


def test_a_draw_is_agreed_without_a_new_page(house: House, come: Come) -> None:
    table = lay(house, TableSettings())
    anna, ben = come("Anna", table), come("Ben", table)
    for page in (anna, ben):
        page.evaluate("window.same = true")
    anna.get_by_role("button", name="Table", exact=True).click()
    anna.get_by_text("Give up", exact=True).click()
    faultless(anna)
    anna.get_by_role("button", name="Offer draw").click()
    ben.get_by_role("button", name="Accept draw").click()
    for page in (anna, ben):
        expect(page.locator(".ask .sentence")).to_have_text("All players agreed to a draw.")
        assert page.evaluate("window.same")


def test_a_hidden_page_notifies(house: House, come: Come) -> None:
    """A hidden page polls whose turn it is; its title says so, and a notification if wanted."""
    table = lay(house, TableSettings())
    asked = house.run(house.tables.get(table)).shown.asked
    waiting = "Ben" if asked == 1 else "Anna"
    page = come(waiting, table, permissions=["notifications"])
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
    while house.run(house.tables.get(table)).shown.asked == asked:
        player = house.person("Anna" if asked == 1 else "Ben")
        player.choose(table, player.look(table)["choices"][-1]["choice"])
    with page.expect_response("**/turn"):
        page.clock.run_for(21_000)
    expect(page).to_have_title("Your turn: Make Your Moves Lite")
    assert page.evaluate("window.told") == "Your turn: Make Your Moves Lite"
