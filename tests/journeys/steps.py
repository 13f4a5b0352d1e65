"""The steps of a journey: each leaves a screenshot, and a step that is known to fail says so."""

import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, expect

from web.browser_helpers import UNPAINTED, new_context

#: Where screenshots are kept; a journey deletes those of its last run.
FOLDER = Path(os.environ.get("SPARRING_JOURNEYS") or Path(tempfile.gettempdir()) / "sparring-journeys")

#: Milliseconds that a step may take on a busy machine, and what is waited for if it is known to fail.
PATIENCE, SHORT_PATIENCE = 60_000, 5_000

expect.set_options(timeout=PATIENCE)


@contextmanager
def expected_to_fail(sentence: str) -> Iterator[None]:
    """Expect that this part of a journey fails today, for the reason in `sentence`; fail as soon as it succeeds.

    Only what a user would notice counts: an assertion, or something in the browser. Other errors are raised.
    """
    expect.set_options(timeout=SHORT_PATIENCE)
    try:
        yield
    except (AssertionError, Error) as problem:
        print(f"Known fault: {sentence} ({str(problem).partition(chr(10))[0]})")
        return
    finally:
        expect.set_options(timeout=PATIENCE)
    pytest.fail(f"This works now; remove its mark: {sentence}")


class Journey:
    """What one kind of user does, step by step."""

    def __init__(self, name: str) -> None:
        self.folder = FOLDER / _file_name(name)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.log: list[str] = []
        #: Errors in scripts of the pages; the fixture `journey` asserts that there are none.
        self.wrong: list[str] = []
        self.clicks = 0
        self._pages: list[Page] = []
        self._step = ""

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Do a step; take a screenshot of all open pages at its end, also if it fails."""
        self._step = f"{len(self.log) + 1:02} {_file_name(name)}"
        started, clicks = time.monotonic(), self.clicks
        try:
            yield
        finally:
            self.log.append(f"{name}: {self.clicks - clicks} clicks, {time.monotonic() - started:.1f} s")
            for number, page in enumerate(self._pages, 1):
                if not page.is_closed():
                    page.evaluate("document.adoptedStyleSheets = []")
                    page.screenshot(path=self.folder / f"{self._step} {number}.png")
                    page.evaluate(f"() => {{{UNPAINTED}}}")

    def open(self, browser: Browser, url: str, **more: Any) -> Page:
        """Open a page in a new person's browser; `more` describes the browser, such as its viewport."""
        page = new_context(browser, url, **more).new_page()
        page.set_default_timeout(PATIENCE)
        self.watch(page)
        page.goto("/")
        return page

    def watch(self, page: Page) -> None:
        """Take screenshots of this page too, and collect the errors of its scripts."""
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self._pages.append(page)

    def click(self, what: Locator) -> None:
        """Click, and count it."""
        what.click()
        self.clicks += 1

    def keep(self, text: str) -> None:
        """Keep a text that the user sees in this step, such as the output of a command."""
        (self.folder / f"{self._step}.txt").write_text(text, encoding="utf-8")

    def close(self) -> None:
        """Close the browsers of all people."""
        for page in self._pages:
            page.context.close()


def _file_name(name: str) -> str:
    return re.sub(r"\W+", "-", name.lower()).strip("-")
