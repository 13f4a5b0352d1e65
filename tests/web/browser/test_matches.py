"""Whole matches in a real browser: by mouse, by keyboard and by two people; reload; a killed server."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, ViewportSize, expect

from sparring import games
from web.app_server import AppServer
from web.browser_helpers import WITH_MOTION, new_context
from web.server_process import ServerProcess

pytestmark = pytest.mark.browser

LAPTOP: ViewportSize = {"width": 1280, "height": 720}
PHONE: ViewportSize = {"width": 360, "height": 740}
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
ROLES: tuple[Literal["link", "button"], ...] = ("link", "button")
CHOICE = "#table button[name=choice]"

Visit = Callable[..., Page]

# Long timeouts for busy machines; nothing here waits longer than it must.
expect.set_options(timeout=60_000)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    started = ServerProcess(tmp_path_factory.mktemp("server"))
    yield started
    started.stop()


@pytest.fixture
def visit(browser: Browser, server: ServerProcess | AppServer) -> Iterator[Visit]:
    """Return a function that opens a new person's browser; fail on errors in it and requests to other hosts."""
    contexts, wrong = [], list[str]()

    def visit(path: str = "/", **more: Any) -> Page:
        context = new_context(browser, server.url, **{"viewport": LAPTOP, **more})
        context.set_default_timeout(60_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text) if _is_wrong(message) else None)
        page.on("request", lambda request: None if request.url.startswith(server.url) else wrong.append(request.url))
        page.on("response", lambda answer: wrong.append(answer.url) if _is_missing(answer) else None)
        page.goto(path)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not wrong


def _is_wrong(message: Any) -> bool:
    """Return whether a console message is an error, apart from responses that tests provoke."""
    return message.type == "error" and "Failed to load resource" not in message.text


def _is_missing(answer: Any) -> bool:
    return answer.status >= 400 and answer.request.resource_type in ("script", "stylesheet", "image")


def open_table(page: Page, *others: str, turns: int = 20) -> None:
    """Create a table of Make Your Moves from the start page."""
    page.get_by_role("link", name="Customize Make Your Moves").click()
    page.get_by_label("Your name").fill("Anna")
    for seat, who in enumerate(others, 2):
        page.get_by_label(f"Seat {seat}", exact=True).select_option(who)
    page.get_by_text("Rule options").click()
    page.get_by_label("Turn limit").fill(str(turns))
    page.get_by_role("button", name="Create table").click()
    expect(page.locator("form.scene")).to_be_visible()


def state(page: Page) -> str:
    """`choose`, `over` or `wait`."""
    if page.locator("form.scene.over").count():
        return "over"
    return "choose" if page.locator(CHOICE).count() else "wait"


def wait_for_state(page: Page, *wanted: str) -> str:
    page.wait_for_load_state()  # before its script runs, a page posts plain forms and reloads
    page.wait_for_function(
        """wanted => {
            const scene = document.querySelector("form.scene");
            const choice = scene.querySelector("button[name=choice]");
            return wanted.includes(scene.classList.contains("over") ? "over" : choice ? "choose" : "wait");
        }""",
        arg=list(wanted),
    )
    return state(page)


def version(page: Page) -> str:
    return page.locator("form.scene").get_attribute("data-version") or ""


def changed(page: Page, before: str) -> None:
    page.wait_for_function("before => document.querySelector('form.scene').dataset.version !== before", arg=before)


def rest(page: Page) -> None:
    """Wait until nothing moves: a click within one frame would miss a moving card."""
    page.evaluate("Promise.all(document.getAnimations().map(each => each.finished.catch(() => {})))")


def click(page: Page) -> None:
    """Choose by mouse: the main button if there is one, else the first choice."""
    rest(page)
    before = version(page)
    main = page.locator(f"{CHOICE}.main")
    (main if main.count() else page.locator(CHOICE)).first.click(position={"x": 12, "y": 12})
    changed(page, before)


def type_choice(page: Page) -> None:
    """Choose by keyboard: press Tab until a choice has the focus, then Enter."""
    before = version(page)
    for _ in range(60):
        if page.evaluate("document.activeElement.name === 'choice'"):
            page.keyboard.press("Enter")
            changed(page, before)
            assert page.evaluate("document.activeElement !== document.body"), "the focus is lost after a choice"
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab reaches no choice")


def play(page: Page, choose: Callable[[Page], None], times: int = 1000) -> None:
    """Play until the match is over, or this many choices."""
    for _ in range(times):
        if wait_for_state(page, "choose", "over") == "over":
            return
        choose(page)


def test_a_whole_match_by_mouse(visit: Visit) -> None:
    page = visit(**WITH_MOTION)
    open_table(page, "random", "random")
    play(page, click)
    expect(page.locator("form.scene.over")).to_be_visible()
    assert page.locator(".history #log li").count() > 20
    assert page.locator("#log li").last.is_visible()
    with page.expect_download() as record:
        page.get_by_role("link", name="Download").click()
    assert '"seed"' in Path(record.value.path()).read_text(encoding="utf-8")
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("form.scene:not(.over)")).to_be_visible()


def test_a_whole_match_by_keyboard(visit: Visit) -> None:
    page = visit()
    tab_to(page, "Customize Make Your Moves Lite")
    tab_to(page, "Your name", "Anna")
    tab_to(page, "Seat 2", "Random")
    tab_to(page, "Create table")
    expect(page.locator("form.scene")).to_be_visible()
    play(page, type_choice, 40)
    for panel in ("Rules", "Table"):
        tab_to(page, panel)
        expect(page.locator(".panel:popover-open")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".panel:popover-open")).to_have_count(0)
        assert page.evaluate("document.activeElement.textContent") == panel
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".panel:popover-open")).to_have_count(0)
    assert page.evaluate("document.activeElement.textContent") == "Table"  # if they were requested
    play(page, type_choice)
    expect(page.locator("form.scene.over")).to_be_visible()


def tab_to(page: Page, name: str, text: str = "") -> None:
    """Press Tab until the element of this name has the focus; press Enter there, or type."""
    link, button = (page.get_by_role(role, name=name, exact=True) for role in ROLES)
    target = page.get_by_label(name) if text else link.or_(button)
    for _ in range(60):
        if target.first.evaluate("element => element === document.activeElement"):
            return page.keyboard.type(text) if text else page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab doesn't reach {name}")


def test_two_browsers_against_each_other(visit: Visit) -> None:
    anna = visit()
    open_table(anna, "open")
    anna.get_by_role("button", name="Table", exact=True).click()
    link = anna.get_by_label("Invite link", exact=True).input_value()
    anna.keyboard.press("Escape")
    ben = visit(link)
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Take seat 2").click()
    expect(anna.locator(".seat", has_text="Ben")).to_be_visible()
    expect(anna.locator("#sitting")).to_contain_text("Ben")
    expect(anna.locator("#open-seats")).to_have_attribute("data-waiting", "none")
    for _ in range(1000):
        states = [wait_for_state(anna, "choose", "wait", "over"), wait_for_state(ben, "choose", "wait", "over")]
        if "over" in states:
            break
        if "choose" in states:
            click((anna, ben)[states.index("choose")])
    for page in (anna, ben):
        assert wait_for_state(page, "over") == "over"
    assert anna.locator(".history").inner_text()
    anna.get_by_role("button", name="Play again").click()
    ben.get_by_role("link", name="Go to the rematch").click()
    anna.wait_for_url(ben.url)
    assert ben.locator(".seat.s1", has_text="Ben").count() == 1


def test_reload_during_a_match(visit: Visit) -> None:
    page = visit()
    open_table(page, "random")
    play(page, click, 3)
    wait_for_state(page, "choose")
    before = version(page), page.locator(CHOICE).all_text_contents(), page.locator("#log li").all_text_contents()
    page.reload()
    after = version(page), page.locator(CHOICE).all_text_contents(), page.locator("#log li").all_text_contents()
    assert after == before
    play(page, click, 5)


def test_a_killed_server_loses_nothing(visit: Visit, server: ServerProcess) -> None:
    page = visit()
    open_table(page, "random")
    play(page, click, 3)
    wait_for_state(page, "choose")
    before = version(page), page.locator(CHOICE).all_text_contents()
    server.kill()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    server.start()
    expect(page.get_by_text("Connection lost")).to_be_hidden()
    assert (version(page), page.locator(CHOICE).all_text_contents()) == before
    play(page, click, 8)
    page.reload()
    assert page.locator("#log li").count() > 5


@pytest.mark.parametrize("arrives", [False, True])
def test_an_unanswered_choice_is_resolved_on_reconnect(visit: Visit, arrives: bool) -> None:
    page = visit()
    open_table(page, "random")
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


def test_a_choice_during_a_pending_request_is_not_lost(visit: Visit) -> None:
    page = visit()
    open_table(page, "random", "random")
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
    open_table(page, "random", "random")
    while wait_for_state(page, "choose", "wait") == "wait":
        page.reload()  # it can't receive the choices of others
    click(page)


def test_repeated_clicks_send_a_choice_once(visit: Visit) -> None:
    page = visit()
    open_table(page, "random", "random")
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


def test_forms_work_without_javascript(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    page.get_by_role("link", name="Customize Make Your Moves").click()
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Seat 2", exact=True).select_option("open")
    page.get_by_role("button", name="Create table").click()
    ben = visit(page.url, java_script_enabled=False)
    ben.get_by_label("Your name").fill("Ben")
    ben.get_by_role("button", name="Take seat 2").click()
    page.reload()
    asked = page
    for _ in range(12):
        if not asked.locator(CHOICE).count():
            asked = ben if asked is page else page
            asked.reload()
        before = version(asked)
        asked.locator(CHOICE).first.click(position={"x": 12, "y": 12})
        assert version(asked) != before


def test_nothing_scrolls_during_play(visit: Visit) -> None:
    page = visit()
    open_table(page, "random", "random", "random")
    for _ in range(6):
        play(page, click, 1)
        wait_for_state(page, "choose", "over")
        for size in (PHONE, SIDEWAYS, {"width": 820, "height": 1180}, {"width": 1920, "height": 1080}, LAPTOP):
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            rest(page)
            assert page.evaluate(
                """() => ["html", "body", "main", "form.scene"].map(name => document.querySelector(name))
                    .filter(e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1)
                    .map(e => e.className || e.tagName)"""
            ) == [], size  # fmt: skip


@pytest.mark.parametrize("game", list(games()))
def test_landscape_phones_show_table_and_hand(visit: Visit, game: str) -> None:
    page = visit(f"/games/{game}", viewport=SIDEWAYS)
    page.get_by_label("Your name").fill("Anna")
    page.get_by_label("Seat 2", exact=True).select_option("random")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_load_state()
    for _ in range(5):
        sizes = page.evaluate(
            """() => [".side.middle", ".ask"].map(name => document.querySelector(name).getBoundingClientRect())
                .map(box => [box.width, box.height])"""
        )
        # Fighters to pick take two thirds of the width and the full height; the question may have one line there.
        least = (270, 20) if page.locator('[data-key="roster"]').count() else (300, 60)
        assert all(width > least[0] and height > least[1] for width, height in sizes), sizes
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        play(page, click, 1)


TOPS_OF = """async (risen) => {
    const tops = new Set();
    for (let frame = 0; frame < 12; frame++) {
        await new Promise(requestAnimationFrame);
        tops.add(risen.getBoundingClientRect().top);
    }
    return tops.size;
}"""


@pytest.mark.parametrize("what", [".held button.card.can", ".buttons button"])
def test_a_raised_card_stays_raised_at_its_edge(visit: Visit, what: str) -> None:
    page = visit()
    open_table(page, "random")
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
def test_a_moving_card_can_be_chosen(visit: Visit, away: int) -> None:
    """Click where the card will be, or where it is just now."""
    page = visit()
    open_table(page, "random")
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
