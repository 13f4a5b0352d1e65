"""Text mode in a real browser: a match by keyboard, announcements, and accessibility."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from web.app_server import AppServer, Client
from web.browser.visits import Visit
from web.browser_helpers import assert_accessible
from wording import says

pytestmark = pytest.mark.browser
LOOKS = [("light", {"width": 1280, "height": 720}), ("dark", {"width": 390, "height": 844})]

#: Records the texts of all live regions, in order.
LISTEN = """() => {
    window.heard = [];
    const speaks = (node) => node.closest("[role=log], [role=status], [role=alert]") && !node.closest("[hidden]");
    new MutationObserver((changes) => {
        for (const { target, addedNodes } of changes)
            for (const node of addedNodes)
                if (speaks(target) && node.textContent.trim()) heard.push(node.textContent.trim());
    }).observe(document.body, { childList: true, subtree: true });
}"""

#: Hide the page (true), or show it again.
LOOK_AWAY = """away => {
    Object.defineProperty(document, "hidden", { value: away, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def listen(visit: Visit, path: str, **more: Any) -> Page:
    """Open a page as Anna, and record what it announces."""
    page = visit(path, "Anna", bypass_csp=True, **more)
    page.evaluate(LISTEN)
    return page


def announced(page: Page) -> list[str]:
    """Return the announcements since the last call."""
    return page.evaluate("heard.splice(0)")  # type: ignore[no-any-return]


def say(page: Page, words: str) -> None:
    """Type into the page's field, from wherever the focus is."""
    if page.evaluate("document.activeElement.id") != "words":
        page.keyboard.press("/")
    page.keyboard.type(words)
    page.keyboard.press("Enter")


def test_a_match_by_keyboard_is_announced_once_in_order(visit: Visit, table: str, ben: Client) -> None:
    page = listen(visit, f"/table/{table}/text")
    words = page.locator("#typed option").evaluate_all("all => all.map(each => each.value)")
    assert words[-1].startswith("lay ")
    say(page, "hand")
    expect(page.locator("#answer")).to_contain_text("Your hand: Card")
    assert len(announced(page)) == 1
    say(page, "nonsense")
    expect(page.locator("#answer")).to_contain_text("isn't a choice here")
    assert page.locator("#words").input_value() == "nonsense"
    announced(page)
    page.locator("#words").press("ControlOrMeta+A")
    say(page, words[-1])
    expect(page.locator("#told")).to_contain_text("Your choice: Lay a card, or be done.")
    assert announced(page) == [f"You {words[-1]}.", "Your choice: Lay a card, or be done."]
    assert page.evaluate("document.activeElement.id") == "words", "typing continues in the field"
    assert page.locator("#words").input_value() == ""
    page.locator("#question-title").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "done"
    page.keyboard.press("Enter")
    expect(page.locator("#question")).to_contain_text("Ben lays.")
    assert page.evaluate("document.activeElement.id") == "question-title", "the focus is not lost"
    assert announced(page) == ["You done."]
    ben.choose(table, "done")
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    assert announced(page) == ["All cards are turned up.", "The match is over."]
    assert page.locator("#told p").all_text_contents() == [
        "You done.",
        "All cards are turned up.",
        "The match is over.",
    ]
    page.reload()
    expect(page.locator("#told p")).to_have_text(["You done.", "All cards are turned up."])


def test_updates_do_not_move_the_reading_position(visit: Visit, server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="mace", seed=3)
    ben = server.person("Ben")
    page = listen(visit, f"/table/{table}/text")
    page.get_by_text("All spaces, row by row").click()
    page.locator(".grid").focus()
    ben.post(f"/table/{table}/propose", data={"what": "draw"})
    expect(page.locator("#told")).to_contain_text("Ben offers a draw.")
    assert [line for line in announced(page) if "draw" in line] == ["Ben offers a draw."]
    assert page.evaluate("document.activeElement.className") == "grid"
    assert page.locator("#on-table details").last.get_attribute("open") is not None
    ben.answer(table, agree=False)
    expect(page.locator("#question")).not_to_contain_text("Ben offers a draw.")
    assert page.evaluate("document.activeElement.className") == "grid"


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_axe_finds_nothing(visit: Visit, server: AppServer, scheme: str, size: dict[str, int]) -> None:
    table = server.table("Anna", "Ben", name="mace", seed=3)
    page = listen(visit, f"/table/{table}/text", color_scheme=scheme, viewport=size)
    say(page, "choices")
    expect(page.locator("#answer")).to_contain_text("3 of clubs")
    assert_accessible_parts(page)


def test_a_returning_reader_gets_a_summary(visit: Visit, server: AppServer) -> None:
    table = server.table("Anna", "Ben", name="world-of-fighters")
    server.person("Anna").choose(table, "Hai Wu")
    page = listen(visit, f"/table/{table}/text")
    page.evaluate(LOOK_AWAY, True)
    server.person("Ben").choose(table, "Kenji Aoki")
    page.evaluate(LOOK_AWAY, False)
    expect(page.locator("#told")).to_contain_text("Your choice: Play a Movement card.")
    meanwhile, question = [line for line in announced(page) if line != "Ben is away."]
    assert says(meanwhile, "While you were away", "Kenji Aoki", "Round 1", "you move first")
    assert says(question, "Your choice", "Movement card", "You move first")


def assert_accessible_parts(page: Page) -> None:
    """Assert that axe finds nothing with all sections opened."""
    for summary in page.locator("summary").all():
        summary.click()
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is outside the page"


def test_a_replay_by_keyboard(visit: Visit, server: AppServer, table: str) -> None:
    for who in ("Anna", "Ben"):
        for choice in (server.person(who).look(table)["choices"][0]["words"], "done"):
            server.person(who).choose(table, choice)
    page = listen(visit, f"/table/{table}/replay/text", color_scheme="dark", viewport=LOOKS[1][1])
    moment = page.locator("#moment-title")
    expect(moment).to_have_text("Step 0 of 4, all cards face up")
    page.keyboard.press("ArrowRight")
    expect(moment).to_have_text("Step 1 of 4, all cards face up")
    assert re.match(r"Step 1 of 4, all cards face up Anna chooses in secret: lay \w+.", " ".join(announced(page)))
    page.get_by_role("link", name="Next").focus()
    page.keyboard.press("Enter")
    expect(moment).to_have_text("Step 2 of 4, all cards face up")
    assert page.evaluate("document.activeElement.textContent") == "Next", "navigation continues from the current place"
    page.keyboard.press("End")
    expect(moment).to_have_text("Step 4 of 4, all cards face up")
    say(page, "nowhere")
    expect(page.locator("#moment .problem")).to_contain_text("isn't a step")
    assert page.locator("#words").input_value() == "nowhere"
    page.keyboard.type("seats")
    page.keyboard.press("Enter")
    expect(page.locator("#moment .answer p")).to_have_text(["Anna.", "Ben."])
    expect(moment).to_have_text("Step 4 of 4, all cards face up")
    page.keyboard.type("1")
    page.keyboard.press("Enter")
    expect(moment).to_have_text("Step 1 of 4, all cards face up")
    assert page.evaluate("document.activeElement.id") == "words"
    assert page.locator("#words").input_value() == ""
    assert page.url.endswith("?view=open&at=1"), "every moment has its link"
    page.go_back()
    expect(moment).to_have_text("Step 4 of 4, all cards face up")
    page.locator("#view").select_option("2")
    page.locator("#view").press("Tab")
    page.keyboard.press("Enter")
    expect(moment).to_contain_text("as Ben")
    page.locator("#moment-title").focus()
    page.keyboard.press("?")
    assert page.evaluate("document.activeElement.parentElement.id") == "keys"
    page.keyboard.press("Enter")
    assert_accessible_parts(page)


def test_a_lesson_by_keyboard(visit: Visit) -> None:
    page = listen(visit, "/games/mace/learn/text?made=", viewport=LOOKS[1][1])
    announced(page)
    title = page.locator("#step-title")
    say(page, "hand")
    expect(page.locator("#step .answer")).to_contain_text("Your hand: 4 of clubs")
    assert any("Your hand: 4 of clubs" in line for line in announced(page))
    say(page, "charge 4C")
    expect(page.locator("#step .problem")).not_to_be_empty()
    assert page.locator("#words").input_value() == "charge 4C"
    page.keyboard.type("boost 10D")
    page.keyboard.press("Enter")
    expect(title).to_have_text("Step 2 of 14")
    assert "Look at: hex 2,0, 2 hexes right, within Reach of Coach." in " ".join(announced(page))
    assert page.evaluate("document.activeElement.id") == "words", "typing continues in the field"
    page.get_by_text("Back one step").focus()
    page.keyboard.press("Enter")
    expect(title).to_have_text("Step 1 of 14")
    page.locator("#question button").first.focus()
    page.keyboard.press("Enter")
    expect(title).to_have_text("Step 2 of 14")
    assert page.evaluate("document.activeElement.id") == "step-title", "the focus is not lost"
    page.reload()
    expect(title).to_have_text("Step 2 of 14")
    assert_accessible_parts(page)
