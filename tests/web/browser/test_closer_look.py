"""The closer look appears on request and covers nothing needed for a choice."""

from itertools import cycle
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sparring import games
from sparring.engine.game import game
from sparring.engine.match import Match
from web.app_server import AppServer
from web.browser.pages import LAPTOP, PHONE, SIDEWAYS, Open, lay
from web.browser.scenes import LONG_NAMES, NAMES, after_choices, drawn
from web.browser.visits import Visit
from web.browser_helpers import rest

pytestmark = pytest.mark.browser

#: More than the delay of the closer look, in milliseconds.
LONG = 1000
#: Numbers of choices after which tables are checked.
CHOICES = (4, 14)
LOOKED_AT = (".held .place", ".seat", ".track", ".pile", ".token", ".cell", ".ask button", ".choices button")

THINGS = """selectors => selectors.flatMap(selector => {
    const seen = [...document.querySelectorAll(".scene " + selector)].filter(each => {
        const {left, top, width, height} = each.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        return each.contains(document.elementFromPoint(x, y));
    });
    return [...new Set([seen[0], seen.at(-1)])].filter(Boolean).map(each => {
        const {left, top, width, height} = each.getBoundingClientRect();
        return [left + width / 2, top + height / 2];
    });
})"""

# What the closer look covers although it must not; null if there is nothing more to say.
COVERED = """([x, y]) => {
    const bubble = document.querySelector(".peek");
    if (bubble.hidden) return null;
    const box = element => element.getBoundingClientRect();
    const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
    const inside = ({left, top, right, bottom}) =>
        left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const lookedAt = document.elementFromPoint(x, y).closest(".place, .stack, .track, .token, .cell, button");
    const choices = [...document.querySelectorAll(".scene button[name=choice]")]
        .filter(each => !each.closest(".board"));
    return [...document.querySelectorAll(".board, .ask"), ...choices, lookedAt].filter(Boolean)
        .filter(each => meet(box(each), box(bubble))).map(each => each.outerHTML.slice(0, 200))
        .concat(inside(box(bubble)) ? [] : ["the edge of the window"]);
}"""


def is_shown(page: Page) -> Any:
    """Return whether the closer look appears, once nothing under the pointer moves."""
    rest(page)
    page.clock.run_for(LONG)
    return page.evaluate("() => !document.querySelector('.peek').hidden")


@pytest.mark.parametrize("name", list(games()))
def test_hovering_covers_nothing_needed(open_page: Open, name: str) -> None:
    page, shown = open_page(name, LAPTOP), 0
    page.clock.install()
    for choices in CHOICES:
        lay(page, after_choices(name, choices))
        for at in page.evaluate(THINGS, LOOKED_AT):
            page.mouse.move(*at)
            shown += is_shown(page)
            assert not page.evaluate(COVERED, at), (choices, at)
    assert shown > 3


@pytest.mark.parametrize("name", list(games()))
def test_a_long_press_covers_nothing_needed(open_page: Open, name: str) -> None:
    page, shown = open_page(name, PHONE, has_touch=True), 0
    page.clock.install()
    touch = page.context.new_cdp_session(page)
    for choices in CHOICES:
        lay(page, after_choices(name, choices))
        for x, y in page.evaluate(THINGS, LOOKED_AT):
            touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
            shown += is_shown(page)
            assert not page.evaluate(COVERED, [x, y]), (choices, x, y)
            touch.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
    assert shown > 3


def test_a_tap_on_a_seat_shows_truncated_text(open_page: Open) -> None:
    match = Match.deal(game("make-your-moves").setup(), 6, 1)
    page = open_page("make-your-moves", PHONE, has_touch=True)
    long, short = "A name of forty letters, as is the most.", "Max"  # one is too long in any font, one fits in all
    lay(page, drawn(match.view(1).scene, names=(NAMES[0], long, short, *NAMES[3:])))
    peek, seat = page.locator(".peek"), page.locator(".seat.s2")
    cut = "seat => (name => name.scrollWidth > name.clientWidth)(seat.querySelector('.name'))"
    assert seat.evaluate(cut)
    assert not page.locator(".seat.s3").evaluate(cut)
    seat.tap()
    expect(peek).to_contain_text(long)
    page.locator(".sentence").tap()
    expect(peek).to_be_hidden()


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS])
def test_the_number_in_place_of_a_name_is_explained(open_page: Open, size: tuple[int, int]) -> None:
    page = open_page("mace", size, has_touch=True)
    lay(page, drawn(Match.deal(game("mace").setup(), 4, 1).view(1).scene, names=LONG_NAMES))
    numbers = page.locator(".right .who")
    boxes = [numbers.nth(seat).bounding_box() for seat in range(4)]
    assert all(box and 14 < box["width"] < 22 and 14 < box["height"] < 22 for box in boxes)
    assert [numbers.nth(seat).evaluate("who => getComputedStyle(who, '::before').content") for seat in range(4)] == [
        f'"{seat}"' for seat in range(1, 5)
    ]
    numbers.nth(2).tap()
    expect(page.locator(".peek")).to_contain_text("Maximiliane")


@pytest.mark.parametrize(("name", "size"), list(zip(games(), cycle([LAPTOP, PHONE]), strict=False)))
def test_keyboard_focus_covers_nothing_needed(open_page: Open, name: str, size: tuple[int, int]) -> None:
    page, shown = open_page(name, size), 0
    page.clock.install()
    lay(page, after_choices(name, CHOICES[-1]))
    page.locator("#main").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        shown += is_shown(page)
        at = page.evaluate(
            """() => {
                const {left, top, width, height} = document.activeElement.getBoundingClientRect();
                return [left + width / 2, top + height / 2];
            }"""
        )
        assert not page.evaluate(COVERED, at), at
    assert shown


def test_a_resting_pointer_does_not_trigger_moving_elements(visit: Visit, server: AppServer) -> None:
    table, anna = server.table("Anna", "Ben", name="make-your-moves"), server.person("Anna")
    page = visit(f"/table/{table}", "Anna")
    page.clock.install()
    peek = page.locator(".peek")
    page.locator(".pile").first.hover()
    page.clock.run_for(LONG)
    expect(peek).to_be_visible()
    version = anna.version(table)
    asked = next(each for each in (anna, server.person("Ben")) if each.look(table)["choices"])
    asked.choose(table, asked.look(table)["choices"][0]["choice"])
    expect(page.locator(f"form.scene:not([data-version='{version}'])")).to_be_visible()
    assert not is_shown(page)
    box = page.locator(".pile").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2 + 2, box["y"] + box["height"] / 2)
    assert is_shown(page)
