"""The tuner of the studio in a real browser: the button tunes what the preview shows."""

import pytest
from playwright.sync_api import expect

from web.app_server import AppServer
from web.browser_helpers import assert_accessible
from web.studio.jobs.proposals import find_at_once
from web.studio.set_pages import Visit

pytestmark = pytest.mark.browser


def test_the_shown_card_is_tuned_and_a_proposal_taken_and_undone(
    visit: Visit, server: AppServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = find_at_once(server, monkeypatch)
    page = visit("make-your-moves")
    card = page.locator("#editor details.thing, #editor .thing[data-at]").nth(2)
    name = page.locator('#editor [data-at=\'["cards",2,"name"]\'] input').input_value()
    page.locator('#editor [data-at=\'["cards",2,"power"]\'] :is(input, select)').focus()
    page.get_by_label("Target win rate in percent").fill("45")
    page.get_by_role("button", name="Bring the card to").click()
    expect(page.get_by_role("heading", name=f"Bring {name} to 45%")).to_be_visible()
    assert f'"{name} within 0.4300..0.4700"' in plans[0]
    expect(page.get_by_text("On target").or_(page.get_by_text("on target")).first).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Take proposal 2").click()
    expect(page.get_by_text("Proposal 2 is now in the set")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Proposal 2 is now in the set")).to_have_count(0)
    page.get_by_role("link", name="Back to the set").click()
    expect(card).to_be_visible()


def test_an_empty_set_offers_nothing_to_tune_until_it_has_a_card(visit: Visit) -> None:
    page = visit(path="/studio?game=five-circles")
    page.get_by_label("Your name").fill("Anna")
    page.get_by_text("Empty", exact=True).click()
    page.get_by_role("button", name="Create set").click()
    page.wait_for_url("**/studio/*")
    page.wait_for_load_state()
    tune = page.get_by_role("button", name="Bring the card to")
    expect(tune).to_be_hidden()
    page.get_by_role("button", name="Add a card").click()
    expect(tune).to_be_visible()
