"""Tutorial pages: with forms only, by mouse, by keyboard; leaving and returning; accessibility."""

import re
from collections.abc import Callable
from html import unescape

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from sparring.engine.game import game
from sparring.tutorials import LessonState, lesson_of
from web.app_server import AppServer, Client
from web.browser_helpers import LAPTOP, PHONE, assert_accessible, rest
from web.pages.page_text import TAUGHT, step, text_of

POINTED = re.compile(r'name="choice" value="(\w+)" data-pointed')
Visit = Callable[..., Page]


def post(client: Client, page: httpx.Response, choice: str) -> httpx.Response:
    """Press a button on the page."""
    action = re.search(r'<form[^>]* action="([^"]+)"', page.text)
    assert action
    return client.http.post(unescape(action[1]), data={"choice": choice, "version": "0"}, follow_redirects=True)


@pytest.mark.parametrize("name", TAUGHT)
def test_a_whole_lesson_with_forms_only(server: AppServer, name: str) -> None:
    client = server.stranger()
    page = client.get(f"/games/{name}/learn")
    met = []
    while number := step(page.text):
        assert page.status_code == 200
        met.append(number)
        page = post(client, page, POINTED.findall(page.text)[0])
    assert sorted(set(met)) == list(range(1, len(lesson_of(game(name)).steps) + 1))
    assert "What you've learned" in page.text
    assert re.search(f'action="/play/{name}"><button class="main" name="with" value="bot">Play now<', page.text)


def test_the_deciding_exchange_is_on_the_table_at_the_end_of_a_lesson(server: AppServer) -> None:
    client = server.stranger()
    page = client.get("/games/make-your-moves/learn")
    while step(page.text):
        page = post(client, page, POINTED.findall(page.text)[0])
    exchange = page.text.partition('class="exchange"')[2]
    for card in ("Powerbomb", "Knee", "Skull", "Chokeslam", "Fury"):
        assert f'aria-label="{card}' in exchange, card


def test_an_unwanted_choice_gets_its_reason_and_keeps_the_step(server: AppServer) -> None:
    client = server.stranger()
    page = post(client, client.get("/games/make-your-moves/learn?made="), "121")
    assert step(page.text) == 2
    jab = next(choice for choice in re.findall(r'name="choice" value="(\d+)"', page.text) if choice == "0")
    refused = post(client, page, jab)
    assert step(refused.text) == 2
    assert "That would be a legal attack, but you can reach 8" in text_of(refused.text)
    assert "Ladder" not in text_of(post(client, page, "60").text)  # a card that no one holds: refused with a message
    assert step(post(client, refused, "15").text) == 2
    assert "You play Piledriver: 3." in text_of(post(client, refused, "15").text)


def test_one_tap_makes_all_choices_of_a_step(server: AppServer) -> None:
    client = server.stranger()
    page = client.get("/games/untitled-movement/learn?made=")
    while step(page.text) < 3:
        page = post(client, page, POINTED.findall(page.text)[0])
    assert re.findall(r'name="choice" value="([^"]*;[^"]*)"', page.text) == ["token f5; to h5"]  # and not to g5
    refused = post(client, page, "token f5; to g5")
    assert step(refused.text) == 3
    assert "with two moves you can get to" in text_of(refused.text)
    assert step(post(client, refused, "token f5; to h5; roll").text) == 3  # the roll belongs to the next step
    assert step(post(client, refused, "token f5; to h5").text) == 4


def test_a_returning_learner_is_at_the_same_step(server: AppServer) -> None:
    client = server.stranger()
    page = client.get("/games/mace/learn")
    for _ in range(4):
        page = post(client, page, POINTED.findall(page.text)[0])
    there = step(page.text)
    assert there == 5
    client.get("/")
    assert step(client.get("/games/mace/learn").text) == there
    back = re.search(r'id="back" href="([^"]+)"', page.text)
    assert back
    assert step(client.get(unescape(back[1])).text) == there - 1
    assert step(client.get("/games/mace/learn?made=").text) == 1
    assert step(server.stranger().get("/games/mace/learn").text) == 1


@pytest.mark.parametrize(
    ("made", "valid"),
    [("nonsense", 1), ("9" * 5000, 1), ("on." * 500, 1), ("1.2.3", 1), ("%00", 1), ("-1", 1), ("121.٣", 2)],
)
def test_an_invalid_address_starts_at_the_last_valid_step(server: AppServer, made: str, valid: int) -> None:
    assert step(server.stranger().get(f"/games/make-your-moves/learn?made={made}").text) == valid


@pytest.mark.parametrize("choice", ["", "nonsense", ";", "roll; nonsense", "roll;" * 500, "9" * 3000, "-1", "on"])
def test_an_invalid_post_changes_nothing(server: AppServer, choice: str) -> None:
    client = server.stranger()
    page = post(client, client.get("/games/make-your-moves/learn"), choice)
    assert page.status_code == 200
    assert step(page.text) == 1
    assert 'role="alert"' in page.text


def test_a_game_without_a_lesson_has_neither_page_nor_link(server: AppServer) -> None:
    client = server.stranger()
    missing = client.get("/games/hush/learn")
    assert missing.status_code == 404
    assert "has no tutorial" in missing.text
    for path in ("/", "/games/hush", "/games/hush/rules"):
        assert "/games/hush/learn" not in client.get(path).text


@pytest.mark.parametrize("name", TAUGHT)
def test_a_game_with_a_lesson_is_linked_to_it_everywhere(server: AppServer, name: str) -> None:
    for path in ("/", f"/games/{name}", f"/games/{name}/rules"):
        assert f'href="/games/{name}/learn"' in server.stranger().get(path).text


@pytest.mark.parametrize("name", TAUGHT)
def test_the_coachs_hidden_cards_are_not_in_the_page(server: AppServer, name: str) -> None:
    page = server.stranger().get(f"/games/{name}/learn?made=").text
    hidden = {"make-your-moves": "Suplex", "mace": "9S", "five-circles": "Puddle Frog"}.get(name)
    assert hidden is None or hidden not in page


# In a real browser


def progress_of(page: Page) -> str:
    """Return the step that the page shows."""
    shown = page.locator(".progress")
    return (shown.text_content() or "").strip() if shown.count() else "the end"


GONE_ON = "address => location.href !== address && !document.querySelector('#table[aria-busy]')"


def follow(page: Page, press: Callable[[Page], None], look: Callable[[Page], None]) -> list[str]:
    """Follow the highlighted targets to the end of a lesson."""
    steps = []
    while (here := progress_of(page)) != "the end":
        if here not in steps:
            steps.append(here)
            look(page)
        address = page.url
        press(page)
        page.wait_for_function(GONE_ON, arg=address)
    return steps


def click(page: Page) -> None:
    rest(page)
    menu = page.locator(".pick:visible:has(+ .choices [data-pointed])")  # several actions of a card on phones
    if menu.count():
        menu.click()
    page.locator("button[name=choice][data-pointed]").first.click(position={"x": 12, "y": 12})


@pytest.mark.browser
def test_a_press_during_the_animation_is_not_swallowed(server: AppServer, visit: Visit) -> None:
    """It shows the next step at once; on the thing to choose next, it chooses it."""
    page = visit("/games/make-your-moves/learn")
    while "an attack of 8" not in page.locator(".words .say").inner_text():
        address = page.url
        click(page)
        page.wait_for_function(GONE_ON, arg=address)
    page.evaluate("localStorage.setItem('sparring.pace', 'calm')")
    page.reload()
    click(page)
    expect(page.locator(".scene.telling")).to_be_visible()
    page.locator(".held .place").first.click()
    page.wait_for_function(
        "() => document.querySelector('.words .say').innerText.includes('Your 8 beats that')", timeout=900
    )
    page.evaluate(
        """async () => {
            const script = document.querySelector("script[src*='/table/']");
            const { player } = await import(script.src.replace("lesson", "beats"));
            const root = document.createElement("div");
            document.body.append(root);
            const scene = (inside) => {
                const made = document.createElement("form");
                made.className = "scene";
                made.innerHTML = inside;
                return made;
            };
            const card = "<p data-key='card 1'><button type=button data-pointed>Card</button></p>";
            root.addEventListener("click", ({ target }) => target.matches("[data-pointed]") && (window.chosen = true));
            const lines = "<div class=told><ul><li>A sentence.</li></ul></div>";
            const told = scene(`${card.replace(" data-pointed", "")}${lines}`);
            const show = (step) => root.replaceChildren(step.scene);
            player(root, { show, pass() {}, settle() {}, eager: true, pause: 0 })
                .add([{ scene: told }, { scene: scene(card), rests: true }]);
            root.querySelector("button").click();
        }"""
    )
    assert page.evaluate("chosen")


def enter(page: Page) -> None:
    """Press Enter on the target: it has the focus, and Tab reaches it from the top of the page."""
    for _ in range(60):
        if page.evaluate("document.activeElement.matches('button[name=choice][data-pointed]')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def is_in_view(page: Page) -> None:
    """Assert that nothing is wider than the page and the target is in view."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("[data-pointed]").first).to_be_in_viewport()


HAND = """[...document.querySelectorAll('.held .card')].filter(card => card.getClientRects().length)
    .every(card => card.getBoundingClientRect().width >= 44)"""
BELOW = """document.querySelector('.scene > .ask').getBoundingClientRect().top
    - document.querySelector('.scene > .middle').getBoundingClientRect().bottom"""


def is_in_view_on_a_phone(page: Page) -> None:
    """Assert that each card of the hand can be touched and the table ends above the prompt."""
    is_in_view(page)
    assert page.evaluate(HAND)
    assert page.evaluate(BELOW) < 2


@pytest.mark.browser
def test_a_whole_lesson_by_keyboard(visit: Visit) -> None:
    page = visit("/games/world-of-fighters/learn", viewport=PHONE, reduced_motion="reduce")
    page.wait_for_load_state()
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keyboard shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".panel:popover-open")).to_have_count(0)
    assert len(follow(page, enter, is_in_view_on_a_phone)) == len(lesson_of(game("world-of-fighters")).steps)
    expect(page.get_by_role("button", name="Play now")).to_be_focused()


SUBMIT = """() => {
    const button = document.querySelector("button[name=choice][data-pointed]");
    button.form.requestSubmit(button);
}"""
TOLD = "() => [...document.querySelectorAll('#table .telling .told li')].map(each => each.textContent)"


CUT_HANDS = """() => [...document.querySelectorAll(".held ul")].filter(hand => hand.scrollWidth > hand.clientWidth)
    .map(hand => `${hand.closest(".row").dataset.key}: ${hand.scrollWidth} in ${hand.clientWidth}`)"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "step"), [("untitled-movement", 1), ("make-your-moves", 3), ("world-of-fighters", 10)]
)
def test_a_button_to_press_has_the_same_ring_as_a_card(visit: Visit, name: str, step: int) -> None:
    made = ".".join(LessonState.at_step(game(name), lesson_of(game(name)), step).actions)
    page = visit(f"/games/{name}/learn?made={made}", reduced_motion="reduce")
    target = page.locator("#table .buttons button[data-pointed]")
    expect(target).to_have_count(1)
    ring = target.evaluate("each => getComputedStyle(each).boxShadow")
    width = 10 if target.evaluate("each => each.matches(':focus-visible')") else 6
    assert f"0px 0px 0px {width}px" in ring, "the focus has the wider ring"


@pytest.mark.browser
def test_the_hand_is_fully_visible_throughout_the_lesson_of_mace(visit: Visit) -> None:
    page = visit("/games/mace/learn?made=", reduced_motion="reduce")
    page.wait_for_load_state()

    def look(page: Page) -> None:
        for width, height in ((1280, 720), (1024, 768), (1366, 768), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            rest(page)
            assert page.evaluate(CUT_HANDS) == [], (progress_of(page), width, height)
            is_in_view(page)

    steps = follow(page, lambda page: page.evaluate(SUBMIT), look)
    assert len(steps) == len(lesson_of(game("mace")).steps)


#: The boards that scroll, and the tokens outside their board.
OUT_OF_SIGHT = """() => [...document.querySelectorAll(".board")].flatMap(board => {
    const room = board.getBoundingClientRect(), parts = [...board.querySelectorAll(".token")].filter(part => {
        const {left, right, top, bottom} = part.getBoundingClientRect();
        return left < room.left - 1 || right > room.right + 1 || top < room.top - 1 || bottom > room.bottom + 1;
    });
    const scrolls = board.scrollHeight > board.clientHeight + 1 || board.scrollWidth > board.clientWidth + 1;
    return [...parts.map(part => part.dataset.key), ...(scrolls ? ["scrolls"] : [])];
})"""


@pytest.mark.browser
@pytest.mark.parametrize(("name", "least"), [("mace", 27), ("untitled-movement", 25)])
def test_phones_show_a_whole_large_board_throughout_a_lesson(visit: Visit, name: str, least: int) -> None:
    """The board keeps its size and place from step to step, and its spaces can be tapped."""
    page = visit(f"/games/{name}/learn?made=", reduced_motion="reduce")
    spaces: set[tuple[int, ...]] = set()
    page.wait_for_load_state()

    def look(page: Page) -> None:
        for width, height in ((844, 390), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            rest(page)
            assert page.evaluate(OUT_OF_SIGHT) == [], (progress_of(page), width, height)
        assert page.locator(".seat.you .name").inner_text() == "You"
        if not page.locator(".scene.over").count():
            box = page.locator(".cell .ground").first.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= least
            spaces.add((round(box["x"]), round(box["y"]), round(box["width"]), round(box["height"])))

    follow(page, click, look)
    assert len(spaces) == 1


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "card", "width"), [("five-circles", ".lanes .card", 70), ("make-your-moves", ".middle .card", 45)]
)
def test_phones_show_large_cards_in_a_lesson(visit: Visit, name: str, card: str, width: int) -> None:
    made = ".".join(LessonState.at_step(game(name), lesson_of(game(name)), 4).actions)
    page = visit(f"/games/{name}/learn?made={made}", reduced_motion="reduce", viewport={"width": 390, "height": 844})
    assert page.locator(card).first.evaluate("card => card.offsetWidth") >= width
    expect(page.locator("#words .main")).to_be_in_viewport()


@pytest.mark.browser
def test_the_label_of_a_choice_is_small_in_a_lesson(visit: Visit) -> None:
    """Labels on the table and the lesson's text have the same class."""
    page = visit("/games/make-your-moves/learn?made=", viewport=PHONE)
    label = page.locator(".seat .cover .words").bounding_box()
    assert label
    assert label["height"] < 24


@pytest.mark.browser
def test_beats_play_before_the_next_text_of_a_lesson(visit: Visit) -> None:
    page = visit("/games/make-your-moves/learn?made=", pace="calm", reduced_motion="reduce")
    page.wait_for_load_state()
    words = page.locator("#words")
    beats = list[list[str]]()
    while len(beats) < 2:
        here, address = words.inner_text(), page.evaluate("location.href")
        page.evaluate(SUBMIT)  # a click just after the beats would count as a skip
        page.wait_for_function("address => location.href !== address", arg=address)
        beats = []
        while told := page.evaluate(TOLD):
            beats.append(told)
            assert words.inner_text() == here
            page.keyboard.press("Space")
        assert words.inner_text() != here
    assert len({" ".join(lines) for lines in beats}) == len(beats)
    page.reload()
    assert page.evaluate(TOLD) == []


@pytest.mark.browser
def test_a_second_continue_while_loading_matches_the_address(visit: Visit) -> None:
    page = visit("/games/make-your-moves/learn", reduced_motion="reduce")
    page.wait_for_load_state()
    progress = page.locator(".progress")
    while "Step 3" not in progress.inner_text():
        address = page.url
        click(page)
        page.wait_for_function("address => location.href !== address", arg=address)

    def go_on(route: Route) -> None:
        expect(progress).to_contain_text("Step 2")
        page.evaluate("history.forward()")
        route.continue_()

    page.route("**/lesson.js", go_on, times=1)
    page.go_back(wait_until="commit")
    page.wait_for_load_state()
    expect(progress).to_contain_text("Step 3")


@pytest.mark.browser
@pytest.mark.parametrize(("scheme", "size"), [("light", LAPTOP), ("dark", PHONE)])
def test_lessons_are_accessible(visit: Visit, scheme: str, size: dict[str, int]) -> None:
    page = visit("/games/five-circles/learn", color_scheme=scheme, viewport=size, reduced_motion="reduce")
    page.wait_for_load_state()

    def check(page: Page) -> None:
        rest(page)
        assert_accessible(page)

    follow(page, click, check)
    check(page)
