"""The table and gallery of a set in a real browser: search, sort, cells, pasted ranges, whole columns, decks."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from web.browser_helpers import assert_accessible
from web.studio.set_pages import PHONE, Visit, hold, saved, wait_for

pytestmark = pytest.mark.browser

PASTE = """([field, text]) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


def open_table(page: Page) -> None:
    page.get_by_role("link", name="Spreadsheet").click()
    page.get_by_role("button", name="Table", exact=True).click()


def paste(page: Page, label: str, text: str) -> None:
    """Paste a range of cells, as a spreadsheet copies it."""
    page.evaluate(PASTE, [page.get_by_label(label, exact=True).element_handle(), text])


def test_a_click_on_a_page_that_still_loads_is_not_lost(visit: Visit) -> None:
    page = visit()

    def delay(route: Route) -> None:
        page.wait_for_timeout(1000)
        route.continue_()

    page.route("**/studio/table.js*", delay)
    open_table(page)
    expect(page.get_by_label("Attack, row 4", exact=True)).to_be_visible()


def test_cells_are_edited_pasted_and_undone(visit: Visit) -> None:
    page = visit()
    open_table(page)
    page.get_by_label("Attack, row 4", exact=True).fill("1")
    page.get_by_label("Attack, row 4", exact=True).press("Tab")
    saved(page)
    paste(page, "Name, row 28", 'Last One\tRed\t1\t1\tFast\r\n"New ""Hero"""\tBlue\t2\t1\t\r\n')
    expect(page.get_by_label("Name, row 29", exact=True)).to_have_value('New "Hero"')
    expect(page.get_by_label("Abilities, row 28", exact=True)).to_have_value("Fast")
    expect(page.get_by_label("Attack, row 4", exact=True)).to_have_value("1")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Name, row 29", exact=True)).to_have_count(0)


def test_a_column_is_set_for_the_cards_found_and_faults_name_their_row(visit: Visit) -> None:
    page = visit("world-of-fighters")
    open_table(page)
    name = page.get_by_label("Name, row 2", exact=True).input_value()
    page.get_by_label("Search").fill(name)
    expect(page.locator("#found")).to_contain_text("1 of")
    page.get_by_label("Set", exact=True).select_option("punch")
    page.get_by_label("to", exact=True).fill("99")
    page.get_by_role("button", name="Apply to 1 fighter").click()
    expect(page.locator("#problem")).to_contain_text(f"Row 2 ({name})")
    expect(page.get_by_label("Punch, row 2", exact=True)).to_have_attribute("aria-invalid", "true")
    page.get_by_label("Search").fill("")
    page.get_by_label("to", exact=True).fill("+1")
    expect(page.get_by_label("Punch, row 1", exact=True)).to_be_visible()
    before = int(page.get_by_label("Punch, row 1", exact=True).input_value())
    page.get_by_role("button", name="Apply to").click()
    expect(page.get_by_label("Punch, row 1", exact=True)).to_have_value(str(before + 1))


def test_all_cards_found_go_into_a_deck(visit: Visit) -> None:
    page = visit()
    open_table(page)
    page.get_by_label("Search").fill("Hedge Warden")
    page.get_by_role("button", name="Add all to Half B").click()
    saved(page)
    page.get_by_role("link", name="Decks").click()
    expect(page.get_by_label("Characters, row 2", exact=True)).to_have_value(re.compile("Hedge Warden"))


def test_the_gallery_is_sorted_and_opens_a_card(visit: Visit) -> None:
    page = visit()
    page.get_by_role("link", name="Spreadsheet").click()
    page.get_by_label("Sort by").select_option("Cost")
    first = page.locator("#gallery li").first
    expect(first).to_contain_text("Old Oak King")
    assert_accessible(page)
    first.get_by_role("link").click()
    expect(page.locator("#editor details[open] summary")).to_contain_text("Old Oak King")
    expect(page.locator("#preview .card-preview")).to_contain_text("Old")


def test_typing_while_a_change_is_saved_is_kept(visit: Visit) -> None:
    page = visit()
    open_table(page)
    page.get_by_label("Attack, row 4", exact=True).fill("1")
    held = hold(page, "**/table*")
    page.get_by_label("Attack, row 4", exact=True).press("Tab")
    page.get_by_label("Name, row 5", exact=True).fill("Half a na")
    wait_for(page, held)
    held[0].continue_()
    saved(page)
    page.keyboard.type("me")
    page.keyboard.press("Tab")
    saved(page)
    page.reload()
    expect(page.get_by_label("Name, row 5", exact=True)).to_have_value("Half a name")
    expect(page.get_by_label("Attack, row 4", exact=True)).to_have_value("1")


def test_the_bar_shows_the_name_of_the_set_on_a_phone(visit: Visit) -> None:
    page = visit(viewport=PHONE)
    page.get_by_role("link", name="Spreadsheet").click()
    expect(page.get_by_role("link", name="Back to the editor")).to_be_visible()
    assert page.locator(".bar h1").evaluate("(name) => name.clientWidth") > 100
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_the_bar_shows_the_name_of_the_set_and_of_the_person_in_landscape(visit: Visit) -> None:
    page = visit(viewport={"width": 844, "height": 390})
    page.get_by_role("link", name="Spreadsheet").click()
    expect(page.get_by_role("link", name="Back to the editor")).to_be_visible()
    for part in (page.locator(".bar h1"), page.get_by_role("link", name="Sign in", exact=True)):
        assert part.evaluate("part => part.scrollWidth <= part.clientWidth || part.clientWidth > 50")
        expect(part).to_be_in_viewport(ratio=1)
