"""The composition of the table: the question above the hand, a side panel, and nothing that moves between states."""

from base64 import b64encode

import pytest
from markupsafe import Markup
from playwright.sync_api import Page

from benchmarks.fill import MEASURE as FILLED
from games.five_circles.table import table
from games.mace.table import table as fight
from games.make_your_moves.table import attacked
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.scene import Board, without_choices
from sparring.scene.html import Advice, Exchange, render
from sparring.scene.sentences import ResultLine
from web.app_server import AppServer
from web.browser.test_layout import (
    DESK,
    LAPTOP,
    LAY,
    NAMES,
    PHONE,
    SIDEWAYS,
    TABLES,
    TABLET,
    Open,
    beats,
    resize,
)
from web.browser.test_layout import (
    open_page as open_page,  # noqa: PLC0414 - a fixture
)
from web.browser.test_matches import rest
from web.browser_helpers import assert_accessible

pytestmark = pytest.mark.browser

SIZES = (LAPTOP, DESK, TABLET, PHONE, SIDEWAYS)
TOOLS = Markup(
    '<button type="submit" class="take-back">Take back</button><button type="submit" data-post="hint">Get hint</button>'
)
HINT = Advice(
    Markup("Hint: <b>a move with quite a long name</b>."),
    Markup("It leaves you the card that defends best, and Maximiliane can't reach you in her next turn."),
    Markup("<details><summary>Details</summary><p>61%</p></details>"),
)
#: The width of the ropes around the ring of Make Your Moves, in pixels.
ROPE = 17
BOXES = """names => names.map(name => {
    const box = document.querySelector(name)?.getBoundingClientRect();
    return box?.width ? [box.left, box.top, box.width, box.height].map(Math.round) : null;
})"""
#: For many scenes, the boxes of the table, the hand, and the side panel or the button that opens it on phones.
ALL_BOXES = f"""scenes => scenes.map(scene => {{
    ({LAY})(scene);
    return ({BOXES})([".side.middle", ".held", ".beside", ".latest"]);
}})"""


def asked(name: str, seats: int) -> Match:
    """Return a match in which seat 1 is asked; with the tools there are at most four buttons."""
    match = Match.deal(game(name).box(), seats, 1)
    while match.seat != 1 or not match.view(1).scene.hand or len(match.view(1).scene.prompt.buttons) > 2:
        match.choose(match.legal()[0])
    return match


def test_a_long_question_beside_a_board_has_two_lines(open_page: Open) -> None:
    """Two buttons beside it broke it into four."""
    match = asked("mace", 2)
    while match.seat != 1 or "Boost" not in match.view(1).scene.prompt.sentence:
        match.choose(match.legal()[0])
    page = open_page("mace")
    ask_back = Markup('<button type="submit" class="take-back">Ask to take back</button>')
    page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES, tools=ask_back)))
    for size in (LAPTOP, DESK):
        resize(page, size)
        text = page.locator(".ask .sentence")
        box = text.bounding_box()
        assert box
        assert box["height"] <= 2.5 * float(text.evaluate("e => parseFloat(getComputedStyle(e).lineHeight)")), size


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_the_question_is_directly_above_the_hand(open_page: Open, name: str, seats: int) -> None:
    page, scene = open_page(name), asked(name, seats).view(1).scene
    page.evaluate(LAY, str(render(scene, names=NAMES, tools=TOOLS)))
    for size in SIZES:
        resize(page, size)
        question, sentence, held, panel = page.evaluate(BOXES, [".ask", ".sentence", ".held", ".beside"])
        assert abs(question[1] + question[3] - held[1]) <= 1, size
        assert question[0] == pytest.approx(held[0], abs=1), size
        assert sentence[1] >= question[1] - 1, size
        assert sentence[1] + sentence[3] <= held[1] + 1, size
        assert (panel is None) == (size in (PHONE, SIDEWAYS)), size


def test_the_main_button_comes_first(open_page: Open) -> None:
    for name, seats in TABLES:
        _, _, buttons = str(render(asked(name, seats).view(1).scene, names=NAMES)).partition('class="buttons"')
        assert 'class="main"' not in buttons or 'class="main"' in buttons.partition("</button>")[0], name


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_nothing_moves_during_a_match(open_page: Open, name: str, seats: int) -> None:
    page, scenes = open_page(name), [scene for scene in beats(name, seats) if 'data-key="roster"' not in scene]
    for size in SIZES:
        resize(page, size)
        found = page.evaluate(ALL_BOXES, scenes)
        assert len({str(boxes) for boxes in found}) == 1, (size, found)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_nothing_moves_when_a_hint_opens_or_something_is_told(open_page: Open, name: str, seats: int) -> None:
    page, view = open_page(name), asked(name, seats).view(1)
    question = str(render(view.scene, names=NAMES, tools=TOOLS))
    hint = str(render(view.scene, names=NAMES, tools=TOOLS, hint=HINT))
    told = str(render(view.past.scene, names=NAMES, animated=["Maximiliane moves.", "Anna takes 3 damage."]))
    for size in SIZES:
        resize(page, size)
        first, *others = page.evaluate(ALL_BOXES, [question, hint, told])
        assert others == [first, first], size


def test_the_hint_is_visible(open_page: Open) -> None:
    page, scene = open_page("mace"), asked("mace", 2).view(1).scene
    page.evaluate(LAY, str(render(scene, names=NAMES, tools=TOOLS, hint=HINT)))
    for size in SIZES:
        resize(page, size)
        place = ".latest span" if size in (PHONE, SIDEWAYS) else ".beside .hint"
        assert page.locator(place).is_visible(), size
        assert "quite a long name" in page.locator(place).inner_text(), size


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_side_panel_slides_in_on_phones(open_page: Open, scheme: str) -> None:
    page, match = open_page("make-your-moves", PHONE), asked("make-your-moves", 2)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES, hint=HINT, events=match.log(1)[-3:])))
    assert not page.locator(".beside").is_visible()
    page.locator(".latest").click()
    assert page.locator(".beside .hint").is_visible()
    assert page.locator(".history").is_visible()
    rest(page)
    assert_accessible(page)
    page.locator(".beside .close").click()
    assert not page.locator(".beside").is_visible()


@pytest.mark.parametrize(("name", "seats"), [*TABLES, ("make-your-moves", 4)])
def test_table_and_hand_fill_most_of_the_window(open_page: Open, name: str, seats: int) -> None:
    page, scene = open_page(name), asked(name, seats).view(1).scene
    page.evaluate(LAY, str(render(scene, names=NAMES, tools=TOOLS)))
    for size in (LAPTOP, PHONE):
        resize(page, size)
        found = page.evaluate(FILLED)
        assert found["table"] + found["hand"] >= 0.75, size
        if size is LAPTOP and seats < 4:
            assert found["card"] >= 100, size


def test_describing_a_move_at_the_end_stays_inside_the_ropes(open_page: Open) -> None:
    page = open_page("make-your-moves")
    page.evaluate(LAY, beats("make-your-moves", 2)[-1])
    slot = page.locator(".over .side.middle .described")
    for size in SIZES:
        resize(page, size)
        slot.evaluate("slot => slot.innerHTML = ''")
        before = page.evaluate(BOXES, [".side.middle", ".side.middle .card"])
        slot.evaluate("""slot => slot.innerHTML = '<button type="button" class="tell">Describe your move</button>'""")
        ring, button = page.evaluate(BOXES, [".side.middle", ".described .tell"])
        cards = page.locator(".side.middle .card").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect().bottom)"
        )
        assert ring[1] + ring[3] - ROPE >= button[1] + button[3], size
        assert max(cards) <= button[1] + 1, size
        after = page.evaluate(BOXES, [".side.middle", ".side.middle .card"])
        assert [box[2:] for box in after] == [box[2:] for box in before], size  # cards keep their size


@pytest.mark.parametrize("seats", [2, 4])
def test_everything_to_click_in_mace_is_large_enough(open_page: Open, seats: int) -> None:
    """Hexes and opponents are as large as the board allows: on phones, 13 hexes share the width."""
    fighters, hands = ["0,0", "1,0", "-3,3", "3,-2"], ["9S 2H 3H 4C 5D", "JC 7D 5C 3C 2S", None, None]
    position = {"game": "mace", "seats": seats, "fighters": fighters[:seats], "hands": hands[:seats]}
    match, page = Match.from_position(position), open_page("mace")
    board = match.view(1).scene.middle[0]
    assert isinstance(board, Board)
    assert any(token.shortcuts for token in board.tokens)
    page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES, tools=TOOLS)))
    for size in SIZES:
        resize(page, size)
        assert page.evaluate(FILLED)["target"] >= 29.9, size


#: Return how many cards in the hand buttons cover by more than a third.
COVERING = """() => {
    const box = element => element.getBoundingClientRect(), buttons = [...document.querySelectorAll(
        ".held .choices button")];
    return [...document.querySelectorAll(".held .card")].filter(card => buttons.reduce((sum, button) => {
        const down = Math.min(box(card).bottom, box(button).bottom) - Math.max(box(card).top, box(button).top);
        const across = Math.min(box(card).right, box(button).right) - Math.max(box(card).left, box(button).left);
        return sum + Math.max(0, down) * Math.max(0, across);
    }, 0) > box(card).width * box(card).height / 3).length;
}"""


@pytest.mark.parametrize("seats", [2, 4])
def test_a_card_with_several_actions_can_be_read(open_page: Open, seats: int) -> None:
    """It names the actions, and opens a menu of them, which covers no card."""
    fighters, hands = ["0,0", "4,0", "-3,3", "3,-2"], ["9S 2H 3H 4C 5C", "JC 7D 5D 3D 2S", None, None]
    position = {"game": "mace", "seats": seats, "phase": "turn", "player": 1}
    match = Match.from_position({**position, "fighters": fighters[:seats], "hands": hands[:seats]})
    page = open_page("mace")
    page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES, tools=TOOLS)))
    choices = page.locator(".held .choices").last
    assert page.locator(".held .pick").last.inner_text().split("\n") == ["Charge", "Boost 1"]
    for size in SIZES:
        resize(page, size)
        # The page's own reaction to the new size comes within a frame.
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert not choices.is_visible(), size
        assert page.evaluate(COVERING) == 0, size
        page.locator(".held .pick").last.click()
        rest(page)
        assert choices.locator("button").first.is_visible(), size
        assert page.evaluate(COVERING) == 0, size
        assert within(page, ".held .choices:popover-open button"), size
        page.keyboard.press("Escape")


#: Return whether all parts of an exchange are inside the side panel, and its cards are whole.
WHOLE = """() => {
    const box = element => element.getBoundingClientRect(), all = name => [...document.querySelectorAll(name)].map(box);
    const inside = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
    const panel = box(document.querySelector(".beside")), cards = all(".beside > .exchange .card");
    return cards.length === 2 && cards.every(card => card.width > 20)
        && all(".beside > .exchange :is(.place, .card, .total b, .lines li)").every(part => inside(part, panel))
        && [...document.querySelectorAll(".beside > .exchange .place")]
            .every(place => box(place.firstElementChild).height < box(place).height + 1);
}"""


@pytest.mark.parametrize("seats", [2, 4])
def test_the_last_exchange_of_mace_has_whole_cards_and_a_whole_sentence(open_page: Open, seats: int) -> None:
    fighters = ["0,0", "1,0", "-4,3", "4,-4"][:seats]
    t = fight("KS 2H 2D 4C 5D", "6D AD QH AH 8C", *["9C 9H", "8S 8H"][: seats - 2], fighters=fighters)
    t.play("strike KS; target 2; block 6D")
    shown = next(beat.view.scene.exchange for beat in t.match.beats(1) if beat.view.scene.exchange)
    lines = [ResultLine("Maximiliane and Search bot (strong) take 7 Damage (13 − 6).")]
    page = open_page("mace")
    exchange = Exchange(without_choices(shown), lines, number=1)
    page.evaluate(LAY, str(render(t.match.view(1).scene, names=NAMES, tools=TOOLS, exchange=exchange)))
    for size in (LAPTOP, DESK, TABLET):
        resize(page, size)
        assert page.evaluate(WHOLE), size


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


#: Decode a picture of what is behind an element, and return the contrast of the element's colour with its worst part.
#: A canvas turns any colour into RGB.
CONTRAST = """async ([element, picture]) => {
    const bytes = Uint8Array.from(atob(picture), each => each.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d", {willReadFrequently: true});
    const linear = value => value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    canvas.drawImage(image, 0, 0);
    const pixels = canvas.getImageData(0, 0, image.width, image.height).data;
    canvas.fillStyle = getComputedStyle(element).color;
    canvas.fillRect(0, 0, 1, 1);
    const text = light(canvas.getImageData(0, 0, 1, 1).data), found = [];
    for (let at = 0; at < pixels.length; at += 4) {
        const [low, high] = [text, light(pixels.slice(at, at + 3))].sort((a, b) => a - b);
        found.push((high + 0.05) / (low + 0.05));
    }
    return found.sort((a, b) => a - b)[Math.floor(found.length / 20)];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("name", "seats", "heading"), [("mace", 4, "Turn order"), ("untitled-movement", 2, "Die")])
def test_headings_on_the_mat_are_readable(open_page: Open, scheme: str, name: str, seats: int, heading: str) -> None:
    page = open_page(name)
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.evaluate("document.adoptedStyleSheets = []")  # paint
    match = Match.deal(game(name).box(), seats, 1)
    while f">{heading}<" not in (scene := str(render(match.view(1).scene, names=NAMES))):
        match.choose(match.legal()[0])
    page.evaluate(LAY, scene)
    element = page.locator(".side h3", has_text=heading).first
    for size in (LAPTOP, PHONE, SIDEWAYS):
        resize(page, size)
        box = element.bounding_box()
        assert box
        if box["width"] < 2:
            continue  # for screen readers only
        element.evaluate("each => { each.style.visibility = 'hidden'; }")
        picture = page.screenshot(clip=box)
        element.evaluate("each => { each.style.visibility = ''; }")
        handle = element.element_handle()
        assert page.evaluate(CONTRAST, [handle, b64encode(picture).decode()]) >= 4.5, size


def within(page: Page, part: str) -> bool:
    """Return whether all elements of a part are in the window."""
    return page.evaluate(  # type: ignore[no-any-return]
        """name => [...document.querySelectorAll(name)].every(each => {
            const {left, right, top, bottom} = each.getBoundingClientRect();
            return left >= 0 && right <= innerWidth + 1 && top >= 0 && bottom <= innerHeight + 1;
        })""",
        part,
    )


def test_the_cards_of_a_counter_are_in_the_window_and_move_nothing(open_page: Open) -> None:
    match = attacked("Red2 Yellow2", "", "Green1 Green1 Green1 Green1 Blue1", None).play("S2: counter").match
    beat = next(beat for beat in match.beats(1) if beat.view.beat == "countered")
    decided = Exchange(without_choices(beat.view.scene.exchange), [ResultLine("Ben counters.")])
    before = str(render(match.view(1).scene, names=NAMES))
    countered = str(render(beat.view.scene, names=NAMES, animated=beat.lines, exchange=decided))
    page = open_page("make-your-moves")
    for size in SIZES:
        resize(page, size)
        first, second = page.evaluate(ALL_BOXES, [before, countered])
        assert first == second, size
        assert within(page, '[data-key="fours"], [data-key="fours"] > *, [data-key="fours"] .card'), size
        widths = page.locator(".side.middle .card").evaluate_all("all => all.map(each => each.offsetWidth)")
        assert len(widths) == 6, size
        assert len(set(widths)) == 1, size


#: Replace the scene as the page does.
REPLACE = """async html => {
    const {update} = await import(document.querySelector("script[src$='/app.js']").src.replace("app.js", "motion.js"));
    const parts = document.createElement("template");
    parts.innerHTML = html;
    update(document.getElementById("table"), parts.content.querySelector(".scene"));
}"""
#: How many different colours the spaces have that can be chosen.
COLOURS = """() => new Set([...document.querySelectorAll(".cell.can:not(.reach) .ground")]
    .map(ground => getComputedStyle(ground).fill)).size"""


def test_a_space_with_the_focus_is_marked_for_keyboards_only(open_page: Open) -> None:
    """After a click, the first space that can be chosen gets the focus; it is no suggestion."""
    position = {"game": "mace", "seats": 2, "phase": "move", "player": 1, "steps": 3}
    before, after = (
        str(render(Match.from_position({**position, "fighters": places}).view(1).scene, names=NAMES))
        for places in (["0,0", "5,0"], ["-3,0", "5,0"])
    )
    page = open_page("mace", reduced_motion="reduce")
    page.route("**/choose", lambda route: route.abort())
    page.evaluate(LAY, before)
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
SIZES_AT_START = """async html => {
    const {update} = await import(document.querySelector("script[src$='/app.js']").src.replace("app.js", "motion.js"));
    const parts = document.createElement("template"), sizes = [], animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, ...more) {
        if (this.matches(".place") && frames[0].translate) sizes.push(frames[0].scale);
        return animate.call(this, frames, ...more);
    };
    parts.innerHTML = html;
    update(document.getElementById("table"), parts.content.querySelector(".scene"));
    return sizes;
}"""


@pytest.mark.parametrize("size", [LAPTOP, PHONE, SIDEWAYS])
def test_another_players_cards_do_not_fly_in_enlarged(open_page: Open, size: tuple[int, int]) -> None:
    fight = attacked("Red2 Yellow2", "", "Green1 Green1 Green1 Green1 Blue1", None)
    page = open_page("make-your-moves", size)
    page.evaluate(LAY, str(render(fight.match.view(1).scene, names=NAMES)))
    beat = next(iter(fight.play("S2: counter").match.beats(1)))
    sizes = page.evaluate(SIZES_AT_START, str(render(beat.view.scene, names=NAMES)))
    assert len(sizes) == 4
    assert max(sizes) <= 1


ABILITIES = """() => {
    const box = element => element.getBoundingClientRect();
    const buttons = [...document.querySelectorAll(".row.lanes .choices button")];
    const cards = [...document.querySelectorAll(".row.lanes .card")];
    return {many: buttons.length, over: buttons.filter(button => cards.some(card => !card.contains(button)
        && box(card).left < box(button).right && box(button).left < box(card).right
        && box(card).top < box(button).bottom - 1 && box(button).top < box(card).bottom - 1)).length};
}"""


def test_an_ability_button_covers_no_other_card(open_page: Open) -> None:
    """The buttons of abilities take no room from the rows, which are as high without them."""
    match = table("1 Ash 1/2 [Fireball]; 2 Bob 2/2 [Fireball]", "1 Dot 1/2; 2 Eve 1/3", "1 Red").match
    seat = match.seat
    assert seat
    view, page = match.view(seat), open_page("five-circles")
    for size in SIZES:
        resize(page, size)
        without, with_buttons = page.evaluate(
            ALL_BOXES, [str(render(each.scene, names=NAMES)) for each in (view.past, view)]
        )
        assert without == with_buttons, size
        found = page.evaluate(ABILITIES)
        assert found["many"] == 2, size
        assert found["over"] == 0, size


TEXTS = """() => {
    const box = element => element.getBoundingClientRect();
    const all = [...document.querySelectorAll(".seat :is(.name, .tag, .words)")].filter(each => box(each).width);
    return all.flatMap((one, n) => all.slice(n + 1).filter(two =>
        Math.min(box(one).right, box(two).right) - Math.max(box(one).left, box(two).left) > 1
        && Math.min(box(one).bottom, box(two).bottom) - Math.max(box(one).top, box(two).top) > 4)
        .map(two => `${one.textContent} and ${two.textContent}`));
}"""


def test_targets_at_200_percent_cover_no_name(open_page: Open) -> None:
    match = Match.from_position({"game": "make-your-moves", "seats": 6, "phase": "target", "player": 1})
    page = open_page("make-your-moves", (640, 360))
    page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES)))
    assert page.locator(".seat .words").count() == 5
    assert page.evaluate(TEXTS) == []


@pytest.mark.parametrize("name", ["mace", "untitled-movement"])
def test_tags_of_four_players_cover_no_name_on_phones(open_page: Open, name: str) -> None:
    page, match = open_page(name, PHONE), asked(name, 4)
    while not any(seat.tags for seat in match.view(1).scene.seats):
        match.choose(match.legal()[0])
    page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES)))
    covered = page.locator(".seat:has(.tag)").evaluate_all("""seats => seats.filter(seat => {
        const [tag, name] = [".tag", ".name"].map(each => seat.querySelector(each).getBoundingClientRect());
        return tag.bottom > name.top + 1;
    }).length""")
    assert covered == 0


def test_names_are_whole_in_seats_of_one_line(open_page: Open) -> None:
    """On a large screen, too, where a seat is wide enough for the cards of a hand."""
    page = open_page("make-your-moves")
    page.evaluate(LAY, str(render(asked("make-your-moves", 4).view(1).scene, names=("Anna", "Ben", "Cleo", "Dora"))))
    for size in (LAPTOP, DESK):
        resize(page, size)
        cut = page.locator(".seat .name").evaluate_all(
            "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"
        )
        assert cut == [], size


@pytest.mark.parametrize("name", ["make-your-moves", "five-circles"])
def test_the_hand_is_below_the_middle_of_the_table(open_page: Open, name: str) -> None:
    page = open_page(name)
    page.evaluate(LAY, str(render(asked(name, 2).view(1).scene, names=NAMES, tools=TOOLS)))
    for size in (LAPTOP, DESK):
        resize(page, size)
        table, first, last = page.evaluate(BOXES, [".side.middle", ".held .place", ".held .place:last-child"])
        assert table[0] + table[2] / 2 == pytest.approx((first[0] + last[0] + last[2]) / 2, abs=8), size
    resize(page, TABLET)
    (left, _, width, _), piles = page.evaluate(BOXES, [".side.middle", ".side.left"])
    assert TABLET[0] - left - width >= 8, "the table doesn't touch the edge of the window"
    assert piles[2] < 130, "the piles are stacked"


def test_a_new_question_has_no_frame(open_page: Open) -> None:
    """A frame as wide as the table looks like a text field; what changed on the table keeps its mark."""
    page = open_page("make-your-moves", reduced_motion="reduce")
    first, second = (asked("make-your-moves", seats).view(1).scene for seats in (2, 3))
    assert first.prompt.sentence != second.prompt.sentence
    page.evaluate(LAY, str(render(first, names=NAMES)))
    page.evaluate(REPLACE, str(render(second, names=NAMES)))
    assert page.locator(".changed").count() > 0
    assert page.locator(".sentence.changed").count() == 0


def test_the_lanes_stay_where_they_are_on_phones(open_page: Open) -> None:
    """However many resources both players have, and when the top of the deck is known."""
    page, scenes = open_page("five-circles", PHONE), []
    for ready in ("1 Red", "3 Red, 3 Blue, 3 Green"):
        for known_top in (0, 2):
            more = {"ready": [ready, ready], "hands": ["2 Red", "2 Red"], "known_top": [known_top, 0], "player": 1}
            match = Match.from_position({"game": "five-circles", "phase": "resources", "active": 1, **more})
            scenes.append(str(render(match.view(1).scene, names=NAMES)))
    assert len(set(scenes)) == 4
    boxes = page.evaluate(ALL_BOXES, scenes)
    assert len({str(each) for each in boxes}) == 1, boxes
