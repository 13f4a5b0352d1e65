"""Measure how long players wait between a click and the next question, in whole matches in Chromium.

    python -m benchmarks.pace --games make-your-moves --seats 2 6 --speeds usual

A player in a headless browser chooses at random against bots, under the rules that each game recommends. For each click
the page measures the time until the next question can be answered, in two parts: the time in which the table shows what
happened (*shown*), and the time in which it has nothing to show because a bot or the server is not done (*waited*). The
statistics leave out clicks that are followed by the next question at once.
"""

import argparse
import math
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from sparring import games
from sparring.engine.game import STANDARD, game
from sparring.people.identity import COOKIE, IdentityCookie
from sparring.settings import Settings
from sparring.store.person import Person

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SPEEDS = ("calm", "usual", "quick", "at once")
#: A player who takes this many clicks has seen enough of a match (`--clicks`).
CLICKS = 60
#: The bots they play against.
BOT = "search:level=gentle"
LAPTOP: ViewportSize = {"width": 1280, "height": 720}

SERVE = """
import sys
from functools import partial
from pathlib import Path
from sparring.serve import serve
from sparring.settings import Limits, Settings
limits = Limits(tables_at_once=1000, tables_going_on=1000, api_calls_at_once=100_000)
settings = Settings.load(Path(sys.argv[1]), host="127.0.0.1", port=int(sys.argv[2]), limits=limits)
serve(settings, browser=False, say=partial(print, flush=True))
"""

#: The buttons of choices, without those in menus of shortcuts.
OFFERED = "#table .scene > :not(.shortcuts) button[name=choice]"
#: Click a choice, and resolve when the next question can be answered or the match is over.
CLICK = """([choice, limit]) => new Promise((resolve) => {
    const root = document.getElementById("table"), start = performance.now();
    let shown = 0, waited = 0, last = start, posted = false;
    const version = root.querySelector(".scene").dataset.version;
    root.querySelector(`button[name=choice][value="${choice}"]`).click();
    const look = () => {
        const now = performance.now(), scene = root.querySelector(".scene");
        const telling = scene.matches(".telling"), over = scene.matches(".over") && !telling;
        if (telling) shown += now - last; else waited += now - last;
        last = now;
        const asked = scene.querySelector(".ask.mine") && root.querySelector("button[name=choice]");
        const done = scene.dataset.version !== version && !telling && (asked || over);
        if (done || now - start > limit) resolve({ shown, waited, over });
        else setTimeout(look, 5);
    };
    look();
})"""


class Wait(NamedTuple):
    """The time between a click and the next question, in seconds."""

    shown: float
    waited: float


@contextmanager
def serving() -> Iterator[tuple[str, str]]:
    """Run a server; yield its address and the cookie of a person."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        server = subprocess.Popen([sys.executable, "-c", SERVE, folder, str(port)], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            assert server.stdout.readline(), "the server did not start"
            secret = Settings.load(Path(folder)).secret
            yield f"http://127.0.0.1:{port}", IdentityCookie(secret).write(Person("Anna", "Anna")).value or ""
        finally:
            server.terminate()
            server.wait(20)


@contextmanager
def page_of(browser: Browser, url: str, cookie: str, speed: str) -> Iterator[Page]:
    """Yield a page of a person whose table plays at a speed."""
    context = browser.new_context(base_url=url, viewport=LAPTOP, service_workers="block")
    context.add_cookies([{"name": COOKIE, "value": cookie, "url": url}])
    context.add_init_script(f"localStorage.setItem('sparring.pace', '{speed}')")
    try:
        yield context.new_page()
    finally:
        context.close()


def waits_of_match(page: Page, name: str, seats: int, seed: int, clicks: int) -> list[Wait]:
    """Play a match at random, up to a number of clicks; return the wait after each."""
    played = game(name)
    preset = "" if played.recommended == STANDARD else played.recommended
    body: dict[str, Any] = {"game": name, "preset": preset, "seats": ["me", *[BOT] * (seats - 1)]}
    table = page.request.post("/api/tables", data=body).json()
    page.goto(f"/table/{table['table']}")
    page.wait_for_selector(".scene:not(.telling) .ask.mine, .scene.over", timeout=120_000)
    dice, waits = random.Random(seed), list[Wait]()
    conceding = {str(action) for action in played.conceding}
    while len(waits) < clicks:
        offered = page.eval_on_selector_all(OFFERED, "all => all.map((each) => each.value)")
        offered = sorted(set(offered) - conceding)
        if not offered:
            break
        found = page.evaluate(CLICK, [dice.choice(offered), 60_000])
        waits.append(Wait(found["shown"] / 1000, found["waited"] / 1000))
        if found["over"]:
            break
        page.wait_for_timeout(400)  # a press right after an animation was meant to skip it
    return waits


def report(name: str, seats: int, speed: str, waits: Sequence[Wait]) -> str:
    """Return a row of the table in the docs: of the clicks after which the table shows something first."""
    followed = [wait for wait in waits if wait.shown > 0] or waits
    shown = sorted(wait.shown for wait in followed)
    nine_tenths = shown[math.ceil(0.9 * len(shown)) - 1]
    waited = [wait.waited for wait in followed]
    times = statistics.median(shown), nine_tenths, shown[-1], statistics.median(waited), max(waited)
    cells = game(name).title, seats, speed, len(waits), len(followed), *(f"{time:.1f}" for time in times)
    return f"| {' | '.join(map(str, cells))} |"


HEADER = """\
| Game | Seats | Speed | Clicks | Followed by events | Median, s | p90, s | Longest, s | Bots, median, s | Longest, s |
|---|---:|---|---:|---:|---:|---:|---:|---:|---:|"""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pace", description="Measure waiting times at tables.")
    parser.add_argument("--games", nargs="+", default=list(games()), help="games (default: all)")
    parser.add_argument("--seats", nargs="+", type=int, default=[], help="numbers of seats (default: all of each game)")
    parser.add_argument("--speeds", nargs="+", default=SPEEDS, choices=SPEEDS, help="animation speeds (default: all)")
    parser.add_argument("--clicks", type=int, default=CLICKS, help=f"clicks per match at most (default: {CLICKS})")
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
                for speed in asked.speeds:
                    with page_of(browser, url, cookie, speed) as page:
                        waits = waits_of_match(page, name, seats, asked.seed, asked.clicks)
                    print(report(name, seats, speed, waits), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
