"""The side panel: its last exchange is whole, and its history has room."""

from random import Random

import pytest

from sparring.engine.game import game
from sparring.engine.match import Match
from sparring.scene import without_choices
from sparring.scene.html import Exchange, render
from sparring.scene.sentences import ResultLine
from web.browser.test_composition import TOOLS, asked
from web.browser.test_layout import DESK, LAPTOP, LAY, NAMES, TABLES, TABLET, Open, beats, resize
from web.browser.test_layout import (
    open_page as open_page,  # noqa: PLC0414 - a fixture
)

pytestmark = pytest.mark.browser

#: Return the history's width, and how many of its lines are seen.
HISTORY = """() => {
    const history = document.querySelector(".history"), style = getComputedStyle(history);
    return {width: history.clientWidth, lines: history.clientHeight / parseFloat(style.lineHeight)};
}"""
#: Return the last exchange's parts that are cut off, and the width of its narrowest card.
EXCHANGE = """() => {
    const box = element => element.getBoundingClientRect(), all = name => [...document.querySelectorAll(name)];
    const panel = box(document.querySelector(".beside")), cards = all(".beside > .exchange .place > .card");
    const inside = ({left, right, top, bottom}) =>
        left >= panel.left && right <= panel.right && top >= panel.top && bottom <= panel.bottom;
    return {
        cut: all(".beside > .exchange :is(.place, .total b, .lines li)").filter(part => !inside(box(part)))
            .map(part => part.textContent),
        card: Math.min(...cards.map(card => Math.min(box(card).width, box(card.parentElement).width))),
        whole: cards.every(card => box(card).height <= box(card.parentElement).height + 1),
    };
}"""


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_tablet_gives_the_history_the_width(open_page: Open, name: str, seats: int) -> None:
    page = open_page(name, TABLET)
    page.evaluate(LAY, str(render(asked(name, seats).view(1).scene, names=NAMES, tools=TOOLS)))
    assert page.evaluate(HISTORY)["width"] >= 0.42 * TABLET[0]
    assert page.evaluate(HISTORY)["lines"] >= 3.9


@pytest.mark.parametrize(("name", "least"), [("world-of-fighters", 33), ("five-circles", 60), ("make-your-moves", 60)])
def test_a_tablet_shows_whole_cards_of_the_last_exchange(open_page: Open, name: str, least: int) -> None:
    page, found = open_page(name, TABLET), []
    for scene in beats(name, 2):
        page.evaluate(LAY, scene)
        if page.locator(".beside > .exchange .card").count():
            found.append(page.evaluate(EXCHANGE))
    assert found
    assert all(not each["cut"] and each["whole"] for each in found), found
    # Several cards of one player overlap.
    assert max(each["card"] for each in found) >= least


def test_four_players_leave_lines_for_the_history(open_page: Open) -> None:
    page = open_page("untitled-movement")
    page.evaluate(LAY, str(render(asked("untitled-movement", 4).view(1).scene, names=NAMES, tools=TOOLS)))
    for size in (LAPTOP, DESK):
        resize(page, size)
        assert page.evaluate(HISTORY)["lines"] >= 4, size


def test_a_result_of_three_lines_is_whole_beside_the_ring(open_page: Open) -> None:
    match, dice, shown = Match.deal(game("world-of-fighters").box(), 2, 3), Random(3), None
    while not shown:
        match.choose(dice.choice([each for each in match.legal() if each not in match.game.conceding]))
        shown = next((beat.view.scene.exchange for beat in match.beats(1) if beat.view.scene.exchange), None)
    lines = [ResultLine("You counter Maximiliane's Grapple with a Punch at range 2: both of you lose three health.")]
    page, exchange = open_page("world-of-fighters"), Exchange(without_choices(shown), lines)
    page.evaluate(LAY, str(render(match.view(1).scene, names=NAMES, tools=TOOLS, exchange=exchange)))
    for size in (LAPTOP, DESK, TABLET):
        resize(page, size)
        assert page.evaluate(EXCHANGE)["cut"] == [], size
