"""Surfaces in a browser: text has enough contrast by pixels, because axe skips text over gradients and pictures."""

import io
import random
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser

from sparring import games
from sparring.web.identity import COOKIE
from web.app_server import AppServer, show_choice
from web.browser_helpers import assert_accessible, new_context

pytestmark = pytest.mark.browser

#: Contrast of normal and large text: WCAG 2.2, 1.4.3 (AA). The worst pixels are edges of borders and underlines.
NORMAL, LARGE, IGNORED = 4.5, 3.0, 0.03

#: The visible lines of text outside drawings, with colour, size, weight and box; then all text becomes transparent.
TEXTS = """() => {
    document.adoptedStyleSheets = [];
    const found = [], texts = document.createTreeWalker(document.querySelector(".scene"), NodeFilter.SHOW_TEXT);
    const ink = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    while (texts.nextNode()) {
        const text = texts.currentNode, parent = text.parentElement, style = getComputedStyle(parent);
        let hidden = !text.textContent.trim() || parent.closest("svg, [aria-disabled]");
        hidden ||= !parent.checkVisibility({ visibilityProperty: true });
        for (let each = parent; each; each = each.parentElement) hidden ||= getComputedStyle(each).clipPath !== "none";
        if (hidden) continue;
        ink.clearRect(0, 0, 1, 1);
        ink.fillStyle = style.color;
        ink.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = ink.getImageData(0, 0, 1, 1).data;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const { left, top, right, bottom } of alpha === 255 ? range.getClientRects() : []) {
            const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            if (right - left < 4 || !at || !(parent.contains(at) || at.contains(parent))) continue;
            const size = parseFloat(style.fontSize), weight = Number(style.fontWeight);
            found.push([text.textContent.trim(), [red, green, blue], size, weight, [left, top, right, bottom]]);
        }
    }
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`.scene :not(svg, svg *) {
        color: transparent !important; text-shadow: none !important; text-decoration-color: transparent !important;
    }`);
    document.adoptedStyleSheets = [sheet];
    return found;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [*games(), "hush"])
def test_text_on_a_surface_has_contrast(server: AppServer, browser: Browser, name: str, scheme: str) -> None:
    table = server.table("Anna", "Ben", name=name, seed=2)
    server.run(play(server, table, 12))
    context = new_context(browser, server.url, color_scheme=scheme, viewport={"width": 1280, "height": 720})
    cookie = server.person("Anna").cookie()
    context.add_cookies([{"name": COOKIE, "value": cookie, "url": server.url}])
    page = context.new_page()
    page.goto(f"/table/{table}")
    assert_accessible(page)
    texts = page.evaluate(TEXTS)
    pixels = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    context.close()
    assert len(texts) > 5
    assert {text[0]: worst for text in texts if (worst := contrast(text, pixels)) < needed(text)} == {}


def needed(text: Any) -> float:
    _, _, size, weight, _ = text
    return LARGE if size >= 24 or (size >= 18.66 and weight >= 700) else NORMAL


def contrast(text: Any, pixels: Image.Image) -> float:
    """Return the contrast of a text with the pixels behind it, without the worst few."""
    _, colour, _, _, box = text
    behind = pixels.crop(tuple(round(edge) for edge in box))
    counts = behind.getcolors(behind.width * behind.height) or []
    ratios = sorted((ratio(colour, pixel), count) for count, pixel in counts)
    left = IGNORED * behind.width * behind.height
    for worst, count in ratios:
        left -= count
        if left <= 0:
            return worst
    return ratios[-1][0]


def ratio(one: Any, other: Any) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: Any) -> float:
    """Return the relative luminance of an sRGB colour (WCAG 2.2)."""
    red, green, blue = ((part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
                        for part in (value / 255 for value in colour))  # fmt: skip
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


async def play(server: AppServer, table: str, count: int) -> None:
    """Make random choices, then more until Anna is asked and has several."""
    match, dice = (found := await server.tables.registry.get(table)).match, random.Random(1)
    while not match.over and (count > 0 or match.seat != 1 or len(match.legal()) < 2):
        count -= 1
        show_choice(found, dice.choice([each for each in match.legal() if each not in match.game.conceding]))
