"""The tables of card games in detail: the final position, marks, points, and what shares an axis."""

import random

import pytest
from markupsafe import Markup
from playwright.sync_api import expect

from games.five_circles.table import table
from games.make_your_moves.table import attacked
from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.scene.html import render
from web.browser.test_composition import BOXES, REPLACE, TOOLS, asked
from web.browser.test_layout import DESK, LAPTOP, LAY, NAMES, PHONE, SIDEWAYS, TABLET, ZOOMED, Open, resize
from web.browser.test_layout import (
    open_page as open_page,  # noqa: PLC0414 - a fixture
)

pytestmark = pytest.mark.browser

SIZES = (LAPTOP, DESK, TABLET, PHONE, SIDEWAYS, ZOOMED)
AT_THE_END = Markup(
    '<button type="submit" class="main">Play again</button><button type="submit">Review</button>'
    '<a href="#" class="button">Replay</a><a href="#" class="button">Download match</a>'
)
ALL = "all => all.map(each => each.getBoundingClientRect()).map(box => [box.left, box.top, box.right, box.bottom])"
#: How many of the marks on a table cover circles, attack, health, or a name.
COVERING = """() => {
    const box = element => element.getBoundingClientRect();
    const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    const face = [...document.querySelectorAll(".lanes .face :is(.full, .empty, .foot, .name)")];
    return [...document.querySelectorAll(".lanes .marks i")].map(mark => face.filter(
        part => meet(box(mark), box(part))).length);
}"""


def finished(name: str, seats: int) -> Match:
    """Return a finished match after which seat 1 still holds cards."""
    match, dice = Match.deal(game(name).box(), seats, 3), random.Random(3)
    while not match.over:
        match.choose(dice.choice(match.legal()))
    return match


@pytest.mark.parametrize(("name", "seats"), [("make-your-moves", 2), ("make-your-moves", 6), ("five-circles", 2)])
def test_the_hand_can_be_seen_at_the_end(open_page: Open, name: str, seats: int) -> None:
    """The result takes the place of the question, and the table keeps its size."""
    page = open_page(name)
    end = str(render(finished(name, seats).view(1).scene, names=NAMES, tools=AT_THE_END))
    question = str(render(asked(name, seats).view(1).scene, names=NAMES))
    for size in SIZES:
        resize(page, size)
        page.evaluate(LAY, question)
        before = page.evaluate(BOXES, [".side.middle"])
        page.evaluate(LAY, end)
        assert page.locator(".held .card").first.is_visible(), size
        assert page.evaluate(BOXES, [".side.middle"]) == before, size
        top_of_the_hand = min(box[1] for box in page.locator(".held .card").evaluate_all(ALL))
        for left, top, right, bottom in page.locator(".ask :is(button, a, .sentence)").evaluate_all(ALL):
            assert 0 <= left < right <= size[0], size
            assert top < bottom <= top_of_the_hand, size


def test_the_focus_moves_from_the_hand_to_the_next_match(open_page: Open) -> None:
    page = open_page("make-your-moves")
    page.evaluate(LAY, str(render(asked("make-your-moves", 2).view(1).scene, names=NAMES)))
    page.locator(".held button").first.focus()
    end = finished("make-your-moves", 2).view(1).scene
    page.evaluate(REPLACE, str(render(end, names=NAMES, tools=AT_THE_END)))
    expect(page.get_by_role("button", name="Play again")).to_be_focused()


def test_the_whole_hand_is_in_sight_at_200_percent(open_page: Open) -> None:
    page = open_page("five-circles", ZOOMED)
    scene = asked("five-circles", 2).view(1).scene
    page.evaluate(LAY, str(render(scene, names=NAMES, tools=TOOLS)))
    assert max(box[3] for box in page.locator(".held .card").evaluate_all(ALL)) <= ZOOMED[1]
    title = page.locator(".bar h1")
    assert title.evaluate("title => getComputedStyle(title).clipPath") == "inset(50%)", "its name isn't cut in half"


def test_marks_cover_nothing_on_a_card(open_page: Open) -> None:
    match = table("1 Ash 1/4 [Heal 1, Future Vision] (damage 2); 2 Bob 2/3 (damage 1)", "1 Dot 1/3 (damage 1)").match
    page = open_page("five-circles")
    page.evaluate(LAY, str(render(match.view(match.seat or 1).scene, names=NAMES)))
    for size in SIZES:
        resize(page, size)
        assert page.evaluate(COVERING) == [0, 0, 0], size


def test_two_abilities_of_a_card_are_named_in_full(open_page: Open) -> None:
    match = table("1 Ash 1/4 [Heal 1, Future Vision] (damage 2)", "1 Dot 1/3", "3 Blue").match
    page = open_page("five-circles")
    page.evaluate(LAY, str(render(match.view(match.seat or 1).scene, names=NAMES)))
    for size in SIZES:
        resize(page, size)
        cut = page.locator(".lanes .choices button").evaluate_all(
            """all => all.map(each =>
                Math.max(each.scrollWidth - each.clientWidth, each.scrollHeight - each.clientHeight))"""
        )
        assert len(cut) == 2, size
        assert max(cut) <= 0, size


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_points_are_drawn_at_every_size(open_page: Open, seats: int) -> None:
    """A lone number doesn't say what it counts."""
    page = open_page("make-your-moves")
    page.evaluate(LAY, str(render(asked("make-your-moves", seats).view(1).scene, names=NAMES)))
    for size in SIZES:
        resize(page, size)
        assert page.locator(".seat .track .drawn:visible").count() == seats, size


def middle_of(boxes: list[list[float]]) -> float:
    """Return the middle between the left edge and the right edge of all boxes."""
    seen = [box for box in boxes if box[2] > box[0]]
    return (min(box[0] for box in seen) + max(box[2] for box in seen)) / 2


@pytest.mark.parametrize("seats", [2, 4])
def test_moves_in_the_ring_are_centred_and_large_on_phones(open_page: Open, seats: int) -> None:
    fight = attacked("Red2 Yellow2 Blue1", *["Red1 Blue1"] * seats, seats=seats)
    page = open_page("make-your-moves")
    page.evaluate(LAY, str(render(fight.play("S2: Red1").match.view(1).scene, names=NAMES)))
    for size in (PHONE, SIDEWAYS):
        resize(page, size)
        for row in page.locator(".middle .row").all():
            words = row.locator("h3, .total b, .total small").evaluate_all(ALL)
            cards = row.locator(".card").evaluate_all(ALL)
            assert middle_of(words) == pytest.approx(middle_of(cards), abs=6), size
        assert cards[0][2] - cards[0][0] >= 60, size
