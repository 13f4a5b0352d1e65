"""Take the pictures of tables, tutorial, studio and lab report for the README and the docs, in Chromium.

    make pictures

Matches follow the hints of the page against bots for a fixed number of clicks.
Pictures of printed sheets aren't taken here.
"""

import random
import shutil
import subprocess
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from benchmarks.pace import BOT, CHROMIUM, CLICK, OFFERED, page_of, serving
from sparring.engine.game import game

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
#: The sizes of the pictures of a table, and of a page next to a paragraph of the README.
TABLE, PAGE = (720, 450), (640, 400)
#: The window of the pictures.
WINDOW: ViewportSize = {"width": 1280, "height": 800}
#: The width of the picture of all games, and the space between its parts.
WIDTH, GAP = 1280, 6
HINT = "#table .scene [data-hinted]"


class Shown(NamedTuple):
    """A match: its game, its number of seats, and the number of clicks before the picture."""

    game: str
    seats: int
    clicks: int


#: In the order of the picture of all games, whose first row has two.
MATCHES = (
    Shown("make-your-moves", 3, 6), Shown("world-of-fighters", 2, 9), Shown("mace", 2, 8),
    Shown("untitled-movement", 2, 10), Shown("five-circles", 2, 6),
)  # fmt: skip


def table_picture(browser: Browser, url: str, cookie: str, shown: Shown) -> Image.Image:
    """Play a match for some clicks, and return a picture of the table."""
    with page_of(browser, url, cookie, "at once") as page:
        page.set_viewport_size(WINDOW)
        played = game(shown.game)
        body: dict[str, Any] = {"game": shown.game, "preset": played.recommended}
        table = page.request.post("/api/tables", data={**body, "seats": ["me", *[BOT] * (shown.seats - 1)]}).json()
        page.goto(f"/table/{table['table']}")
        page.wait_for_selector(".scene:not(.telling) .ask.mine, .scene.over", timeout=120_000)
        dice, conceding = random.Random(1), {str(action) for action in played.conceding}
        for _ in range(shown.clicks):
            hints = page.eval_on_selector_all(HINT, "all => all.map((each) => each.value).filter(Boolean)")
            offered = page.eval_on_selector_all(OFFERED, "all => all.map((each) => each.value)")
            choices = [choice for choice in hints if choice in offered] or sorted(set(offered) - conceding)
            if not choices or page.evaluate(CLICK, [dice.choice(choices), 60_000])["over"]:
                break
            page.wait_for_timeout(2000)  # for the hint; a press right after an animation was meant to skip it
        return picture(page)


def picture(page: Page) -> Image.Image:
    """Return a picture of the window, when all images are drawn."""
    page.mouse.move(0, 0)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1500)
    return Image.open(BytesIO(page.screenshot())).convert("RGB")


def all_games(pictures: list[Image.Image]) -> Image.Image:
    """Return one picture of five tables: two above three."""
    rows = []
    for row in (pictures[:2], pictures[2:]):
        width = (WIDTH - GAP * (len(row) - 1)) // len(row)
        rows.append([each.resize((width, width * each.height // each.width)) for each in row])
    whole = Image.new("RGB", (WIDTH, sum(row[0].height for row in rows) + GAP), "white")
    top = 0
    for row in rows:
        for place, each in enumerate(row):
            whole.paste(each, (place * (each.width + GAP), top))
        top += row[0].height + GAP
    return whole


def save(image: Image.Image, name: str, size: tuple[int, int] | None = None) -> None:
    """Save a picture, with few colours, because it is stored in the repository."""
    image = image.resize(size) if size else image
    image.quantize(256, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)
    print(FOLDER / f"{name}.png", flush=True)


def main() -> None:
    """Take all pictures."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    with serving() as (url, cookie), sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=program)
        tables = [table_picture(browser, url, cookie, shown) for shown in MATCHES]
        for shown, image in zip(MATCHES, tables, strict=True):
            save(image, shown.game, TABLE)
        save(all_games(tables), "games")
        with page_of(browser, url, cookie, "at once") as page:
            page.set_viewport_size(WINDOW)
            page.goto("/games/make-your-moves/learn")
            page.locator(".scene").wait_for()
            save(picture(page), "tutorial", PAGE)
            page.goto("/studio?game=five-circles")
            page.get_by_role("button", name="Create set").click()
            page.locator("#editor details > summary").first.click()
            page.wait_for_timeout(10_000)  # for the win rates of the card
            save(picture(page), "studio", PAGE)
            lab = [sys.executable, "-m", "sparring", "lab", "world-of-fighters", "--ask", "fair", "--to", folder]
            subprocess.run(lab, check=True, stdout=subprocess.DEVNULL)
            page.goto(next(Path(folder).glob("*.html")).as_uri())
            save(picture(page), "lab", PAGE)
        browser.close()


if __name__ == "__main__":
    main()
