"""Tooltips: everything on the table is explained on hover, focus and long press."""

import pytest
from playwright.sync_api import expect

from sparring import games
from sparring.engine.game import game as find_game
from sparring.engine.match import Match
from sparring.scene.html import Exchange
from web.app_server import AppServer
from web.browser.pages import REPLACE, Open, lay
from web.browser.scenes import after_choices, at, drawn
from web.browser.visits import CHOICE, Visit, click, play, seated, wait_for_state
from web.browser_helpers import PHONE, rest

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game", list(games()))
def test_every_description_refers_to_an_element_on_the_page(visit: Visit, server: AppServer, game: str) -> None:
    page = visit(f"/table/{server.table('Anna', 'bot', name=game)}", "Anna")
    for _ in range(3):
        wait_for_state(page, "choose", "over")
        ids = page.evaluate(
            """() => [...document.querySelectorAll(".scene [aria-describedby]")]
                .flatMap(each => each.getAttribute("aria-describedby").split(" "))"""
        )
        assert any(each.startswith("word-") for each in ids)
        assert page.locator(".scene :is([title], title)").count() == 0  # the closer look says it, once
        assert page.evaluate("ids => ids.filter(id => !document.getElementById(id)?.textContent)", ids) == []
        play(page, click, 1)


def test_a_long_press_shows_a_tooltip_and_makes_no_choice(visit: Visit, server: AppServer) -> None:
    page = seated(visit, server, "bot", viewport=PHONE, has_touch=True)
    wait_for_state(page, "choose")
    held = page.locator(f".held {CHOICE}" if page.locator(f".held {CHOICE}").count() else ".held .place").first
    before = page.locator("form.scene").get_attribute("data-version")
    rest(page)
    box = held.bounding_box()
    assert box
    session = page.context.new_cdp_session(page)
    point = {"x": box["x"] + 10, "y": box["y"] + 10}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(page.locator(".peek")).to_contain_text("Names are only for the story")
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.locator("form.scene").get_attribute("data-version") == before


def test_focus_shows_a_tooltip_and_stops_once_per_group(visit: Visit, server: AppServer) -> None:
    page = visit(f"/table/{server.table('Anna', 'bot', name='world-of-fighters')}", "Anna")
    play(page, click, 1)
    wait_for_state(page, "choose")
    page.locator("#main").focus()
    told = page.locator(".peek")
    page.keyboard.press("Tab")
    expect(page.locator(".seats :focus")).to_have_count(1)
    expect(told).to_be_visible()
    stops = page.evaluate("() => document.querySelectorAll('.seats [tabindex]').length")
    assert stops > 10
    assert page.evaluate("() => document.querySelectorAll('.seats [tabindex=\"0\"]').length") == 1
    page.keyboard.press("End")
    expect(told).to_contain_text("once per match, at 7 health or less")
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()
    page.keyboard.press("Tab")
    expect(page.locator(".seats :focus")).to_have_count(0)


DOWN = {"game": "mace", "seats": 2, "hands": ["10S QS", "2C 3D"], "down": "2"}


@pytest.mark.parametrize(
    ("game", "thing", "words"),
    [
        ("untitled-movement", ".side .place .card", "number of moves this turn"),
        ("make-your-moves", ".side .total b", "One, two or three colours"),
        ("five-circles", ".slot", "lane by lane"),
        ("world-of-fighters", ".banner", "decides what an attack scores"),
        ("mace", ".token.down", "Its Knockback was more hexes"),
        ("mace", ".token.s1", "A player's token"),
        ("world-of-fighters", ".cell.floor", "A space for one fighter"),
        ("make-your-moves", ".status", "the player in control attacks"),
    ],
)
def test_elements_without_a_tooltip_use_their_parents(open_page: Open, game: str, thing: str, words: str) -> None:
    page = open_page(game)
    lay(page, at(DOWN, glossary=find_game("mace").glossary) if game == "mace" else after_choices(game, 10))
    box = page.locator(thing).first.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".peek")).to_contain_text(words)


FOCUS_AND_GO_ON = f"""async ([thing, html]) => {{
    const table = document.getElementById("table"), focused = table.querySelector(thing);
    const what = stop => [stop.closest("[data-key]")?.dataset.key, stop.dataset.mark, stop.localName].join();
    focused.focus();
    const before = what(document.activeElement);
    await ({REPLACE})(html);
    return [document.activeElement !== focused, before, what(document.activeElement)];
}}"""


@pytest.mark.parametrize("thing", [".seat.s2 .card", ".facts dd", ".board"])
def test_events_do_not_steal_the_focus(open_page: Open, thing: str) -> None:
    page = open_page("untitled-movement", reduced_motion="reduce")
    lay(page, after_choices("untitled-movement", 4))
    focused, before, after = page.evaluate(FOCUS_AND_GO_ON, [thing, after_choices("untitled-movement", 5)])
    assert focused
    assert after == before


WALK = f"""async html => {{
    await ({REPLACE})(html);
    return ["[tabindex]", "[tabindex='0']"].map(which => document.querySelectorAll(`#table ${{which}}`).length);
}}"""


def test_arrow_keys_read_each_space_and_tab_stops_once(open_page: Open) -> None:
    high = (1280, 900)  # on lower screens the last exchange has no heading
    page, match = open_page("untitled-movement", high), Match.deal(find_game("untitled-movement").setup(), 4, 1)
    shown, told = match.view(1).scene, page.locator(".peek")
    decided = Exchange(shown.left[0], [])
    scene = drawn(shown, glossary=match.game.glossary, exchange=decided)
    every, stops = page.evaluate(WALK, scene)
    assert every > 120
    assert stops < 10
    page.locator(".cell.floor").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".cell.floor:focus")).to_have_count(1)
    expect(told).to_contain_text("open space, with room for one token")
    page.locator(".exchange > h3").focus()
    expect(told).to_contain_text("latest rolls for the first turn")


def test_the_text_of_an_ability_is_below_its_card(open_page: Open) -> None:
    page = open_page("five-circles", (390, 844))
    lay(page, after_choices("five-circles", 4))
    card = page.locator(".held .place", has=page.locator(".line")).first
    ability = card.locator(".line").first.text_content() or ""
    card.hover(force=True)
    expect(page.locator(".peek p b", has_text=ability)).to_be_visible()
