"""Find the programs that only some tests need: Chromium, PostgreSQL's, nginx, Caddy and g++.

Set `SPARRING_TESTS_HIDE_PROGRAMS` to test as on a machine that has none of them."""

import os
import shutil
from pathlib import Path

#: Where each program may be: names on PATH, paths, and a pattern for PostgreSQL, which Debian doesn't put on PATH. The
#: headless build of Chromium comes first: its pages take half the processor time.
PLACES = {
    "chromium": (
        "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "initdb": ("initdb", "/usr/lib/postgresql/*/bin/initdb"),
    "nginx": ("nginx", "/usr/sbin/nginx"),
    "caddy": ("caddy",),
    "g++": ("g++",),
}  # fmt: skip

#: The markers of the running test, set by `conftest.py`; None outside of tests.
running: set[str] | None = None


def find(program: str) -> str | None:
    """Return the path of a program, or None. `CHROMIUM=/its/path` names a browser."""
    if os.environ.get("SPARRING_TESTS_HIDE_PROGRAMS"):
        return None
    places = PLACES[program]
    if program == "chromium" and "CHROMIUM" in os.environ:
        places = (os.environ["CHROMIUM"],)
    for place in places:
        listed = sorted(map(str, Path("/").glob(place[1:]))) if "*" in place else [place]
        if found := next(filter(None, map(shutil.which, reversed(listed))), None):
            return found
    return None


def needs_marker(*markers: str) -> None:
    """Refuse to start something slow in a test that has none of these markers: it would slow `make test` down."""
    if running is not None and not running & set(markers):
        raise AssertionError(f"This test starts something slow: mark it with one of {', '.join(markers)}.")
