"""Chat on the page: it doesn't move the table, works by mouse, keyboard and screen reader, and is only ever text."""

import contextlib

import pytest
from playwright.sync_api import Page, expect

from web.app_server import AppServer, Client
from web.browser_helpers import check
from web.chat.chat_helpers import GAME, act, choose_once, create_table, describable_moves, say
from web.table_pages import OpenTable

pytestmark = pytest.mark.browser
HOSTILE = "<img src=x onerror=\"document.title='taken'\"> & <b>bold</b>"
PHONE = {"width": 390, "height": 844}


def places(page: Page) -> list[dict[str, float]]:
    """Return the positions of board, prompt and events."""
    found: list[dict[str, float]] = page.evaluate(
        """() => [".side.middle", ".ask", ".beside"].map((each) => {
             const { x, y, width, height } = document.querySelector(each).getBoundingClientRect();
             return { x, y, width, height }; })"""
    )
    return found


def test_a_new_message_is_shown_briefly_and_moves_nothing(server: AppServer, open_table: OpenTable) -> None:
    table = create_table(server, "Anna", "Ben", name=GAME)
    page, ben = open_table("Anna", table), server.person("Ben")
    expect(page.locator("#people")).to_contain_text("Ben is away")
    before = places(page)
    say(ben, table, HOSTILE)
    overheard = page.locator("#overheard")
    expect(overheard).to_have_text(f"Ben: {HOSTILE}")
    expect(overheard).to_have_attribute("role", "status")
    expect(page.get_by_role("button", name="Chat (1)")).to_be_visible()
    assert places(page) == before
    page.get_by_role("button", name="Chat (1)").click()
    expect(page.get_by_role("list", name="Chat")).to_have_text(f"Ben: {HOSTILE}…Mute BenReport message")
    expect(overheard).to_be_empty()
    expect(page.get_by_role("button", name="Chat", exact=True)).to_be_visible()
    check(page)
    page.get_by_role("button", name="Well played").click()
    expect(page.locator("#chat li.mine")).to_have_text("Anna: Well played")
    page.get_by_label("Actions for Ben's message").click()
    page.get_by_role("button", name="Report message").click()
    expect(page.locator("#chat")).to_contain_text("Reported. Thank you!")
    page.get_by_role("button", name="Mute Ben").click()
    expect(page.locator("#chat")).to_have_text("Anna: Well played")
    say(ben, table, "Can you hear me")
    page.get_by_role("button", name="Unmute Ben").click()
    expect(page.locator("#chat")).to_contain_text("Can you hear me")
    assert page.evaluate("document.title").endswith("Make Your Moves Lite · Sparring")
    assert len(server.run(server.tables.chat.store.reports())) == 1


def test_shortcuts_are_off_while_writing(server: AppServer, anna: Client, ben: Client, open_table: OpenTable) -> None:
    """Meanwhile the table's keyboard shortcuts are off, and Enter sends only the text."""
    table = create_table(server, "Anna", "Ben", name=GAME)
    page = open_table("Anna", table, pace="calm", viewport=PHONE)
    page.locator("#chat-button").focus()
    page.keyboard.press("Enter")
    field = page.get_by_label("Message")
    field.focus()
    choose_once(table, anna, ben)
    page.keyboard.type("Why? Not / so  fast 1")
    expect(page.locator("#keys-panel")).to_be_hidden()
    expect(field).to_have_value("Why? Not / so  fast 1")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(field).to_be_focused()
    version = page.locator(".scene").get_attribute("data-version")
    page.keyboard.press("Enter")
    expect(page.locator("#chat")).to_have_text("Anna: Why? Not / so fast 1")
    expect(field).to_have_value("")
    assert page.locator(".scene").get_attribute("data-version") == version
    check(page)
    page.keyboard.press("Escape")
    expect(page.locator("#chat-panel")).to_be_hidden()
    expect(page.get_by_role("button", name="Chat")).to_be_focused()


def test_a_move_is_described_beside_the_play_and_applauded(server: AppServer, open_table: OpenTable) -> None:
    table = create_table(server, "Anna", "Ben", name=GAME, seed=2)
    anna, ben = server.person("Anna"), server.person("Ben")
    while not describable_moves(ben, table):
        choose_once(table, anna, ben)
    page = open_table("Ben", table, pace="calm")
    chat, rules = (page.get_by_role("button", name=each, exact=True) for each in ("Chat", "Rules"))
    frame = "button => getComputedStyle(button).border + getComputedStyle(button).boxShadow"
    assert chat.evaluate(frame) == rules.evaluate(frame), "no message is unread"
    before = places(page)
    page.get_by_role("button", name="Describe your move").click()
    page.keyboard.type("Like a piano")
    assert places(page) == before
    check(page)
    choose_once(table, anna, ben)  # another card of the attack: the draft stays, with the focus
    [move] = describable_moves(ben, table)
    expect(page.get_by_label(f"Describe your move: {move}")).to_be_focused()
    page.get_by_role("button", name="End your attack").click()  # the draft is sent with it
    ring = page.locator(".scene > .described")
    expect(ring).to_contain_text("Like a piano")
    expect(page.locator("#describe-panel")).to_be_hidden()
    expect(page.get_by_role("button", name="Describe your move")).to_have_count(0)
    while not describable_moves(anna, table):
        choose_once(table, anna, ben)
    act(anna, table, "caption", text="I duck").raise_for_status()
    while server.held(table).exchanges.number == 0:
        choose_once(table, anna, ben)
    exchange = page.locator(".exchange")
    expect(exchange).to_contain_text(f"Ben, {move}: Like a piano")
    expect(page.get_by_role("button", name="Done discarding")).to_be_visible()  # a click before it skips the beats
    applaud = exchange.get_by_role("button", name="Applaud")
    applaud.click()
    with contextlib.suppress(AssertionError):
        expect(exchange).to_contain_text("1 applauded", timeout=2000)
    if "1 applauded" not in exchange.inner_text():  # a click just after the beats is taken for one that skips them
        applaud.click()
    expect(exchange).to_contain_text("1 applauded")
    check(page)
    page.goto(f"/table/{table}/replay")
    expect(page.locator(".exchange")).to_contain_text("Like a piano")


def test_a_description_is_composed_on_a_phone(server: AppServer, open_table: OpenTable) -> None:
    table = create_table(server, "Anna", "Ben", name=GAME, seed=2, chat="nothing")
    anna, ben = server.person("Anna"), server.person("Ben")
    while server.held(table).match.phase != "respond":
        choose_once(table, anna, ben)
    page = open_table("Ben", table, pace="calm", viewport=PHONE)
    before = places(page)
    page.get_by_role("button", name="Describe your move").click()
    for number, word in enumerate(("Popcorn", "right between the eyes")):
        page.locator("#describe select").nth(number).select_option(word)
    check(page)
    page.get_by_role("button", name="Post").click()
    expect(page.locator(".scene > .described")).to_have_text("Ben: Popcorn right between the eyes", use_inner_text=True)
    assert places(page) == before
