"""Keyboard and screen reader: a match in text mode and one on the table, both without a mouse."""

import random

import pytest
from playwright.sync_api import Browser, Page, expect

from journeys.steps import Journey
from wording import says

pytestmark = pytest.mark.journey

#: What a screen reader calls the element that has the focus.
NAME = """() => {
    const at = document.activeElement;
    return (at.ariaLabel ?? at.labels?.[0]?.innerText ?? at.textContent).trim().split("\\n")[0];
}"""
#: Whether people see where the focus is: it has an outline, and nothing covers it.
SEEN = """() => {
    const at = document.activeElement, box = at.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return getComputedStyle(at).outlineStyle !== "none" && at.contains(top);
}"""
IS_CHOICE = "() => document.activeElement.name === 'choice'"
#: Collects what a screen reader says of the match: what is added to the live region, but not the questions.
LISTEN = """() => {
    window.heard = [];
    new MutationObserver((changes) => heard.push(...changes.flatMap(({ addedNodes }) => [...addedNodes])
        .filter((line) => line.className !== "question").map((line) => line.textContent))
    ).observe(document.getElementById("told"), { childList: true });
}"""
MY_TURN_OR_OVER = """() => document.querySelector("[id=question][data-mine], #table form.scene button[name=choice]")
    || [...document.querySelectorAll("button")].some((button) => button.textContent === "Play again")"""
MOVED_ON = """before => before !== document.querySelector("#question[data-version], form.scene").dataset.version"""
#: More than any page has.
PRESSES = 120


def tab_to(page: Page, name: str, key: str = "Enter") -> None:
    """Press Tab until the focus is on something of this name, then press a key there."""
    for _ in range(PRESSES):
        page.keyboard.press("Tab")
        if page.evaluate(NAME).startswith(name):
            return page.keyboard.press(key)
    raise AssertionError(f"Tab doesn't reach {name}.")


def follow(page: Page, name: str) -> None:
    """Press Tab until the focus is on this link or button, then Enter, which opens another page."""
    with page.expect_navigation():
        tab_to(page, name)


def is_over(page: Page) -> bool:
    """Wait for the own turn or the end of the match; return whether it is the end."""
    page.wait_for_load_state()
    page.wait_for_function(MY_TURN_OR_OVER)
    return bool(page.get_by_role("button", name="Play again").count())


def version(page: Page) -> str:
    return page.locator("#question[data-version], form.scene").first.get_attribute("data-version") or ""


def say(page: Page, words: str) -> None:
    """Type into the field of text mode, from wherever the focus is."""
    if page.evaluate("document.activeElement.id") != "words":
        page.keyboard.press("/")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(words)
    page.keyboard.press("Enter")


def test_a_screen_reader(browser: Browser, url: str, journey: Journey) -> None:
    chance = random.Random(1)
    with journey.step("Create a table from the start page"):
        page = journey.open(browser, url)
        follow(page, "Customize World of Fighters")
        tab_to(page, "Your name", "A")
        tab_to(page, "Seat 2", "R")  # Random bot
        follow(page, "Create table")
    with journey.step("Follow the first link of the table to text mode"):
        page.keyboard.press("Tab")
        assert page.evaluate(NAME) == "Open this table in text mode, for screen readers"
        with page.expect_navigation():
            page.keyboard.press("Enter")
        page.evaluate(LISTEN)
        headings = page.get_by_role("heading").all_text_contents()
        assert [words for words in headings if words in ("Question", "Players", "Table", "History")] == [
            "Question", "Players", "Table", "History",
        ]  # fmt: skip
    with journey.step("Ask what can be typed"):
        answer = page.locator("#answer")
        for words, told in [
            ("help", "hint"),
            ("choices", "pick Hai Wu"),
            ("table", "The fighters"),
            ("seats", "no fighter yet"),
            ("what super", "super"),
            ("last", "Nothing"),
        ]:
            say(page, words)
            expect(answer).to_contain_text(told, ignore_case=True)
    with journey.step("Mistype a choice"):
        say(page, "pick Hai Woo")
        expect(answer).to_contain_text("isn't a choice here")
        assert page.locator("#words").input_value() == "pick Hai Woo", "what was typed can be mended"
    with journey.step("Play the match to its end"):
        while not is_over(page):
            words = page.locator("#typed option").evaluate_all("all => all.map((option) => option.value)")
            before = version(page)
            say(page, chance.choice(words))
            page.wait_for_function(MOVED_ON, arg=before)
        expect(page.locator("#told p").last).to_contain_text("win")
        heard = page.evaluate("heard")
        journey.keep("\n".join(heard))
    with journey.step("Compare what was said with the history"):
        page.reload()
        history = page.locator("#log li").all_text_contents()
        assert heard == history
        assert says(" ".join(history), "You pick", "face down")
        assert "win" in history[-1]
    with journey.step("Play again"):
        follow(page, "Play again")
        assert not is_over(page)
        assert page.url.endswith("/text")


def test_the_table_by_keyboard(browser: Browser, url: str, journey: Journey) -> None:
    chance = random.Random(2)
    with journey.step("Play from the start page"):
        page = journey.open(browser, url)
        follow(page, "Play Five Circles")
        assert not is_over(page)
    with journey.step("Read the keyboard shortcuts"):
        page.keyboard.press("?")
        expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".panel:popover-open")).to_have_count(0)
    with journey.step("Read the rules"):
        tab_to(page, "Rules")
        expect(page.locator(".panel:popover-open")).to_be_visible()
        page.keyboard.press("Escape")
        assert page.evaluate(NAME) == "Rules", "the focus returns to where it was"
    with journey.step("Play the match to its end"):
        while not is_over(page):
            before = version(page)
            choose_by_keys(page, chance)
            page.wait_for_function(MOVED_ON, arg=before)
            assert page.evaluate("document.activeElement !== document.body"), "the focus is lost after a choice"
    with journey.step("Play again"):
        follow(page, "Play again")
        assert not is_over(page)


def choose_by_keys(page: Page, chance: random.Random) -> None:
    """Go to a choice by Tab and, within a hand or a row, by arrow keys; press Enter where the focus can be seen."""
    for _ in range(PRESSES):
        if page.evaluate(IS_CHOICE):
            page.keyboard.press(chance.choice(["ArrowLeft", "ArrowRight"]))
        if page.evaluate(IS_CHOICE):
            assert page.evaluate(SEEN), f"the focus on {page.evaluate(NAME)} can't be seen"
            return page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    raise AssertionError("Tab reaches no choice.")
