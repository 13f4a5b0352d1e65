"""Measure how much of the window the play area and the hand fill, in matches in Chromium.

    python -m benchmarks.fill --games mace --seats 2 4

A player in a headless browser chooses at random against bots, without animations. After every few clicks the page is
measured at each size: the share of the window inside the boxes of the table (*table*: boards, rows and piles) and of
the question and hand (*hand*), the side of the smallest thing to click, and the narrowest card in the middle of the
table. Bar, players and the side panel don't count. The table has the medians of the shares and the least sizes.
"""

import argparse
import random
import shutil
import statistics
from typing import Any, NamedTuple

from playwright.sync_api import Page, ViewportSize, sync_playwright

from benchmarks.pace import BOT, CHROMIUM, CLICK, page_of, serving
from sparring import games
from sparring.engine.game import game

SIZES: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 720}, {"width": 1920, "height": 1080}, {"width": 768, "height": 1024},
    {"width": 390, "height": 844}, {"width": 844, "height": 390},
)  # fmt: skip
#: The number of clicks in a match, and the number of clicks between measurements.
CLICKS, EVERY = 20, 4

#: Count the points of a grid in the boxes of the table and of the question and hand, and find the smallest things.
MEASURE = """() => {
    const boxes = names => [...document.querySelectorAll(names)].map(each => each.getBoundingClientRect());
    const holds = (x, y) => box => box.left <= x && x < box.right && box.top <= y && y < box.bottom;
    const table = boxes(".scene > .side"), hand = boxes(".scene > :is(.ask, .held)"), step = 4;
    let points = 0, onTable = 0, inHand = 0;
    for (let x = step / 2; x < innerWidth; x += step) for (let y = step / 2; y < innerHeight; y += step) {
        points++;
        if (table.some(holds(x, y))) onTable++;
        else if (hand.some(holds(x, y))) inHand++;
    }
    const sides = boxes(".scene :is(button[name=choice], .buttons :is(button, a))")
        .filter(({width}) => width).map(({width, height}) => Math.min(width, height));
    const cards = boxes(".middle .place > .card, .middle > .group p.empty, .middle .slot").filter(({width}) => width);
    return {table: onTable / points, hand: inHand / points, target: Math.min(...sides),
        card: Math.min(...cards.map(({width}) => width))};
}"""


class Fill(NamedTuple):
    """Shares of the window, and the least sizes in pixels; infinite where nothing was there."""

    table: float
    hand: float
    target: float
    card: float


def fills_of_match(page: Page, name: str, seats: int, seed: int) -> list[list[Fill]]:
    """Play a match at random for some clicks; return the measurements by size."""
    body: dict[str, Any] = {"game": name, "seats": ["me", *[BOT] * (seats - 1)]}
    page.goto(f"/table/{page.request.post('/api/tables', data=body).json()['table']}")
    page.wait_for_selector(".scene:not(.telling) .ask.mine, .scene.over", timeout=120_000)
    dice, fills = random.Random(seed), [list[Fill]() for _ in SIZES]
    conceding = {str(action) for action in game(name).conceding}
    for click in range(CLICKS):
        if click % EVERY == 0:
            for size, found in zip(SIZES, fills, strict=True):
                page.set_viewport_size(size)
                found.append(Fill(**page.evaluate(MEASURE)))
        offered = page.eval_on_selector_all("#table button[name=choice]", "all => all.map((each) => each.value)")
        offered = sorted(set(offered) - conceding)
        if not offered or page.evaluate(CLICK, [dice.choice(offered), 60_000])["over"]:
            break
        page.wait_for_timeout(400)  # a press right after an animation was meant to skip it
    return fills


def report(name: str, seats: int, size: ViewportSize, fills: list[Fill]) -> str:
    """Return a row of the table in the docs."""
    table, hand = (
        100 * statistics.median(each) for each in ([fill.table for fill in fills], [fill.hand for fill in fills])
    )
    target, card = min(fill.target for fill in fills), min(fill.card for fill in fills)
    cards = f"{card:.0f}" if card < 10_000 else ""
    cells = (game(name).title, seats, f"{size['width']}x{size['height']}", f"{table:.0f}", f"{hand:.0f}",
             f"{table + hand:.0f}", f"{target:.0f}", cards)  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


HEADER = """\
| Game | Seats | Window | Table, % | Question and hand, % | Together, % | Smallest target, px | Narrowest card, px |
|---|---:|---|---:|---:|---:|---:|---:|"""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fill", description="Measure how full the window is.")
    parser.add_argument("--games", nargs="+", default=list(games()), help="games (default: all)")
    parser.add_argument("--seats", nargs="+", type=int, default=[], help="numbers of seats (default: all of each game)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the choices (default: 1)")
    asked = parser.parse_args()
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    print(HEADER, flush=True)
    with serving() as (url, cookie), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        for name in asked.games:
            for seats in game(name).seats:
                if asked.seats and seats not in asked.seats:
                    continue
                with page_of(browser, url, cookie, "at once") as page:
                    fills = fills_of_match(page, name, seats, asked.seed)
                for size, found in zip(SIZES, fills, strict=True):
                    print(report(name, seats, size, found), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
