"""Replays in a browser: slider, keys, speed of beats, other seats, accessibility."""

import re

import pytest
from playwright.sync_api import Page, expect

from sparring.site.replay.record_sandbox import timeline_of
from web.app_server import AppServer
from web.browser_helpers import LOOKS, check
from web.replay.replay_pages import OpenReplay, open_replay
from web.replay.replayed_matches import GAME, finished

pytestmark = pytest.mark.browser
__all__ = ["open_replay"]  # a fixture

expect.set_options(timeout=60_000)

SIZES = ({"width": 1280, "height": 720}, {"width": 390, "height": 844})


@pytest.fixture(scope="module")
def table(server: AppServer) -> str:
    """Create a finished match of Make Your Moves."""
    return finished(server, "Anna", "Ben", name=GAME)


def expect_moment(page: Page, at: int) -> None:
    """Assert that every part of the page shows this moment."""
    expect(page.locator(".scrub output")).to_have_text(re.compile(rf"^{at} of"))
    expect(page).to_have_url(re.compile(rf"at={at}$"))
    expect(page.locator("#at")).to_have_value(str(at))


def test_keys_and_slider_reach_every_moment(open_replay: OpenReplay, table: str) -> None:
    page = open_replay(f"/table/{table}/replay?view=1&at=0")
    last = int(page.locator("#table").get_attribute("data-last") or 0)
    page.keyboard.press("ArrowRight")
    expect_moment(page, 1)
    page.keyboard.press("End")
    expect_moment(page, last)
    expect(page.locator("form.scene.over")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect_moment(page, last - 1)
    page.locator("#at").focus()
    page.keyboard.press("Home")
    expect_moment(page, 0)
    page.locator("#at").fill("7")
    expect_moment(page, 7)
    expect(page.locator("#link-here")).to_have_value(re.compile("at=7$"))
    page.get_by_role("link", name="Step forward").click()
    expect_moment(page, 8)
    page.reload()
    expect_moment(page, 8)


def test_a_key_shows_and_hides_the_list_of_keys(open_replay: OpenReplay, table: str) -> None:
    page = open_replay(f"/table/{table}/replay?view=1&at=1")
    page.locator("#play").focus()
    page.keyboard.press("?")
    keys = page.locator("#keys-panel")
    expect(keys).to_be_visible()
    expect(keys).to_contain_text("previous and next step")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(page.locator("#play")).to_be_focused()


@pytest.mark.parametrize("size", SIZES)
def test_buttons_beside_the_slider_work_without_a_reload(
    open_replay: OpenReplay, table: str, size: dict[str, int]
) -> None:
    page = open_replay(f"/table/{table}/replay?view=1&at=0", viewport=size)
    parts = [part.bounding_box() for part in page.locator(".reel > :visible").all()]
    for number, one in enumerate(parts):
        assert one
        for other in parts[:number]:
            assert other
            beside = one["x"] + 1 > other["x"] + other["width"] or other["x"] + 1 > one["x"] + one["width"]
            assert beside or one["y"] + 1 > other["y"] + other["height"] or other["y"] + 1 > one["y"] + one["height"]
    page.evaluate("window.same = true")
    page.get_by_role("link", name="Step forward").click()
    expect_moment(page, 1)
    assert page.evaluate("window.same")


def test_events_play_beat_by_beat(open_replay: OpenReplay, server: AppServer, table: str) -> None:
    timeline = timeline_of(server.stranger().get(f"/table/{table}/record").text)
    beats = [moment.version.beats for moment in timeline.viewer_timeline(1).moments]
    at = next(number for number, told in enumerate(beats) if len(told) > 1 and told[0].view.beat)
    page = open_replay(f"/table/{table}/replay?view=1&at={at - 1}", "usual")
    page.keyboard.press("ArrowRight")
    expect_moment(page, at)
    expect(page.locator(".scene.telling .told")).to_contain_text(str(beats[at][0].lines[-1]).split(" ")[-1])
    for _ in range(len(beats[at])):
        page.clock.run_for(10_000)
    expect(page.locator(".scene.telling")).to_have_count(0)
    expect_moment(page, at)
    expect(page.locator(".history .log .now")).not_to_have_count(0)


@pytest.mark.parametrize("size", [*SIZES, {"width": 844, "height": 390}])
def test_the_history_is_in_the_side_panel_as_at_a_table(
    open_replay: OpenReplay, table: str, size: dict[str, int]
) -> None:
    page = open_replay(f"/table/{table}/replay?view=1&at=4", viewport=size)
    history = page.locator(".beside .history .log")
    if size["width"] < 1000:
        expect(history).not_to_be_visible()
        page.get_by_role("button", name="History").click()
    before = history.locator("li").all_inner_texts()
    expect(history).to_be_visible()
    page.get_by_role("link", name="Step forward").click()
    expect_moment(page, 5)
    expect(history).to_be_visible()
    assert history.locator("li").all_inner_texts() != before


def test_play_runs_to_the_end_and_pause_stops_it(open_replay: OpenReplay, table: str) -> None:
    page = open_replay(f"/table/{table}/replay?view=0&at=0", "usual")
    last = int(page.locator("#table").get_attribute("data-last") or 0)
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect_moment(page, 1)
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(60_000)
    expect_moment(page, 1)
    page.locator("#at").fill(str(last - 1))
    expect_moment(page, last - 1)
    page.get_by_role("button", name="Play").click()
    expect_moment(page, last)
    page.clock.run_for(60_000)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_another_seat_sees_the_same_moment(open_replay: OpenReplay, table: str) -> None:
    page = open_replay(f"/table/{table}/replay?at=20")
    page.get_by_label("Point of view").select_option("2")
    expect(page).to_have_url(re.compile("choices=20&view=2$"))
    expect(page.locator(".seat.s2.you")).to_be_visible()


def test_links_and_forms_work_without_javascript(open_replay: OpenReplay, table: str) -> None:
    page = open_replay(f"/table/{table}/replay?view=1&at=3", java_script_enabled=False)
    page.get_by_role("link", name="Step forward").click()
    expect(page).to_have_url(re.compile("view=1&at=4$"))
    page.locator("#at").evaluate("input => (input.value = 9)")
    page.locator(".scrub").get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile("view=1&at=9$"))
    expect(page.locator(".scrub output")).to_have_text(re.compile("^9 of"))


@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_the_replay_is_accessible(open_replay: OpenReplay, table: str, scheme: str, size: dict[str, int]) -> None:
    for path in (f"/table/{table}/replay?at=20", f"/table/{table}/replay?view=1&at=9999", "/records"):
        page = open_replay(path, stands=False, color_scheme=scheme, viewport=size)
        check(page)
        expect(page.locator("#table [popover]:popover-open")).to_have_count(0)
        page.close()
