"""Shared by all tests: the browser, the cache of compiled rules, the order of tests, and settings of Hypothesis."""

import gc
import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright
from xdist.scheduler import LoadScopeScheduling  # type: ignore[import-untyped]

from sparring.bots import installed, value_models
from sparring.bots.external.timed_process import SECONDS

#: The headless build comes first: its pages take half the processor time.
BROWSERS = (
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)  # fmt: skip
GAMES = [path.parent.name.replace("_", "-") for path in Path(__file__).parent.glob("games/*/test_laws.py")]
#: Tests that compile rules or wait up to a minute for another process.
LONG = ("tests/cli/", "tests/lab/", "tests/bots/", "tests/engine/", "tests/web/test_leaks.py")
#: Tests that mostly compile one game, although their names don't mention it; single tests come before whole files.
MAIN_GAME = {
    "tests/lab/test_notebooks.py::test_cards_": "make-your-moves",
    "tests/lab/test_set_balance.py::test_the_median": "five-circles",
    "tests/cli/test_commands.py": "make-your-moves", "tests/lab/test_simulate.py": "make-your-moves",
    "tests/bots/test_external_bots.py": "make-your-moves", "tests/bots/test_hints.py": "make-your-moves",
    "tests/bots/test_search.py": "make-your-moves",
    "tests/lab/test_executors.py": "world-of-fighters", "tests/lab/test_notebooks.py": "world-of-fighters",
    "tests/lab/test_report.py": "world-of-fighters", "tests/lab/test_baselines.py": "world-of-fighters",
    "tests/lab/test_training.py": "world-of-fighters",
    "tests/lab/test_simulate_search.py": "world-of-fighters",
    "tests/lab/test_tuning.py": "world-of-fighters", "tests/lab/test_winnable_deals.py": "five-circles",
    "tests/bots/test_mixed_strategy_bot.py": "leduc-poker", "tests/bots/test_private_observations.py": "leduc-poker",
    "tests/lab/test_open_spiel.py": "leduc-poker", "tests/bots/test_value_models.py": "high-card",
    "tests/bots/test_stored_value_models.py": "high-card", "tests/bots/test_policy_priors.py": "high-card",
    "tests/lab/test_comparison.py": "high-card", "tests/lab/test_measures.py": "high-card",
    "tests/lab/test_scaling.py": "high-card", "tests/lab/test_tournament.py": "high-card",
}  # fmt: skip
NO_BROWSER = "no Chromium was found (install one, or name it by CHROMIUM=/its/path)"

# Compiled rules are cached between runs, apart from those that the user's own server compiles.
os.environ.setdefault(
    "SPARRING_CACHE", str(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sparring-tests")
)

# Test processes share few cores: threads of matrix products would wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The first call of a rule may compile it, so examples have no time limit; in CI every run tries the same examples.
settings.register_profile("sparring", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("sparring")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Skip the doctests of `sparring/printing` without the extra `print`; its other tests report that."""
    return True if collection_path.match("sparring/printing") and find_spec("typst") is None else None


def find_chromium() -> str | None:
    """Return the path of a Chromium, or None."""
    wanted = os.environ.get("CHROMIUM")
    return next(filter(None, map(shutil.which, (wanted,) if wanted else BROWSERS)), None)


def test_group(nodeid: str) -> str:
    """Return the group of a test, which runs in one process: the game that it compiles, or else its file.

    Rules lowered for one driver are reused by the next one in the same process, which saves most of the work. A browser
    and a server are started once per file."""
    file = nodeid.partition("::")[0]
    mostly = next((game for begins, game in MAIN_GAME.items() if nodeid.startswith(begins)), file)
    if file.endswith("test_laws.py") or file.startswith("tests/bots/"):
        named = nodeid.replace("_", "-")
        return next((game for game in GAMES if game in named), mostly)
    return mostly


class GroupScheduling(LoadScopeScheduling):  # type: ignore[misc]
    """Schedule groups of tests in collection order, each in one process."""

    def __init__(self, config: pytest.Config, log: Any) -> None:
        config.option.loadscopereorder = False  # reordering would start with the largest groups, which are the fastest
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return test_group(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        """Let the last process take groups from the end: they mostly wait, while the others keep the cores busy."""
        if node.workerinput["workerid"] == f"gw{node.workerinput['workercount'] - 1}":
            self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
        super()._assign_work_unit(node)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run groups that keep a core busy first, and servers, which mostly wait, last."""
    with_browser = {test_group(item.nodeid) for item in items if item.get_closest_marker("browser")}
    sizes = Counter(test_group(item.nodeid) for item in items)

    def place(item: pytest.Item) -> tuple[int, int]:
        group = test_group(item.nodeid)
        if group in GAMES:
            return 0, -sizes[group]
        return (0 if group in with_browser else 1 if item.nodeid.startswith(LONG) else 2), 0

    items.sort(key=place)


def pytest_collection() -> None:
    """Disable garbage collection while collecting, since nothing is freed: it takes a sixth of that time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Freeze the collected objects: scanning them again and again took a quarter of some tests' time."""
    gc.freeze()
    gc.set_threshold(5000, 20, 50)
    gc.enable()


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> GroupScheduling:
    return GroupScheduling(config, log)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser") and not find_chromium():
        if "CI" in os.environ:
            pytest.fail(NO_BROWSER, pytrace=False)
        pytest.skip(NO_BROWSER)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left_out = [report for report in terminalreporter.stats.get("skipped", ()) if "browser" in report.keywords]
    if left_out and not find_chromium():
        terminalreporter.write_line(f"{len(left_out)} browser tests were left out: {NO_BROWSER}.")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Return the path of the Chromium that tests marked `browser` use."""
    path = find_chromium()
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
