"""A whole Combat in a browser of phone size against a random bot, and a board that stays in place."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import Markup
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

import sparring
from games.mace.table import Table, adjacent, table
from sparring.scene.html import Advice, Exchange, render
from web.browser_helpers import new_context
from web.server_process import ServerProcess

pytestmark = pytest.mark.browser

CHOICE = "#table button[name=choice]"


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    server = ServerProcess(tmp_path)
    context = new_context(browser, server.url, viewport={"width": 360, "height": 740})
    context.set_default_timeout(60_000)
    errors: list[str] = []
    opened = context.new_page()
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    server.stop()
    assert not errors


def version(page: Page) -> str | None:
    return page.locator("form.scene").get_attribute("data-version")


def chosen(page: Page) -> Locator | None:
    """Return a choice on the board, else on a card, else the first button; None if the table has just changed."""
    for part in (".board .can", ".held", "#table"):
        buttons = page.locator(f"{part} button[name=choice]")
        if buttons.count():
            return buttons.nth(buttons.count() // 2 if part == ".board .can" else 0)
    return None


def press(button: Locator) -> None:
    """Press a choice; one of several actions of a card is in a menu, which the card opens."""
    if not button.is_visible():
        button.locator("xpath=../preceding-sibling::button").click()
    button.click()


def test_a_combat_on_a_phone(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Customize MACE").click()
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Seat 2", exact=True).select_option("random")
    page.get_by_text("Rule options").click()
    page.get_by_label("Quiet Round limit").fill("3")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_load_state()
    expect(page.locator("form.scene")).to_be_visible()
    seen = set()
    for _ in range(300):
        page.wait_for_selector(f"form.scene.over, {CHOICE}")
        if page.locator("form.scene.over").count():
            break
        before = version(page)
        button = chosen(page)
        if button is None:
            continue
        seen.add(str(button.get_attribute("aria-description") or button.inner_text()).split(" ")[0])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        press(button)
        page.wait_for_function("before => document.querySelector('form.scene').dataset.version !== before", arg=before)
    expect(page.locator("form.scene.over")).to_be_visible()
    assert {"boost", "to"} <= seen


def test_a_tap_on_a_hex_boosts_and_moves_there(page: Page) -> None:
    page.goto("/games/mace")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Seat 2", exact=True).select_option("random")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_load_state()
    for _ in range(60):
        page.wait_for_selector(CHOICE)
        if page.locator(".cell.direct").count():
            break
        before = version(page)
        button = chosen(page)
        if button:
            press(button)
            page.wait_for_function("b => document.querySelector('form.scene').dataset.version !== b", arg=before)
    cell, before = page.locator(".cell.direct").last, version(page)
    place = cell.get_attribute("data-at")
    cell.locator("button").click()
    menu = page.locator(".shortcuts:popover-open button")
    if menu.count():
        menu.first.click()
    page.wait_for_function("b => document.querySelector('form.scene').dataset.version !== b", arg=before)
    expect(page.locator(f".cell[data-at='{place}'] .trail.to")).to_have_count(1)


HOUSE = Path(sparring.__file__).parent
COMMON = ("scene/styles/palette", "site/static/site", "scene/styles/cards", "scene/styles/boards",
          "site/static/table/table")  # fmt: skip
THEME = HOUSE / "games" / "mace" / "theme.css"
SHEETS = [*(HOUSE / f"{name}.css" for name in COMMON), THEME]
SIZES = [(1280, 720), (1920, 1080), (768, 1024), (390, 844), (844, 390)]


def board_box(page: Page, t: Table, seat: int) -> FloatRect | None:
    """Return the box of the board on a page that shows only this table."""
    style = "".join(sheet.read_text(encoding="utf-8") for sheet in SHEETS)
    scene = render(t.match.view(seat).scene, names=("Anna", "Bert"))
    page.set_content(
        f'<!doctype html><style>{style}</style><body class="at-table"><main><div id="table">{scene}</div></main>'
    )
    return page.locator(".board > .hexes").bounding_box()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("seat", [1, 2])
def test_charges_do_not_move_the_board(browser: Browser, size: tuple[int, int], seat: int) -> None:
    """For both seats, the first and third Charge of seat 1 leave the board in place."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    boards = []
    for charges in ("", "9C", "9C 8C 7C"):
        t = table("4C 2H 3D", "2S 3S", momentum=["KD", "9S"], fighters=["0,0", "6,0"], charges=[charges, ""])
        boards.append(board_box(page, t, seat))
    context.close()
    assert boards[0]
    assert boards == boards[:1] * 3


PAGE_SHEETS = [*SHEETS[:-1], HOUSE / "site" / "static" / "table" / "arrangement.css", THEME,
               HOUSE / "site" / "static" / "table" / "effects.css",
               HOUSE / "games" / "mace" / "table_art" / "surface.css"]  # fmt: skip


def show(page: Page, scene: Markup) -> None:
    """Show a scene with the style of a table's page."""
    style = "".join(sheet.read_text(encoding="utf-8") for sheet in PAGE_SHEETS)
    page.set_content(
        f'<!doctype html><style>{style}</style><body class="at-table"><main><div id="table">{scene}</div></main>'
        '<div id="effects" data-game="mace"><div class="effect lane"></div></div>'
    )


FILLS = "cells => [...new Set(cells.map(cell => getComputedStyle(cell.querySelector('.ground')).fill))]"


@pytest.fixture
def still(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    yield context.new_page()
    context.close()


def test_no_hex_gets_the_focus_when_the_turn_begins(still: Page) -> None:
    t = table("4D 2H", "2S 3S", fighters=["0,0", "6,0"], momentum=["2C", "9S"])
    show(still, render(t.match.view(1).scene))
    source = (HOUSE / "site" / "static" / "table" / "focus.js").read_text(encoding="utf-8")
    still.add_script_tag(content=source.replace("export ", ""))
    still.evaluate("restoreFocus(document.getElementById('table'), { key: 'gone' })")
    assert still.evaluate("document.activeElement.matches('.held button, .ask button')")
    assert len(still.locator(".cell.direct.floor").evaluate_all(FILLS)) == 1


def test_pointing_at_a_charge_tints_its_range(still: Page) -> None:
    t = table("2D 3D", None, fighters=["0,0", "6,0"], charges=["4C", ""], active=2)
    show(still, render(t.match.view(1).scene))
    within, beyond = (still.locator(f".cell.floor{which}") for which in ("[data-lit]", ":not([data-lit])"))
    assert within.evaluate_all(FILLS) == beyond.evaluate_all(FILLS)
    still.locator("[data-key=charges] [data-key='card 8']").hover()
    assert within.evaluate_all(FILLS) != beyond.evaluate_all(FILLS)


def test_an_attack_does_not_light_up_the_rectangle_around_its_line(still: Page) -> None:
    show(still, render(adjacent("9S 2H", "6D 2C").match.view(1).scene))
    expect(still.locator(".effect.lane")).to_be_hidden()


def test_a_hint_has_room_in_place_of_the_last_exchange(still: Page) -> None:
    t = adjacent("KS 2H 2D 4C 5D", "6D AD QH AH 8C").play("strike KS; target 2; block 6D")
    beat = next(beat for beat in t.match.beats(2) if beat.view.scene.exchange)
    exchange = Exchange(beat.view.scene.exchange, tuple(beat.lines))
    hint = Advice(*(Markup("word " * 8) for _ in Advice._fields))
    show(still, render(t.match.view(2).scene, hint=hint, exchange=exchange))
    expect(still.locator(".beside .exchange")).to_be_hidden()
    assert still.locator(".hint").evaluate("box => box.offsetWidth / box.parentElement.offsetWidth") > 0.6
