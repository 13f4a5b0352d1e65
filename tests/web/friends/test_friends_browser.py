"""Friends in two browsers: a request, a challenge on an open page, and three clicks to a match with a friend."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from web.accounts.account_helpers import new_account
from web.app_server import AppServer
from web.browser_helpers import assert_accessible, new_context

pytestmark = pytest.mark.browser


def signed_in(browser: Browser, server: AppServer, name: str, **more: Any) -> Page:
    """Return a page of a person with a new account."""
    cookie = new_account(server, name).cookie()
    context = new_context(browser, server.url, **more)
    context.add_cookies([{"name": "sparring", "value": cookie, "url": server.url}])
    return context.new_page()


def test_a_friend_is_added_by_name_and_challenged_with_one_click(browser: Browser, server: AppServer) -> None:
    anna = signed_in(browser, server, "anna")
    ben = signed_in(browser, server, "ben", viewport={"width": 390, "height": 844})
    anna.goto("/friends")
    anna.get_by_label("Your friend's sign-in name").fill("ben")
    anna.get_by_role("button", name="Send request").click()
    expect(anna.get_by_role("status").first).to_contain_text("Request sent.")
    ben.goto("/leaderboard")
    expect(ben.get_by_role("button", name="Menu (1)")).to_be_visible()
    panel = ben.locator(".friend-news")
    expect(panel).to_contain_text("anna wants to be your friend.")
    assert_accessible(ben)
    panel.get_by_role("button", name="Accept").click()
    expect(panel).to_be_empty()  # on the same page, so that a request doesn't end a visit to a table
    assert ben.url.endswith("/leaderboard")
    expect(ben.get_by_role("button", name="Menu", exact=True)).to_be_visible()
    anna.goto("/friends")
    expect(anna.locator(".online")).to_be_visible()
    assert_accessible(anna)
    anna.get_by_label("Game for ben").select_option("mace")
    anna.get_by_role("button", name="Challenge ben").click()
    anna.wait_for_url("**/table/*")
    expect(anna.locator("#open-seats")).to_contain_text("Waiting for ben.")
    strip = anna.locator("#invite")  # Anna plays first, so her table has a strip rather than a panel
    assert strip.locator("#link-to-send").evaluate("link => link.offsetWidth") > 150
    assert strip.evaluate("strip => strip.offsetHeight") < 60
    ben.reload()  # instead of waiting ten seconds
    expect(panel).to_contain_text("anna challenges you to MACE.")
    assert_accessible(ben)
    panel.get_by_role("button", name="Accept").click()
    ben.wait_for_url("**/table/*")
    assert ben.url == anna.url.partition("#")[0]
    expect(anna.locator("#open-seats")).to_have_attribute("data-waiting", "none")
    for page in (anna, ben):
        page.context.close()


def test_a_request_can_be_declined_on_the_friends_page(browser: Browser, server: AppServer) -> None:
    cleo, dan = new_account(server, "cleo"), signed_in(browser, server, "dan")
    cleo.post("/friends", data={"name": "dan"})
    dan.goto("/friends")
    assert_accessible(dan)
    expect(dan.locator(".friend-news")).to_be_empty()  # this page lists the request
    dan.get_by_role("button", name="Decline cleo").click()
    expect(dan.get_by_role("status").first).to_have_text("Request declined. The player won't be told.")
    dan.context.close()


def test_an_invitation_fits_every_phone(browser: Browser, server: AppServer) -> None:
    with new_context(browser, server.url, viewport={"width": 390, "height": 844}) as context:
        ben = context.new_page()
        ben.goto(f"/table/{server.table('Anna', '', name='mace', host='Anna')}")
        expect(ben.get_by_text("Anna invites you to a match of MACE.")).to_be_visible()
        assert_accessible(ben)
        for width, height in ((844, 390), (640, 360), (390, 844)):
            ben.set_viewport_size({"width": width, "height": height})
            expect(ben.get_by_role("button", name="Take seat")).to_be_in_viewport(ratio=1)
