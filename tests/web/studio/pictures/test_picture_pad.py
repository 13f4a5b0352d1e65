"""The picture pad in a real browser: mouse, pen and keys; the same drawing in the editor and on cards; nothing runs."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from sample_images import image_file, photo
from sparring.engine.formats.card_pictures import FillStroke, PenStroke, ShapeStroke, Sketch, read_picture
from sparring.engine.formats.toml import read_toml, write_toml
from sparring.engine.game import game
from sparring.scene.pictures import SHAPES, generate_picture, stroke_svg
from web.app_server import AppServer
from web.browser_helpers import LOOK_RULES, assert_accessible
from web.studio.set_pages import EVIL, PHONE, Visit, saved

pytestmark = pytest.mark.browser


def open_pad(page: Page, which: int = 0) -> Locator:
    thing = page.locator("#editor details.thing").nth(which)
    if thing.get_attribute("open") is None:
        thing.locator("summary").click()
    thing.get_by_role("button", name=re.compile("the p(icture|ortrait)$")).click()
    expect(page.locator("#pad")).to_be_visible()
    return page.locator("#pad")


def drag(page: Page, *places: tuple[float, float]) -> None:
    """Draw with the mouse through points of the sheet, whose side is 1."""
    box = page.locator("#pad-sheet").bounding_box()
    assert box
    spots = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in places]
    page.mouse.move(*spots[0])
    page.mouse.down()
    for spot in spots[1:]:
        page.mouse.move(*spot)
    page.mouse.up()


def stored_picture(page: Page) -> Sketch:
    """Return the stored picture of the first card."""
    expect(page.locator("#pad-saved")).to_have_text("Saved")
    text = page.request.get(f"{page.url}/file").text()
    picture = read_picture(read_toml(text, "it")["cards"][0]["picture"])
    assert isinstance(picture, Sketch)
    return picture


def test_a_picture_drawn_by_mouse_appears_on_the_card(visit: Visit) -> None:
    page = visit()
    pad = open_pad(page)
    pad.get_by_text("red", exact=True).click()
    drag(page, (0.1, 0.1), (0.5, 0.1), (0.5, 0.5))
    pad.get_by_text("Fill", exact=True).click()
    pad.get_by_text("blue", exact=True).click()
    drag(page, (0.2, 0.6), (0.8, 0.6), (0.5, 0.9), (0.2, 0.6))
    line, area = stored_picture(page).strokes
    assert isinstance(line, PenStroke)
    assert isinstance(area, FillStroke)
    assert (line.ink, area.ink, line.pressures) == (2, 4, [])
    assert sum(abs(at - wanted) for at, wanted in zip(line.path, (100, 100, 400, 0, 0, 400), strict=True)) < 12
    expect(page.locator("#pad-card image")).to_have_count(1)
    expect(page.locator("#pad-used")).to_contain_text("of 30 kB used, 2 of 400 strokes.")
    pad.get_by_role("button", name="Undo").click()
    assert len(stored_picture(page).strokes) == 1
    page.keyboard.press("Control+Shift+z")
    assert len(stored_picture(page).strokes) == 2
    pad.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Change the picture").first).to_be_focused()
    page.reload()
    again = open_pad(page)
    expect(again.locator("#pad-parts li")).to_have_text(["red line", "blue area"])
    again.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#preview image")).to_have_count(0)


@pytest.mark.parametrize(
    ("name", "first"),
    [("five-circles", "ink red blue green paper"), ("world-of-fighters", "ink skin brown red blue green yellow paper")],
)
def test_the_inks_of_the_game_come_first(visit: Visit, name: str, first: str) -> None:
    pad = open_pad(visit(name))
    words = pad.locator(".pad-inks label").all_inner_texts()
    assert [word.strip() for word in words][: len(first.split())] == first.split()
    assert len({*words}) == 12
    expect(pad.get_by_label("ink", exact=True)).to_be_checked()


def test_the_fill_tool_fills_an_area(visit: Visit) -> None:
    page = visit()
    pad = open_pad(page)
    pad.get_by_role("button", name="Place a circle").click()
    pad.get_by_text("Fill", exact=True).click()
    pad.get_by_text("green", exact=True).click()
    drag(page, (0.5, 0.5))
    pad.get_by_text("yellow", exact=True).click()
    drag(page, (0.05, 0.05))
    assert [(stroke.ink, getattr(stroke, "shape", None)) for stroke in stored_picture(page).strokes] == [(5, 3), (3, 0)]


def test_pen_pressure_widens_lines_and_fingers_draw_too(visit: Visit) -> None:
    page = visit()
    open_pad(page)
    page.evaluate(
        """for (const [type, pressures] of [["pen", [0.2, 0.2, 0.9, 0.9]], ["touch", [1, 1, 1, 1]]]) {
          const sheet = document.getElementById("pad-sheet"), box = sheet.getBoundingClientRect();
          sheet.setPointerCapture = () => {};
          const tell = (what, n) => sheet.dispatchEvent(new PointerEvent(what, {
            bubbles: true, pointerId: 7, pointerType: type, pressure: pressures[n],
            clientX: box.left + (n + 1) * box.width / 6, clientY: box.top + (n % 2 + 1) * box.height / 5,
          }));
          tell("pointerdown", 0);
          for (const n of [1, 2, 3]) tell("pointermove", n);
          tell("pointerup", 3);
        }"""
    )
    pen, finger = stored_picture(page).strokes
    assert isinstance(pen, PenStroke)
    assert isinstance(finger, PenStroke)
    assert (pen.pressures, finger.pressures) == ([2, 2, 8, 8], [])


def test_a_picture_is_composed_by_keyboard(visit: Visit) -> None:
    page = visit()
    page.locator("#editor summary").first.press("Enter")
    page.get_by_role("button", name="Draw the picture").first.press("Enter")
    page.locator("[name=pad-ink][value='0']").press("ArrowRight")
    page.get_by_role("button", name="Place a star").press("Enter")
    said = page.locator("#pad-said")
    expect(said).to_have_text("red star placed in the centre; arrow keys move it.")
    for key in ("ArrowLeft", "Shift+ArrowUp", "+", "+", "-", ".", ".", ",", "m"):
        page.keyboard.press(key)
    expect(said).to_have_text("red star: x 490, y 450, size 420, rotation 15")
    assert stored_picture(page).strokes == [ShapeStroke(2, 11, 490, 450, 420, 15, 1)]
    page.get_by_role("button", name="Place a moon").press("Enter")
    page.keyboard.press("PageDown")
    expect(said).to_have_text("red moon is now part 1 of 2")
    expect(page.locator("#pad-parts li")).to_have_text(["red moon", "red star"])
    page.get_by_label("Size").fill("200")
    page.get_by_label("Size").press("Tab")
    expect(said).to_have_text("red moon: x 500, y 500, size 200, rotation 0")
    page.locator("#pad-parts button").first.press("Delete")
    expect(said).to_have_text("red moon removed")
    expect(page.locator("#pad-parts button")).to_be_focused()
    assert stored_picture(page).strokes == [ShapeStroke(2, 11, 490, 450, 420, 15, 1)]
    page.keyboard.press("Escape")
    expect(page.locator("#pad")).to_be_hidden()


def test_a_shape_is_moved_and_turned_with_the_mouse(visit: Visit) -> None:
    page = visit()
    open_pad(page).get_by_role("button", name="Place a square").click()
    drag(page, (0.5, 0.5), (0.6, 0.55), (0.7, 0.6))
    drag(page, (0.9, 0.8), (0.8, 0.7))
    (shape,) = stored_picture(page).strokes
    assert isinstance(shape, ShapeStroke)
    assert abs(shape.x - 700) + abs(shape.y - 600) < 6
    assert abs(shape.size - 200) < 8
    assert shape.turn == 0


def test_an_oversized_drawing_is_refused_and_the_last_one_kept(visit: Visit) -> None:
    page = visit("make-your-moves")
    full = Sketch([*[PenStroke(0, 30, [5, 5] * 90)] * 79, *[ShapeStroke(0, 0, 9, 9, 20)] * 20]).text
    assert 29_900 < len(full) < 30_000
    page.evaluate(
        """(value) => document.getElementById("editor").dispatchEvent(
             new CustomEvent("draw", { detail: { at: ["cards", 0, "picture"], value } }))""",
        full,
    )
    saved(page)
    page.reload()
    page.get_by_role("button", name="Change the picture").click()
    expect(page.locator("#pad-parts li")).to_have_count(99)
    many = [(0.03 * n, 0.1 + 0.08 * (n % 9)) for n in range(32)]
    drag(page, *many)
    expect(page.locator("#pad-problem")).to_contain_text("A picture can be at most 30 kB; this one would be 30")
    assert len(stored_picture(page).strokes) == 99


def test_pictures_are_generated_or_uploaded(visit: Visit) -> None:
    page = visit()
    pad = open_pad(page)
    pad.get_by_role("button", name="Generate picture").click()
    expect(page.locator("#pad-said")).to_have_text("Generated picture 1 for Matchstick Imp.")
    assert stored_picture(page) == generate_picture("Matchstick Imp", 1)
    for name, data in (("evil.svg", b"<svg><script>alert(1)</script></svg>"), ("own.png", image_file("PNG"))):
        page.locator("#pad-file").set_input_files({"name": name, "mimeType": "image/png", "buffer": data})
        if name == "evil.svg":
            expect(page.locator("#pad-problem")).to_have_text(
                "This image can't be read. Choose a PNG, JPEG or WebP image. Your drawing is unchanged."
            )
    expect(page.locator("#pad-sheet image")).to_have_count(1)
    expect(page.locator("#pad-saved")).to_have_text("Saved")
    address = page.locator("#pad-card image").get_attribute("href")
    assert address
    shown = page.evaluate(
        """async (href) => { const image = new Image(); image.src = href; await image.decode();
                             return [image.naturalWidth, image.naturalHeight]; }""",
        address,
    )
    assert shown == [40, 30]


STROKES: list[Any] = [
    PenStroke(2, 33, [100, 100]), PenStroke(2, 33, [100, 101, 8, 3, -5, 70, 0, 1]), FillStroke(4, [7, 8, 301, 2, -4,
    333]),
    PenStroke(1, 50, [0, 0, 11, 1, 12, 2, 13, 3, 14, 4], [5, 5, 9, 1, 1]), PenStroke(31, 4, [-500, 1500, 3, -3], [2,
    7]),
    *(ShapeStroke(number % 14, number, 500 - 7 * number, 3 * number, 20 + 37 * number, 7 * number % 360, number % 2)
      for number in range(len(SHAPES) + 1)),
]  # fmt: skip


def test_the_pad_and_the_card_draw_the_same(visit: Visit) -> None:
    page = visit()
    found = page.evaluate(
        """async (strokes) => {
          const pad = [...document.scripts].find(({ src }) => src.endsWith("/pad.js")).src;
          const { drawn } = await import(pad.replace("pad.js", "strokes.js"));
          const paints = JSON.parse(document.getElementById("pad").dataset.paints);
          return strokes.map((stroke) => drawn(stroke, paints).map((path) => path.outerHTML).join(""));
        }""",
        json.loads(Sketch(STROKES).text.removeprefix("drawing ")),
    )
    assert found == [str(stroke_svg(stroke)) for stroke in STROKES]


def test_hostile_pictures_run_no_code(visit: Visit, server: AppServer) -> None:
    """Any text in place of a picture: in the editor, at its address, at the table."""
    data = read_toml(game("make-your-moves").content_text, "own")
    wicked = [
        EVIL, f"drawing {EVIL}", "javascript:alert(1)", "data:text/html,<script>alert(1)</script>",
        "image svg PHN2Zz4=",
        'drawing [[0,0,30,["<script>alert(1)</script>"]]]', "drawing [[2,0,0,0,0,100]]' onload='alert(1)",
        'image webp "><script>alert(1)</script>', "picture:" + "0" * 32,
    ]  # fmt: skip
    for row, picture in zip(
        data["cards"], [*wicked, photo(), generate_picture("<script>alert(1)</script>", 1).text], strict=False
    ):
        row["picture"] = picture
    page = visit("make-your-moves")
    page.goto("/studio?game=make-your-moves")
    page.locator("label", has=page.locator("[name=from][value=file]")).click()
    page.locator("input[type=file]").set_input_files(
        {"name": "evil.toml", "mimeType": "text/plain", "buffer": write_toml(data).encode()}
    )
    page.get_by_role("button", name="Create set").click()
    expect(page.locator("#legal")).to_contain_text(str(len(wicked)))
    for number in (0, 5, len(wicked), len(wicked) + 1):
        row = page.get_by_role("group", name=f"Card {number + 1}", exact=True)
        row.get_by_role("button", name=re.compile("the picture$")).click()
        page.locator("#pad-done").click()
    ran: list[str] = []

    def alarm(dialog: Dialog) -> None:
        ran.append(dialog.message)
        dialog.dismiss()

    paths = {image.get_attribute("href") or "" for image in page.locator("#preview image").all()}
    assert paths
    for path in paths:
        alone = page.context.new_page()
        alone.on("dialog", alarm)
        alone.goto(path)
    assert not ran
    assert page.locator("script:not([src])").count() == 0


def test_axe_finds_nothing_on_the_pad(visit: Visit) -> None:
    page = visit()
    pad = open_pad(page)
    pad.get_by_role("button", name="Place a star").click()
    pad.get_by_role("button", name="Place a moon").click()
    expect(page.locator("#pad-saved")).to_have_text("Saved")
    assert_accessible(page, "#pad")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert_accessible(page, "#pad", LOOK_RULES)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
