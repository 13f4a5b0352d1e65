"""Spaces of a board that are smaller than a fingertip: a tap beside one that can be chosen counts."""

from typing import Any

import pytest
from playwright.sync_api import Page

from web.browser.pages import LAPTOP, PHONE, REPLACE, Open, lay
from web.browser.scenes import asked, at, drawn

pytestmark = pytest.mark.browser

#: Beside a space that can be chosen, return points on neighbours that can't be: near it, and in their middle.
BESIDE = """() => {
    const middle = each => { const {left, top, width, height} = each.getBoundingClientRect();
        return [left + width / 2, top + height / 2, width]; };
    const free = (x, y) => { const at = document.elementFromPoint(x, y);
        return at?.closest(".cell") && !at.closest("button") && !at.closest(".token"); };
    for (const button of document.querySelectorAll(".cell.can button")) {
        const [x, y, width] = middle(button);
        for (const way of [-1, 1]) {
            const near = [x + way * (width / 2 + 3), y], far = [x + way * width, y];
            const others = [...document.querySelectorAll(".board button")].filter(each => each !== button)
                .map(middle).map(([left, top]) => Math.hypot(left - near[0], top - near[1]));
            if (free(...near) && free(...far) && Math.min(...others) > 24) return {value: button.value, near, far};
        }
    }
}"""
#: Collect the choices that the page sends.
CHOSEN = """() => { window.chosen = []; document.addEventListener("click", event => {
    const button = event.target.closest("button[name=choice]");
    if (button) { window.chosen.push(button.value); event.preventDefault(); event.stopImmediatePropagation(); }
}, true); }"""


def spaces(page: Page) -> dict[str, Any]:
    position = {"game": "mace", "seats": 2, "phase": "move", "player": 1, "steps": 2, "fighters": ["0,0", "5,0"]}
    lay(page, at(position))
    page.evaluate(CHOSEN)
    found = page.evaluate(BESIDE)
    assert found
    return dict(found)


def test_a_tap_beside_a_small_space_chooses_it(open_page: Open) -> None:
    page = open_page("mace", PHONE, has_touch=True)
    found = spaces(page)
    page.touchscreen.tap(*found["far"])
    assert page.evaluate("chosen") == []
    page.touchscreen.tap(*found["near"])
    assert page.evaluate("chosen") == [found["value"]]
    assert not page.locator(".peek").is_visible(), "no explanation of the space beside it"


def test_a_mouse_chooses_only_what_it_points_at(open_page: Open) -> None:
    page, errors = open_page("mace", PHONE), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    found = spaces(page)
    page.mouse.click(*found["near"])
    assert page.evaluate("chosen") == []
    assert errors == []


def test_a_tap_away_from_the_board_chooses_nothing(open_page: Open) -> None:
    page = open_page("mace", PHONE, has_touch=True)
    lay(page, drawn(asked("mace", 2).view(1).scene))
    page.evaluate(CHOSEN)
    page.locator(".ask .sentence").tap()
    assert page.evaluate("chosen") == []


@pytest.mark.parametrize("replace", ["lay", "update"])
def test_a_press_counts_although_its_button_is_replaced_before_it_is_released(open_page: Open, replace: str) -> None:
    """At a fast pace, scenes follow each other while a button is held down."""
    page, view = open_page("make-your-moves", LAPTOP), asked("make-your-moves", 2).view(1)
    lay(page, drawn(view.scene))
    page.evaluate(CHOSEN)
    button = page.locator("button[name=choice]:visible").first
    value, box = button.get_attribute("value"), button.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    if replace == "lay":
        lay(page, drawn(view.scene))
    else:
        page.evaluate(REPLACE, drawn(view.scene, animated=["Cleo moves."]))
    page.mouse.up()
    assert page.evaluate("chosen") == [value]


def test_a_press_on_what_is_not_offered_any_more_chooses_nothing(open_page: Open) -> None:
    page, view = open_page("make-your-moves", LAPTOP), asked("make-your-moves", 2).view(1)
    lay(page, drawn(view.scene))
    page.evaluate(CHOSEN)
    page.locator("button[name=choice]:visible").first.hover()
    page.mouse.down()
    lay(page, drawn(view.past.scene))
    page.mouse.up()
    assert page.evaluate("chosen") == []
