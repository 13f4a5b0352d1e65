"""The contents and the search of a rules page in a real browser."""

import pytest
from playwright.sync_api import expect

from web.browser.visits import Visit
from web.browser_helpers import assert_accessible

pytestmark = pytest.mark.browser


def test_the_rules_are_searched_by_section_and_place(visit: Visit) -> None:
    page = visit("/games/mace/rules")
    sections = page.locator("#contents li:visible")
    everything = sections.count()
    search = page.get_by_label("Search these rules")
    search.fill("knocked BACK")
    expect(page.locator("#found")).to_contain_text("Enter goes to the next")
    expect(sections.first).to_be_visible()
    assert 0 < sections.count() < everything
    search.press("Enter")
    expect(page.locator("#found")).to_contain_text("1 of ")
    expect(page.locator(".rules :text('knocked back')").first).to_be_in_viewport()
    assert_accessible(page, "#contents")
    search.fill("no such words")
    expect(page.locator("#found")).to_contain_text("Not found")
    search.fill("")
    expect(sections).to_have_count(everything)


def test_the_contents_stay_in_view_beside_the_rules(visit: Visit) -> None:
    page = visit("/games/mace/rules")
    page.get_by_role("link", name="Rulings", exact=True).click()
    expect(page.get_by_role("navigation", name="Contents")).to_be_in_viewport()
    expect(page.locator("#rules-rulings")).to_be_in_viewport()
    expect(page.locator(".up")).to_be_hidden()


def test_the_button_to_the_contents_does_not_cover_them_on_a_phone(visit: Visit) -> None:
    page = visit("/games/mace/rules", viewport={"width": 390, "height": 844})
    expect(page.locator(".up")).to_be_hidden()
    page.locator("#rules-rulings").scroll_into_view_if_needed()
    expect(page.locator(".up")).to_be_visible()
    page.locator(".up a").click()
    expect(page.get_by_role("navigation", name="Contents")).to_be_in_viewport()
    expect(page.locator(".up")).to_be_hidden()
