"""A board larger than its frame scrolls to legal choices, or to what has just moved."""

import random

import pytest
from playwright.sync_api import ViewportSize

from web.app_server import AppServer
from web.browser.visits import Visit

pytestmark = pytest.mark.browser

NAMES = ("Anna", "Ben", "Cleo", "Dan")
UPRIGHT: ViewportSize = {"width": 360, "height": 640}
SIDEWAYS: ViewportSize = {"width": 640, "height": 360}

# Parts of the board that are out of view, although all of them would fit together.
UNSEEN = """wanted => {
    const board = document.querySelector(".board"), room = board.getBoundingClientRect();
    const things = [...board.querySelectorAll(wanted)];
    const boxes = things.map(each => each.getBoundingClientRect());
    const span = (low, high) => Math.max(...boxes.map(box => box[high])) - Math.min(...boxes.map(box => box[low]));
    const across = boxes.length && span("left", "right") <= room.width;
    const down = boxes.length && span("top", "bottom") <= room.height;
    return things.filter((_, n) =>
        across && (boxes[n].left < room.left - 1 || boxes[n].right > room.right + 1)
        || down && (boxes[n].top < room.top - 1 || boxes[n].bottom > room.bottom + 1)).map(each => each.outerHTML);
}"""
PLACES = """() => [...document.querySelectorAll(".token")]
    .map(each => [each.dataset.key, each.getAttribute("transform")])"""
HIDDEN = """() => {
    const board = document.querySelector(".board");
    return board.scrollHeight - board.clientHeight + board.scrollWidth - board.clientWidth;
}"""


def test_the_board_scrolls_to_events(visit: Visit, server: AppServer) -> None:
    """A phone is too small for a board of four seats."""
    table, dice = server.table(*NAMES, name="untitled-movement"), random.Random(1)
    people = [server.person(name) for name in NAMES]
    page = visit(f"/table/{table}", "Anna", viewport=UPRIGHT)
    assert page.evaluate(HIDDEN) > 0
    chosen = moved = 0
    for _ in range(24):
        assert page.evaluate(UNSEEN, ".can") == []
        if page.locator(".board .can").count():
            chosen += 1
            for size in (SIDEWAYS, UPRIGHT):
                page.set_viewport_size(size)
                page.evaluate("new Promise(requestAnimationFrame)")
                assert page.evaluate(UNSEEN, ".can") == [], "the phone was turned"
        places = dict(page.evaluate(PLACES))
        asked = next(each for each in people if each.look(table)["is_turn"])
        asked.choose(table, dice.choice(asked.look(table)["choices"])["choice"])
        version = people[0].version(table)
        page.wait_for_function("version => document.querySelector('.scene').dataset.version == version", arg=version)
        fresh = [key for key, place in page.evaluate(PLACES) if places.get(key) != place]
        if fresh and not page.locator(".board .can").count():
            moved += 1
            assert page.evaluate(UNSEEN, ", ".join(f"[data-key='{key}']" for key in fresh)) == []
    assert chosen > 2
    assert moved > 2
