"""Set balance in a real browser; and hostile sets, which never run code."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sparring.studio.jobs.job_service import ReportJob
from web.app_server import AppServer, settings
from web.browser_helpers import assert_accessible
from web.studio.set_pages import LAPTOP, PHONE, Visit, saved

pytestmark = pytest.mark.browser

#: Names of the least and greatest length; all of them would raise an alert if they ran.
SHORT, LONG = "<svg onload=alert(1)>", '"><script>alert(1)</script><img src=x '


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppServer]:
    """Start a server that measures, in plain Python, since compiling would take longer than these tests."""
    server = AppServer(settings(tmp_path_factory.mktemp("server"), measuring=True))
    processes = server.app.state.studio_jobs.processes
    processes.is_compiled, processes.compiled = lambda *_: False, lambda *_: asyncio.Event().wait()
    yield server
    server.close()


def test_the_balance_panel_follows_the_open_entry(visit: Visit) -> None:
    page = visit("make-your-moves")
    worth = page.locator("#card-values")
    page.get_by_role("group", name="Card 1", exact=True).get_by_label("Name").focus()
    expect(worth).to_contain_text("Jab, random bots against each other: seats that draw it win")
    expect(worth).to_contain_text("seat 1 wins")
    page.get_by_role("group", name="Card 2", exact=True).get_by_label("Name").fill("Own Move")
    expect(worth).to_contain_text("Own Move, random bots against each other: seats that draw it win")
    page.get_by_role("group", name="Card 2", exact=True).get_by_label("Name").fill("")
    expect(worth).to_contain_text("Not measured: fix the problems in this set first.")
    expect(worth).not_to_contain_text("seats that draw it")
    expect(worth).to_contain_text("Played so far: no matches.")


def test_entries_of_a_shared_set_show_their_balance(visit: Visit) -> None:
    page = visit("five-circles")
    page.get_by_text("Sharing, download").click()
    shared = page.locator("#link").input_value()
    page.close()
    stranger = visit(path=shared.partition("/studio")[1] + shared.partition("/studio")[2])
    stranger.locator("#editor summary").nth(1).click()
    told = "Pebble Crab, random bots against each other: seats that draw it win"
    expect(stranger.locator("#card-values")).to_contain_text(told)


def nothing_is_made_of_it(page: Page) -> None:
    """Assert that typed text is text, and no element."""
    assert page.locator("img[src=x], svg[onload], script:not([src])").count() == 0


@pytest.mark.parametrize("game", ["five-circles", "make-your-moves", "world-of-fighters", "untitled-movement", "mace"])
def test_a_hostile_set_runs_no_code(visit: Visit, game: str) -> None:
    page = visit(game)
    for summary in page.locator("#editor details > summary").all()[:2]:
        summary.click()
    fields = page.locator("#editor input[data-do=set]:not([inputmode]):visible").all()[:6]
    assert fields or game == "mace"  # its sets have numbers only
    for number, field in enumerate(fields):
        field.fill(SHORT if number % 2 == 0 else LONG[: int(field.get_attribute("maxlength") or 20)])
    page.locator("#set-name").fill(LONG)
    saved(page)
    nothing_is_made_of_it(page)
    page.get_by_text("Sharing, download").click()
    shared = page.locator("#link").input_value().partition("/studio/shared")
    other = page.context.new_page()
    other.goto(page.url)
    page.locator("#set-name").fill(SHORT)
    saved(page)
    other.locator("#set-name").fill(LONG[:30])
    expect(other.get_by_role("dialog")).to_contain_text("<svg onload")
    nothing_is_made_of_it(other)
    other.close()
    for path in (page.url, "/studio", f"{page.url}/report", "".join(shared[1:])):
        page.goto(path)
        expect(page.locator("main")).to_be_visible()
        nothing_is_made_of_it(page)


def test_a_hostile_set_is_plain_text_at_the_table(visit: Visit) -> None:
    page = visit("make-your-moves")
    for number in range(12):
        page.locator("#editor .thing.flat").nth(number).get_by_label("Name").fill(f"<svg onload=alert({number})>")
    page.locator("#set-name").fill(LONG)
    saved(page)
    expect(page.locator("#card-values")).to_contain_text("<svg onload=alert(11)>, random")
    nothing_is_made_of_it(page)
    page.get_by_role("button", name="Play").click()
    expect(page.locator("form.scene")).to_be_visible()
    nothing_is_made_of_it(page)


def test_a_report_runs_no_code(visit: Visit, server: AppServer) -> None:
    page = visit("high-card")
    reports: Any = server.app.state.studio_jobs.reports
    made = ReportJob()
    made.page = b"<h1>Found</h1><script>alert(1)</script><img src=x onerror=alert(1)><style>h1 { color: red }</style>"
    known = reports.of

    async def of(*_: object) -> ReportJob:
        return made

    reports.of = of
    page.goto(f"{page.url}/report")
    reports.of = known
    expect(page.get_by_role("heading", name="Found")).to_have_css("color", "rgb(255, 0, 0)")


@pytest.mark.parametrize(("scheme", "size"), [("light", LAPTOP), ("dark", PHONE)])
def test_axe_finds_nothing_in_the_balance_panel(visit: Visit, scheme: str, size: dict[str, int]) -> None:
    page = visit("make-your-moves", color_scheme=scheme, viewport=size)
    page.get_by_role("group", name="Card 1", exact=True).get_by_label("Name").focus()
    expect(page.locator("#card-values")).to_contain_text("seats that draw it win")
    if (show := page.get_by_role("button", name="Show preview")).count():  # folded on phones
        show.click()
    page.get_by_text("All statistics").click()
    for path in ("", f"{page.url}/report", f"{page.url}/learn"):
        if path:
            page.goto(path)
        assert_accessible(page)
