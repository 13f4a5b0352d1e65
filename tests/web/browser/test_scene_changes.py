"""What the page does when a scene replaces another, when it is pointed at, and when a part of it is opened."""

import pytest
from playwright.sync_api import expect

from games.make_your_moves.table import attacked
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.scene import Card, Face, PrintableScene, Prompt, Row, Seat
from web.app_server import AppServer
from web.browser.pages import BOXES, LAPTOP, PHONE, REPLACE, SIDEWAYS, SIZES, TABLET, TOPS_OF, Open, lay, resize
from web.browser.scenes import AT_THE_END, HINT, TOOLS, asked, at, beats, drawn
from web.browser.states import FIGHTERS
from web.browser_helpers import check, rest

pytestmark = pytest.mark.browser

FULL = {"game": "mace", "seats": 2, "hands": ["10S QS KH 10D QC", "2D 3D"], "charges": ["5C 6C 7C 8C 9C", ""]}
UPDATE = f"""async html => {{
    const hands = () => [...document.querySelectorAll(".held .row > ul")];
    hands().at(-1).scrollLeft = 30;
    await ({REPLACE})(html);
    return hands().map(hand =>
        ({{at: hand.scrollLeft, beyond: hand.scrollWidth - hand.clientWidth, roomy: hand.matches(".roomy")}}));
}}"""


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, TABLET])
def test_ten_cards_stay_where_they_were_scrolled_to(open_page: Open, size: tuple[int, int]) -> None:
    page, scene = open_page("mace", size), at(FULL)
    lay(page, scene)
    hand, charges = page.evaluate(UPDATE, scene)
    assert charges["at"] == min(30, charges["beyond"])
    assert charges["beyond"] > 0 or size is not PHONE
    # Cards move across the edge of a hand only where the hand needn't scroll.
    assert [row["roomy"] for row in (hand, charges)] == [row["beyond"] == 0 for row in (hand, charges)]


MOVED = """() => {
    const scene = document.querySelector(".scene");
    document.querySelector(".scene .sentence").style.translate = "0 400px";
    scene.scrollTop = 50;
    return scene.scrollTop;
}"""


def test_a_card_in_flight_moves_nothing_else(open_page: Open) -> None:
    page, scene = open_page("mace", PHONE), at(FULL)
    lay(page, scene)
    assert page.evaluate(MOVED) == 50
    page.evaluate(UPDATE, scene)
    assert page.evaluate(MOVED) == 0


def test_a_number_beyond_a_cards_edge_does_not_move_the_card(open_page: Open) -> None:
    """A card rises under the mouse, and the number beyond its corner rises with it, away from the mouse."""
    cards = tuple(Card(f"die {face}", Face(str(face)), count=3, action=face, words="roll") for face in (2, 5))
    scene = PrintableScene("dice", "Dice", "1", (Seat(1, you=True),), Prompt("Roll."), hand=(Row("d", "", cards),))
    page = open_page("make-your-moves", SIDEWAYS, reduced_motion="reduce")
    lay(page, drawn(scene))
    box = page.locator(".count").last.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
    assert page.locator(".held .card").last.evaluate(TOPS_OF) == 1


def test_stars_of_lost_health_are_gone_when_a_player_chooses(open_page: Open) -> None:
    page = open_page("world-of-fighters")
    scenes = [scene for scene in beats("world-of-fighters", 2) if 'class="hit"' in scene]
    assert {"telling" in scene.partition(">")[0] for scene in scenes} == {False, True}
    for scene in scenes:
        lay(page, scene)
        resting = page.locator(".scene:is(.telling, .over)").count() == 0
        assert page.locator(".token .hit").first.is_visible() != resting


#: How many different colours the spaces have that can be chosen.
COLOURS = """() => new Set([...document.querySelectorAll(".cell.can:not(.reach) .ground")]
    .map(ground => getComputedStyle(ground).fill)).size"""


def test_a_space_with_the_focus_is_marked_for_keyboards_only(open_page: Open) -> None:
    """After a click, the first space that can be chosen gets the focus; it is no suggestion."""
    position = {"game": "mace", "seats": 2, "phase": "move", "player": 1, "steps": 3}
    before, after = (at({**position, "fighters": places}) for places in (["0,0", "5,0"], ["-3,0", "5,0"]))
    page = open_page("mace", reduced_motion="reduce")
    page.route("**/choose", lambda route: route.abort())
    lay(page, before)
    page.locator(".cell.can:not(.reach) button").nth(12).click()
    page.mouse.move(600, 20)
    page.evaluate(REPLACE, after)
    assert page.locator(".cell.can:focus-within").count() == 1
    assert page.evaluate(COLOURS) == 1
    page.keyboard.press("ArrowDown")
    assert page.evaluate(COLOURS) == 2
    # The ring is inside the space: its neighbours are drawn later and would cover it.
    width, offset = page.locator(":focus-visible").evaluate(
        "each => [getComputedStyle(each).outlineWidth, getComputedStyle(each).outlineOffset].map(parseFloat)"
    )
    assert width + offset <= 0


#: Replace the scene, and return how large cards are when their movement begins, compared with where they end.
SIZES_AT_START = f"""async html => {{
    const sizes = [], animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, ...more) {{
        if (this.matches(".place") && frames[0].translate) sizes.push(frames[0].scale);
        return animate.call(this, frames, ...more);
    }};
    await ({REPLACE})(html);
    Element.prototype.animate = animate;
    return sizes;
}}"""


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_another_players_cards_do_not_fly_in_enlarged(open_page: Open, size: tuple[int, int]) -> None:
    fight = attacked("Red2 Yellow2", "", "Green1 Green1 Green1 Green1 Blue1", None)
    page = open_page("make-your-moves", size)
    lay(page, drawn(fight.match.view(1).scene))
    beat = next(iter(fight.play("S2: counter").match.beats(1)))
    sizes = page.evaluate(SIZES_AT_START, drawn(beat.view.scene))
    assert len(sizes) == 4
    assert max(sizes) <= 1


def test_a_new_question_has_no_frame(open_page: Open) -> None:
    """A frame as wide as the table looks like a text field; what changed on the table keeps its mark."""
    page = open_page("make-your-moves", reduced_motion="reduce")
    first, second = (asked("make-your-moves", seats).view(1).scene for seats in (2, 3))
    assert first.prompt.sentence != second.prompt.sentence
    lay(page, drawn(first))
    page.evaluate(REPLACE, drawn(second))
    assert page.locator(".changed").count() > 0
    assert page.locator(".sentence.changed").count() == 0


def test_the_focus_moves_from_the_hand_to_the_next_match(open_page: Open) -> None:
    page = open_page("make-your-moves")
    lay(page, drawn(asked("make-your-moves", 2).view(1).scene))
    page.locator(".held button").first.focus()
    page.evaluate(REPLACE, beats("make-your-moves", 2)[-1])
    assert AT_THE_END.partition(">")[0] in beats("make-your-moves", 2)[-1]
    expect(page.get_by_role("button", name="Play again")).to_be_focused()


def test_the_side_panel_slides_in_on_phones(open_page: Open) -> None:
    page, match = open_page("make-your-moves", PHONE), asked("make-your-moves", 2)
    lay(page, drawn(match.view(1).scene, hint=HINT, events=match.log(1)[-3:]))
    assert not page.locator(".beside").is_visible()
    page.locator(".latest").click()
    assert page.locator(".beside .hint").is_visible()
    assert page.locator(".history").is_visible()
    check(page)
    page.locator(".beside .close").click()
    assert not page.locator(".beside").is_visible()


@pytest.mark.parametrize("seats", [2, 4])
def test_a_card_with_several_actions_opens_a_menu(open_page: Open, seats: int) -> None:
    """It names the actions; the menu is in the window."""
    hands = ["9S 2H 3H 4C 5C", "JC 7D 5D 3D 2S", None, None][:seats]
    position = {"game": "mace", "seats": seats, "phase": "turn", "player": 1, "fighters": FIGHTERS[:seats]}
    page = open_page("mace")
    lay(page, at({**position, "fighters": ["0,0", "4,0", "-3,3", "3,-2"][:seats], "hands": hands}, tools=TOOLS))
    choices = page.locator(".held .choices").last
    assert page.locator(".held .pick").last.inner_text().split("\n") == ["Charge", "Boost 1"]
    for size in SIZES:
        resize(page, size)
        # The page's own reaction to the new size comes within a frame.
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert not choices.is_visible(), size
        page.locator(".held .pick").last.click()
        rest(page)
        for button in choices.locator("button").all():
            expect(button).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")


SEEN_NEWS = """() => {
    if (!document.querySelector(".beside").offsetWidth) document.getElementById("history-panel").showPopover();
    const {right, bottom} = document.querySelector(".beside").getBoundingClientRect();
    return [...document.querySelectorAll(".news li")].map(line => [line.getBoundingClientRect(), line.textContent])
        .filter(([box]) => box.height && box.left < right && box.bottom < bottom + 1).sort(([a], [b]) => a.top - b.top)
        .map(([, words]) => words);
}"""


def test_the_newest_events_are_visible_at_the_bottom(open_page: Open) -> None:
    match = Match.deal(game("make-your-moves").setup(), 2, 1)
    news = [f"This is sentence {number}, with more words than go into one short line." for number in range(6)]
    page = open_page("make-your-moves")
    for size in SIZES:
        resize(page, size)
        lay(page, drawn(match.view(1).scene, events=news))
        seen = page.evaluate(SEEN_NEWS)
        assert seen, size
        assert seen == news[-len(seen) :], size


def test_seats_that_are_open_do_not_cut_the_board(open_page: Open, server: AppServer) -> None:
    page = open_page("untitled-movement", SIDEWAYS)
    before = page.evaluate(BOXES, [".board"])
    page.goto(f"/table/{server.table('Anna', '', 'Ben', 'Cleo', name='untitled-movement')}")
    assert page.locator("[data-waiting=elsewhere]").count() == 1
    assert page.evaluate(BOXES, [".board"]) == before
    assert page.locator(".board").evaluate("board => board.scrollHeight <= board.clientHeight")
    page.get_by_role("link", name="Invite").click()
    assert page.get_by_label("Invite link", exact=True).is_visible()
    page.get_by_role("link", name="Close").click()
    assert not page.get_by_label("Invite link", exact=True).is_visible()


def test_the_roster_keeps_its_size_when_a_fighter_is_picked(open_page: Open) -> None:
    match, page, widths = Match.deal(game("world-of-fighters").setup(), 2, 1), open_page("world-of-fighters"), []
    for _ in range(2):
        lay(page, drawn(match.view(1).scene))
        widths.append(page.evaluate(BOXES, [".middle .card"])[0][2])
        match.choose(match.legal()[0])
    assert widths[0] == pytest.approx(widths[1], abs=1)


def test_the_main_button_comes_first() -> None:
    found = 0
    for name in ("five-circles", "mace", "make-your-moves", "untitled-movement", "world-of-fighters"):
        _, _, buttons = drawn(asked(name, 2).view(1).scene).partition('class="buttons"')
        if 'class="main"' in buttons:
            found += 1
            assert 'class="main"' in buttons.partition("</button>")[0], name
    assert found
