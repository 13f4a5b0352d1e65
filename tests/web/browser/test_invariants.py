"""Every game at every size keeps six invariants in its telling states, light and dark, and with large text."""

import pytest

from web.browser.invariants import DATA, MEASURE_ALL, faults, pale
from web.browser.pages import LAPTOP, PHONE, SIDEWAYS, SIZES, Open, resize
from web.browser.scenes import TABLES, beats
from web.browser.states import states
from web.browser_helpers import assert_accessible

pytestmark = pytest.mark.browser

#: Large text on a laptop is a small window: 1280x720 at 200%.
ZOOMED = (640, 360)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_invariants(open_page: Open, name: str, seats: int) -> None:
    page, shown = open_page(name, reduced_motion="reduce"), states(name, seats)
    match = [label for label in shown if 'data-key="roster"' not in shown[label] and label in list(shown)[:5]]
    for size in SIZES:
        resize(page, size)
        found = dict(zip(shown, page.evaluate(MEASURE_ALL, list(shown.values())), strict=True))
        assert [fault for label, each in found.items() for fault in faults(name, size, label, each)] == []
        if "x".join(map(str, size)) not in DATA["moves"].get(name, ()):
            assert len({str(found[label]["places"]) for label in match}) == 1, "nothing moves during a match"


@pytest.mark.parametrize(("name", "seats"), [*TABLES[:3:2], *TABLES[4:7:2], TABLES[7], ("hush", 2)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(open_page: Open, name: str, seats: int, scheme: str) -> None:
    """With the pixels behind a text, because axe leaves out texts on gradients and pictures."""
    page, shown = open_page(name, reduced_motion="reduce"), states(name, seats)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for size, label in ((LAPTOP, "most to choose"), (PHONE, "the end"), (SIDEWAYS, "a hint")):
        resize(page, size)
        (found,) = page.evaluate(MEASURE_ALL, [shown[label]])
        assert pale(page, name, size, label, found) == []
        if size is not SIDEWAYS:
            assert_accessible(page)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_text_at_200_percent_is_reachable_without_overlap(open_page: Open, name: str, seats: int) -> None:
    """As large text in a large window, and as a small window."""
    page, shown = open_page(name, reduced_motion="reduce"), beats(name, seats)[::6]
    for size, font in ((LAPTOP, "32px"), (ZOOMED, "")):
        resize(page, size)
        page.evaluate("font => { document.documentElement.style.fontSize = font; }", font)
        for found in page.evaluate(MEASURE_ALL, shown):
            parts = [each for each in found["overlaps"] if "div.side" in each[0] and "div.side.right" not in each[0]]
            assert parts == [], size
            wide = [each for each in found["scrolled"] if each[1] > 0 and "section.board" not in each[0]]
            assert wide == [], size
