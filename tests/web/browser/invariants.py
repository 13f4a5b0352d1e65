"""Six invariants of a table's page, at every size: measured once per state, compared with `invariants.toml`.

Nothing overlaps; nothing is cut; nothing scrolls that needn't; what is lit can be pressed on at least 24 pixels; text
has at least 12 pixels and a contrast of 4.5; the play area has its share of the window."""

import io
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from playwright.sync_api import Page

from web.browser_helpers import UNPAINTED

HERE = Path(__file__).parent
MEASURE = (HERE / "invariants.js").read_text(encoding="utf-8")
#: Measure many scenes, without rendering frames in between.
MEASURE_ALL = f"""scenes => scenes.map(scene => {{
    document.getElementById("table").innerHTML = scene;
    return ({MEASURE})();
}})"""
DATA = tomllib.loads((HERE / "invariants.toml").read_text(encoding="utf-8"))
#: Text in pixels; its contrast (WCAG 2.2, 1.4.3), also of large text; the share of pixels behind it that may be worse:
#: edges of borders and underlines.
LEAST, CONTRAST, LARGE, IGNORED = 12, 4.5, 3.0, 0.03
INVISIBLE = """() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`:is(.scene, .bar) :not(svg, svg *) {
        color: transparent !important; text-shadow: none !important; text-decoration-color: transparent !important;
    }`);
    document.adoptedStyleSheets = [sheet];
}"""


class Fault(NamedTuple):
    """A broken invariant."""

    game: str
    size: str
    state: str
    invariant: str
    element: str
    figures: Any


def faults(game: str, size: tuple[int, int], state: str, found: dict[str, Any]) -> Iterator[Fault]:
    """Yield what breaks an invariant in a measured state, without the stored exceptions."""
    window = "x".join(map(str, size))
    small = [(each["name"], round(each["size"], 1)) for each in found["texts"] if each["size"] < LEAST - 0.1]
    least = DATA["shares"][game][window]
    share = [("the play area", found["share"])] if found["share"] < least else []
    invariants = {"overlap": found["overlaps"], "cut": found["cut"], "scroll": found["scrolled"],
                  "target": found["targets"], "text": small, "share": share}  # fmt: skip
    for invariant, elements in invariants.items():
        for element, *figures in elements:
            fault = Fault(game, window, state, invariant, element, figures)
            if not is_stored(fault):
                yield fault


def is_stored(fault: Fault) -> bool:
    """Return whether a stored exception covers a fault."""
    return any(
        each["invariant"] == fault.invariant
        and re.search(each["element"], fault.element)
        and fault.game in each.get("games", [fault.game])
        and fault.size in each.get("sizes", [fault.size])
        and each.get("least", 0) <= (fault.figures[0] if "least" in each else 0)
        for each in DATA["exceptions"]
    )


def pale(page: Page, game: str, size: tuple[int, int], state: str, found: dict[str, Any]) -> list[Fault]:
    """Return texts that have too little contrast with the pixels behind them, on the page as measured."""
    page.evaluate(INVISIBLE)
    pixels = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    page.evaluate(f"() => {{ {UNPAINTED} }}")
    texts = [text for text in found["texts"] if not text["skip"]]
    assert len(texts) > 5
    window = "x".join(map(str, size))
    low = [(text["name"], worst) for text in texts if (worst := contrast(text, pixels)) < needed(text)]
    each = (Fault(game, window, state, "contrast", name, [worst]) for name, worst in low)
    return [fault for fault in each if not is_stored(fault)]


def needed(text: dict[str, Any]) -> float:
    return LARGE if text["size"] >= 24 or (text["size"] >= 18.66 and text["weight"] >= 700) else CONTRAST


def contrast(text: dict[str, Any], pixels: Image.Image) -> float:
    """Return the contrast of a text with the pixels behind it, without the worst few."""
    behind = pixels.crop(text["box"])
    counts = behind.getcolors(behind.width * behind.height) or []
    ratios = sorted((ratio(text["colour"][:3], pixel), count) for count, pixel in counts)
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
