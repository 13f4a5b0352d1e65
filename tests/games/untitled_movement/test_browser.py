"""Complete matches in a real browser, by mouse and by keyboard, and the highlights for a card."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from web.browser_helpers import new_context
from web.server_process import ServerProcess

pytestmark = pytest.mark.browser

CHOICE = "#table button[name=choice]"
SIZES: dict[int, ViewportSize] = {2: {"width": 360, "height": 740}, 4: {"width": 1280, "height": 720}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    started = ServerProcess(tmp_path_factory.mktemp("server"))
    yield started
    started.stop()


@pytest.fixture
def table(request: pytest.FixtureRequest, browser: Browser, server: ServerProcess) -> Iterator[Page]:
    """A table with one person against random bots, where two idle rounds end the match."""
    wrong: list[str] = []
    context = new_context(browser, server.url, viewport=SIZES[request.param])
    context.set_default_timeout(20_000)
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto("/games/untitled-movement")
    page.get_by_label("Your name").fill("Anna")
    for seat in range(2, request.param + 1):
        page.get_by_label(f"Seat {seat}", exact=True).select_option("random")
    page.get_by_text("Rule options").click()
    page.get_by_label("Idle round limit").fill("2")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_load_state()
    expect(page.locator("form.scene")).to_be_visible()
    yield page
    context.close()
    assert not wrong


def waits_for_me(page: Page) -> bool:
    """Wait for a choice or the end of the match; return whether there is a choice."""
    page.wait_for_function("() => document.querySelector('form.scene.over, #table button[name=choice]')")
    return not page.locator("form.scene.over").count()


def version(page: Page) -> str:
    return page.locator("form.scene").get_attribute("data-version") or ""


def answered(page: Page, before: str) -> None:
    page.wait_for_function("before => document.querySelector('form.scene').dataset.version !== before", arg=before)


@pytest.mark.parametrize("table", [4], indirect=True)
def test_a_match_by_mouse(table: Page) -> None:
    choices = 0
    while waits_for_me(table):
        before = version(table)
        table.locator(CHOICE).first.click(position={"x": 8, "y": 8})
        answered(table, before)
        choices += 1
    assert choices > 2
    expect(table.locator(".sentence")).to_contain_text("idle rounds")


@pytest.mark.parametrize("table", [2], indirect=True)
def test_a_match_by_keyboard(table: Page) -> None:
    choices = 0
    while waits_for_me(table):
        before = version(table)
        for _ in range(60):
            if table.evaluate("() => document.activeElement.matches('#table button[name=choice]')"):
                break
            table.keyboard.press("Tab")
        table.keyboard.press("Enter")
        answered(table, before)
        choices += 1
    assert choices > 2
    expect(table.locator(".sentence")).to_contain_text("idle rounds")


@pytest.mark.parametrize("table", [2], indirect=True)
def test_hovering_over_a_card_highlights_what_it_can_reach(table: Page) -> None:
    lit = table.locator(".cell[data-lit] .ground")
    while waits_for_me(table) and not lit.count():
        now = version(table)
        table.locator(CHOICE).first.click(position={"x": 8, "y": 8})
        answered(table, now)
    if not lit.count():
        pytest.skip("no card could move a token in this match")
    cell = table.locator(".cell[data-lit]").first
    card = (cell.get_attribute("data-lit") or "").split()[0].replace("card-", "card ")
    outline = cell.locator(".ground")
    before = outline.evaluate("shape => getComputedStyle(shape).strokeWidth")
    table.locator(f'[data-key="{card}"] button').hover()
    expect(outline).not_to_have_css("stroke-width", before)


def play_until(page: Page, wanted: str) -> None:
    """Roll, and pass over other choices, until something `wanted` can be tapped, in another match if need be."""
    while not page.locator(wanted).count():
        if not waits_for_me(page):
            page.get_by_role("button", name="Play again").click()
            page.wait_for_function("() => !document.querySelector('form.scene.over')")
            continue
        before = version(page)
        main = page.locator("#table .buttons button.main")
        (main if main.count() else page.locator(f"{CHOICE}:visible").last).click(position={"x": 8, "y": 8})
        answered(page, before)


@pytest.mark.parametrize("table", [2], indirect=True)
def test_one_tap_moves_a_token_or_asks_which_card(table: Page) -> None:
    play_until(table, ".cell.direct button")
    cell = table.locator(".cell.direct").first
    place, before = cell.get_attribute("data-at"), version(table)
    turn = table.locator(".status").first.text_content()
    cell.locator("button").click()
    menu = table.locator(".shortcuts:popover-open button")
    if version(table) == before and menu.count():
        menu.first.click()
    answered(table, before)
    # After the last move of a turn, the bot's moves may replace the trail; the history has the move all the same.
    table.wait_for_function(
        """([place, turn]) => document.querySelector(`.cell[data-at="${place}"] .trail.to`)
            || document.querySelector(".status").textContent !== turn""",
        arg=[place, turn],
    )
    row, column = map(int, str(place).split(","))
    expect(table.locator("#table")).to_contain_text(re.compile(rf" (to|on) {chr(ord('a') + row)}{column + 1}\."))


@pytest.mark.parametrize("table", [4], indirect=True)
def test_the_menu_of_a_space_works_by_keyboard_and_closes_again(table: Page) -> None:
    play_until(table, ".cell.direct button[popovertarget]")
    opener = table.locator(".cell.direct button[popovertarget]").first
    before = version(table)
    opener.focus()
    table.keyboard.press("Enter")
    expect(table.locator(".shortcuts:popover-open button").first).to_be_focused()
    table.keyboard.press("ArrowDown")
    expect(table.locator(".shortcuts:popover-open button").nth(1)).to_be_focused()
    table.keyboard.press("Escape")
    expect(table.locator(".shortcuts:popover-open")).to_have_count(0)
    assert version(table) == before
    opener.click()
    table.keyboard.press("Enter")
    answered(table, before)
