"""Friends: a match on two phones by link, with a take-back, a lost connection, a rematch and a second device."""

import pytest
from playwright.sync_api import Browser, Page, expect

from journeys.at_table import choose, history, lit, wait_for
from journeys.steps import Journey

pytestmark = pytest.mark.journey
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PASSWORD = "four plain words here"


def create_account(journey: Journey, page: Page, name: str) -> None:
    page.goto("/create-account")
    page.get_by_label("Sign-in name").fill(name)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    journey.click(page.get_by_role("button", name="Create account"))
    expect(page).not_to_have_url("/create-account")


def sign_in(journey: Journey, page: Page, name: str) -> None:
    journey.click(page.get_by_role("link", name="Sign in"))
    page.get_by_label("Sign-in name").fill(name)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    journey.click(page.get_by_role("button", name="Sign in", exact=True))
    expect(page.get_by_text("Welcome back.")).to_be_visible()


def asked(one: Page, two: Page) -> Page | None:
    """Wait until one of two friends is asked; return that page, or None if the match is over."""
    for _ in range(100):
        states = [wait_for(page, "choose", "wait", "over") for page in (one, two)]
        if "over" in states:
            return None
        if "choose" in states:
            return one if states[0] == "choose" else two
        one.wait_for_timeout(50)
    raise AssertionError("Neither friend is asked.")


def take_turns(journey: Journey, one: Page, two: Page, most: int = 200) -> Page | None:
    """Let two friends choose in turn; return the page of the one who is asked then, or None if the match is over."""
    for _ in range(most):
        if (page := asked(one, two)) is None:
            return None
        choose(journey, page)
    return asked(one, two)


def test_friends(journey: Journey, browser: Browser, url: str) -> None:
    anna, ben = (journey.open(browser, url, **PHONE) for _ in range(2))
    with journey.step("Anna invites a friend by link"):
        journey.click(anna.locator(".game-make-your-moves").get_by_role("button", name="Play with a friend"))
        anna.get_by_label("Your name").fill("Anna")
        journey.click(anna.get_by_role("button", name="Get the link"))
        link = anna.locator("#link-to-send").input_value()
    with journey.step("Ben opens the link and sits down"):
        ben.goto(link)
        ben.get_by_label("Your name").fill("Ben")
        journey.click(ben.get_by_role("button", name="Take seat"))
        expect(anna.locator("#open-seats")).to_have_attribute("data-waiting", "none")
    with journey.step("One asks to take back a choice, and the other agrees"):
        while page := asked(anna, ben):
            before = lit(page).all_inner_texts()
            choose(journey, page)
            ask = page.get_by_role("button", name="Ask to take back")
            if ask.count():
                journey.click(ask)
                journey.click((ben if page is anna else anna).get_by_role("button", name="Allow take-back"))
                expect(lit(page)).to_have_text(before, use_inner_text=True)
                break
        assert page, "No choice could be taken back."
    with journey.step("Ben's connection is lost while Anna plays"):
        while asked(anna, ben) is ben:
            choose(journey, ben)
        version = ben.locator("form.scene").get_attribute("data-version") or ""
        ben.context.set_offline(True)
        choose(journey, anna)
        ben.context.set_offline(False)
        expect(ben.locator("form.scene")).not_to_have_attribute("data-version", version)
        expect(ben.locator("#link")).to_be_empty()
        asked(anna, ben)
        lines = history(ben)
        ben.reload()
        assert history(ben) == lines
    with journey.step("Ben plays on at his laptop"):
        create_account(journey, ben, "ben")
        ben.goto(link)
        laptop = journey.open(browser, url)
        sign_in(journey, laptop, "ben")
        laptop.goto(link)
        take_turns(journey, anna, laptop, most=6)
    with journey.step("Play to the end, and offer a rematch"):
        assert take_turns(journey, anna, laptop) is None
        wait_for(ben, "over")
        journey.click(anna.get_by_role("button", name="Play again"))
        journey.click(ben.get_by_role("button", name="Go to the rematch"))
        expect(ben.locator("form.scene:not(.over)")).to_be_visible()
        assert ben.url.partition("#")[0] == anna.url.partition("#")[0]
    with journey.step("Anna blocks a stranger, who asked to be her friend"):
        create_account(journey, anna, "anna")
        cleo = journey.open(browser, url)
        create_account(journey, cleo, "cleo")
        cleo.goto("/friends")
        cleo.get_by_label("Your friend's sign-in name").fill("anna")
        journey.click(cleo.get_by_role("button", name="Send request"))
        anna.goto("/friends")
        journey.click(anna.get_by_role("button", name="Block cleo"))
        expect(anna.get_by_role("heading", name="Blocked players")).to_be_visible()
    with journey.step("The stranger cannot sit down at her next table"):
        anna.goto("/")
        journey.click(anna.locator(".game-make-your-moves").get_by_role("button", name="Play with a friend"))
        cleo.goto(anna.locator("#link-to-send").input_value())
        expect(cleo.get_by_role("button", name="Take seat")).to_have_count(0)
