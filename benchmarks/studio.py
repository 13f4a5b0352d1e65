"""Measure how fast the studio responds in Chromium: `make studio`, on an idle machine.

For each game: the time from *Create set* to the first estimate of a card's strength, to intervals of ± 2 points with
each kind of bot, and to the last estimate; then the time from a key press to its effect, stored and drawn.
"""

import argparse
import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

import programs
from web.app_server import AppServer, settings

GAMES = ("five-circles", "make-your-moves", "world-of-fighters", "untitled-movement", "mace")

#: The target width of an interval (points), and the pattern of the balance of the open entry.
NARROW = 2.0
TOLD = re.compile(r"(\w+): seats that draw it win [\d.]+% ± ([\d.]+)")

#: Milliseconds from each key press until its result has been drawn.
NOTE_KEYS = """() => {
    let pressed = 0;
    window.waits = [];
    addEventListener("keydown", () => { pressed = performance.now(); }, true);
    document.addEventListener("stored", () => requestAnimationFrame(() => setTimeout(() => {
        if (pressed) waits.push(performance.now() - pressed);
        pressed = 0;
    })));
}"""


@contextmanager
def open_editor(browser: Browser, game: str, *, measuring: bool) -> Iterator[Page]:
    """Open the form of a new set of a game on a new server."""
    with tempfile.TemporaryDirectory() as folder:
        server = AppServer(settings(Path(folder), measuring=measuring))
        page = browser.new_context(base_url=server.url).new_page()
        page.goto(f"/studio?game={game}")
        page.get_by_label("Your name").fill("Anna")
        try:
            yield page
        finally:
            page.context.close()
            server.close()


def create_set(page: Page) -> None:
    """Create the set and open its first entry that has a field."""
    page.get_by_role("button", name="Create set").click()
    page.locator("#editor").wait_for()
    if (summary := page.locator("#editor details > summary").first).count():
        summary.click()
    page.locator("#editor input[data-do=set]:visible").first.focus()


def time_balance(browser: Browser, game: str, patience: float) -> str:
    """Return when which results appeared, in seconds after *Create set*."""
    with open_editor(browser, game, measuring=True) as page:
        start = time.monotonic()
        create_set(page)
        seen: dict[str, float] = {}
        while "all of it" not in seen and time.monotonic() - start < patience:
            told = page.locator("#card-values").inner_text()
            now = time.monotonic() - start
            for bot, reach in TOLD.findall(told):
                seen.setdefault(f"first worth, {bot}", now)
                if float(reach) <= NARROW:
                    seen.setdefault(f"{bot}, ± {NARROW:g}", now)
            if "Measured" in told:
                seen["all of it"] = now
                seen.setdefault("as far as there is time for", now) if "as far as" in told else None
            page.wait_for_timeout(100)
    return ", ".join(f"{what} {when:.1f} s" for what, when in seen.items()) or "nothing"


def time_keys(browser: Browser, game: str, presses: int) -> str:
    """Return the delay from a key press to its visible effect, in milliseconds."""
    with open_editor(browser, game, measuring=False) as page:
        create_set(page)
        page.evaluate(NOTE_KEYS)
        for number in range(presses):
            page.keyboard.press("Backspace" if number % 2 else "1")
            page.wait_for_function("many => waits.length >= many", arg=number + 1)
        waits = sorted(page.evaluate("waits"))
    return f"median {median(waits):.0f} ms, slowest tenth from {waits[len(waits) * 9 // 10]:.0f} ms, of {presses} keys"


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(prog="make studio", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES, help="usually all five")
    parser.add_argument("--cold", action="store_true", help="without any machine code that was made before")
    parser.add_argument("--keys", type=int, default=60, help="how many keys are pressed")
    parser.add_argument("--patience", type=float, default=240, help="how long to wait for all of a worth (seconds)")
    wishes = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        if wishes.cold:
            os.environ["SPARRING_CACHE"] = folder
        browser = playwright.chromium.launch(executable_path=programs.find("chromium"), args=["--no-sandbox"])
        for game in wishes.games:
            print(f"{game}, a key: {time_keys(browser, game, wishes.keys)}", flush=True)
            print(f"{game}, worth: {time_balance(browser, game, wishes.patience)}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
