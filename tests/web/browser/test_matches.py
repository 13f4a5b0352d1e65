"""Whole matches in a real browser: by mouse, by keyboard and by two people; reload, and lost answers."""

import pytest
from playwright.sync_api import APIResponse, Route, expect

from sparring.server.requests.event_stream import FAILED, encode_event
from web.app_server import AppServer
from web.browser.pages import TOPS_OF
from web.browser.visits import (
    CHOICE,
    Visit,
    changed,
    click,
    play,
    seated,
    start_match,
    version,
    wait_for_state,
)
from web.browser_helpers import rest

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("arrives", [False, True])
def test_an_unanswered_choice_is_resolved_on_reconnect(visit: Visit, server: AppServer, arrives: bool) -> None:
    page = seated(visit, server, "bot")
    wait_for_state(page, "choose")
    before = version(page)

    def lose(route: Route) -> None:
        if arrives:
            route.fetch()
        route.abort()

    page.route("**/choose", lose)
    page.route("**/events*", lambda route: route.abort())
    page.locator(CHOICE).first.click(position={"x": 12, "y": 12})
    expect(page.get_by_text("No answer from the server")).to_be_visible()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    page.unroute_all()
    expect(page.get_by_text("No answer from the server")).to_be_hidden()
    expect(page.get_by_text("Connection lost")).to_be_hidden()
    if arrives:
        changed(page, before)
    else:
        assert (version(page), wait_for_state(page, "choose")) == (before, "choose")
    play(page, click, 3)


def test_a_stream_that_failed_says_why_and_opens_again(visit: Visit, server: AppServer) -> None:
    page = seated(visit, server, "bot")
    wait_for_state(page, "choose")
    body = encode_event("The disk is full.", FAILED).decode()
    page.route("**/events*", lambda route: route.fulfill(body=body, content_type="text/event-stream"))
    for shown in ("hidden", "visible"):  # a hidden page closes its stream
        page.evaluate(
            """shown => {
                Object.defineProperty(document, "hidden", { configurable: true, value: shown === "hidden" });
                document.dispatchEvent(new Event("visibilitychange"));
            }""",
            shown,
        )
    expect(page.get_by_text("The disk is full. Reconnecting …")).to_be_visible()
    page.unroute_all()
    expect(page.get_by_text("The disk is full.")).to_be_hidden()
    play(page, click, 1)


def test_a_choice_during_a_pending_request_is_not_lost(visit: Visit, server: AppServer) -> None:
    page = seated(visit, server, "bot", "bot")
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    page.route("**/choose", hold)
    play(page, click, 3)
    held[0][0].fulfill(response=held[0][1])
    expect(page.locator("#refusal")).to_be_hidden()


def test_a_silently_dead_stream_is_replaced(visit: Visit) -> None:
    page = visit()
    page.context.add_init_script(
        """const Real = EventSource;
        let made = 0;
        window.EventSource = class extends Real { set onmessage(hear) { if (made++) super.onmessage = hear; } };"""
    )
    start_match(page, "random", "random")
    while wait_for_state(page, "choose", "wait") == "wait":
        page.reload()  # it can't receive the choices of others
    click(page)


def test_repeated_clicks_send_a_choice_once(visit: Visit, server: AppServer) -> None:
    page = seated(visit, server, "bot", "bot")
    wait_for_state(page, "choose")
    sent: list[Route] = []

    def hold(route: Route) -> None:
        sent.append(route)

    page.route("**/choose", hold)
    before = version(page)
    for _ in range(3):
        page.locator(CHOICE).first.click(position={"x": 12, "y": 12})
    assert len(sent) == 1
    sent[0].continue_()
    changed(page, before)
    expect(page.locator("#refusal")).to_be_hidden()


@pytest.mark.parametrize("what", [".held button.card.can", ".buttons button"])
def test_a_raised_card_stays_raised_at_its_edge(visit: Visit, server: AppServer, what: str) -> None:
    page = seated(visit, server, "bot")
    for _ in range(30):
        wait_for_state(page, "choose")
        if page.locator(what).count():
            break
        click(page)
    page.mouse.move(2, 2)
    risen = page.locator(what).first
    box = risen.bounding_box()
    assert box
    for height in (1, box["height"] / 2, box["height"] - 1):
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + height)
        page.wait_for_function("what => document.querySelector(what).matches(':hover')", arg=what)
        assert risen.evaluate(TOPS_OF) == 1, f"it rises and falls with the mouse at {height} of {box['height']}"
        page.mouse.move(2, 2)
        page.wait_for_function("what => !document.querySelector(what).matches(':hover')", arg=what)


@pytest.mark.parametrize("away", [0, -200])
def test_a_moving_card_can_be_chosen(visit: Visit, server: AppServer, away: int) -> None:
    """Click where the card will be, or where it is just now."""
    page = seated(visit, server, "bot")
    cards = page.locator(".held button[name=choice]")
    while wait_for_state(page, "choose") and not cards.count():
        click(page)
    rest(page)
    sent = list[int]()
    page.route("**/choose", lambda route: sent.append(route.request.post_data_json["choice"]))
    box = cards.first.bounding_box()
    assert box
    fly = "card => card.animate([{ translate: '0 -200px' }, { translate: '0 -199px' }], { duration: 60_000 })"
    cards.first.evaluate(fly)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 + away)
    with page.expect_request("**/choose"):
        page.mouse.down()
        page.mouse.up()
    assert sent == [int(cards.first.get_attribute("value") or -1)]
