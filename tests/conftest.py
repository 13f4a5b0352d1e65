"""Shared by all tests: the browser, the cache of compiled rules, the order of tests, and settings of Hypothesis."""

import gc
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

import programs
from sparring.bots import installed, value_models
from sparring.bots.external_bot import SECONDS
from sparring.engine import tiered_rules
from web.postgres import has_postgres

GAMES = [path.parent.name.replace("_", "-") for path in Path(__file__).parent.glob("games/*/test_laws.py")]
#: Tests that use one of these fixtures, directly or through others, get its marker.
MARKERS = {"chromium": "browser", "postgres_server": "postgres"}
#: CI runs a failed test once more (`.ci/tier.py`), but not if a second try would hide the fault, nor if many fail.
ONCE = re.compile(r"leak|hidden|laws|kill|cluster/|storage/|database|postgres|upgrades/")
MOST_SECOND_TRIES = 5
NO_BROWSER = "no Chromium was found (install one, or name it by CHROMIUM=/its/path)"

# Compiled rules are cached between runs, apart from those that the user's own server compiles.
os.environ.setdefault(
    "SPARRING_CACHE", str(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sparring-tests")
)

# Tests compile far more than they run: with less optimization, Numba compiles in two thirds of the time.
os.environ.setdefault("NUMBA_OPT", "1")

# Matches stay interpreted, however many a test plays: tests that compile rules say so.
tiered_rules.WARM_UP = sys.maxsize

# Test processes share few cores: threads of matrix products would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The first call of a rule may compile it, so examples have no time limit; in CI every run tries the same examples.
settings.register_profile("sparring", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("sparring")


def group(item: pytest.Item) -> str:
    """Return the group of a test, which runs in one process: the game that it compiles, or else its file.

    Rules lowered for one driver are reused by the next one in the same process, which saves most of the work. A browser
    and a server are started once per file."""
    if marker := item.get_closest_marker("compiled"):
        named = item.nodeid.replace("_", "-")
        if game := next(iter(marker.args), None) or next((game for game in GAMES if game in named), None):
            return str(game)
    return item.nodeid.partition("::")[0]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their fixtures, then group them for pytest-xdist.

    Groups that keep a core busy run first, and servers, which mostly wait, last."""
    for item in items:
        for fixture in MARKERS.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(MARKERS[fixture])
    groups = {item: group(item) for item in items}
    sizes = Counter(groups.values())
    slow = {
        groups[item]: name
        for name in ("server", "browser", "compiled")
        for item in items
        if item.get_closest_marker(name)
    }
    order = ("compiled", "browser", None, "server")
    items.sort(key=lambda item: (order.index(slow.get(groups[item])), -sizes[groups[item]], groups[item]))
    for item in items:
        item.add_marker(pytest.mark.xdist_group(groups[item]))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Name a test as the command line does, without the group that pytest-xdist adds: `--last-failed` must find it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        report.nodeid = re.sub(r"@[^@\]]*$", "", report.nodeid)


def pytest_collection() -> None:
    """Disable garbage collection while collecting, since nothing is freed: it takes a sixth of that time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Freeze the collected objects: scanning them again and again took a quarter of some tests' time."""
    gc.freeze()
    gc.set_threshold(5000, 20, 50)
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    programs.running = {marker.name for marker in item.iter_markers()}
    if item.get_closest_marker("browser") and not programs.find("chromium"):
        if "CI" in os.environ:
            pytest.fail(NO_BROWSER, pytrace=False)
        pytest.skip(NO_BROWSER)
    if item.get_closest_marker("postgres") and not has_postgres() and "CI" not in os.environ:
        pytest.skip("PostgreSQL is not installed here, or asyncpg is not")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: pytest.ExitCode, config: pytest.Config
) -> None:
    failed = {report.nodeid for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ())}
    may_run_again = (
        exitstatus == pytest.ExitCode.TESTS_FAILED
        and len(failed) <= MOST_SECOND_TRIES
        and not any(map(ONCE.search, failed))
    )
    if getattr(config, "cache", None):
        config.cache.set("sparring/may_run_again", sorted(failed) if may_run_again else [])
    left_out = [
        report for report in terminalreporter.stats.get("skipped", ()) if "browser" in getattr(report, "keywords", ())
    ]
    if left_out and not programs.find("chromium"):
        terminalreporter.write_line(f"{len(left_out)} browser tests were left out: {NO_BROWSER}.")
    for report in chain(*(terminalreporter.stats.get(kind, ()) for kind in ("", "error"))):
        for steps in (value for name, value in getattr(report, "user_properties", ()) if name == "journey"):
            terminalreporter.write_line(steps)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of the Chromium that browser tests use."""
    path = programs.find("chromium")
    assert path, NO_BROWSER
    return path


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """Start a headless browser for the tests of a file; each opens its own `browser.new_context()`.

    It runs an event loop in this thread, so tests that call `asyncio.run` belong in another file."""
    with sync_playwright() as playwright:
        # Chromium's sandbox doesn't work for root, as in CI; only our own pages are opened. Without a graphics card,
        # software rendering would take a quarter of the processor time. Test pages are closed before optimizing their
        # scripts pays off.
        args = ["--no-sandbox", "--disable-gpu", "--js-flags=--no-opt --single-threaded"]
        started = playwright.chromium.launch(executable_path=chromium, args=args)
        yield started
        started.close()


@pytest.fixture
def own_value_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Store value models in the test's own folder, and forget those that were loaded before."""
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    value_models.clear_caches()


@pytest.fixture
def plugin_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the plugin bots of `bot_plugins/`, for child processes too, with a long time limit."""
    monkeypatch.setenv(SECONDS, "60")
    place = str(Path(__file__).parent / "bot_plugins")
    monkeypatch.setattr(sys, "path", [place, *sys.path])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [place, os.environ.get("PYTHONPATH")])))
    installed.cache_clear()
    yield
    installed.cache_clear()
