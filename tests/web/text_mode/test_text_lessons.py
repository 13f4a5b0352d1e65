"""A first match as a page of words: what is meant is named with its place; by buttons, typed words, and questions."""

import re
from html import unescape
from urllib.parse import urlencode

import httpx
import pytest

from sparring.engine.game import game
from sparring.scene import Colour, Face
from sparring.scene.locations import describe_location, ordinal
from sparring.scene.markup import SeatNames
from sparring.scene.screen_reader import SceneSpeaker
from sparring.tutorials import LessonState, lesson_of
from sparring.tutorials.check import check_step, state_key
from web.app_server import House, Visitor
from web.pages.test_lesson_pages import TAUGHT, plain, step
from web.text_mode.test_text_mode import headings


def learn(visitor: Visitor, name: str = "mace", **where: str) -> httpx.Response:
    return visitor.http.get(f"/games/{name}/learn/text", params=where)


def say(visitor: Visitor, page: httpx.Response, words: str, kind: str = "words") -> httpx.Response:
    """Type something into the field of a page, or press a button."""
    action = re.search(r'<form id="say"[^>]* action="([^"]+)"', page.text)
    assert action
    return visitor.http.post(unescape(action[1]), data={kind: words}, follow_redirects=True)


def to_press(page: httpx.Response) -> tuple[str, str]:
    """The first button of what the step asks for: its field, and its value."""
    asked = page.text.split('<section id="question"')[1]
    found = re.search(r'name="(choice|words)" value="(\w+)"', asked)
    assert found
    return found[1], found[2]


def test_a_whole_lesson_by_what_it_asks_for(house: House) -> None:
    visitor, name = house.stranger(), "make-your-moves"
    page, met = learn(visitor, name, made=""), list[int]()
    while number := step(page.text):
        met.append(number)
        kind, value = to_press(page)
        page = say(visitor, page, value, kind)
    assert sorted(set(met)) == list(range(1, len(lesson_of(game(name)).steps) + 1))
    assert "What you've learned" in page.text
    assert "Play your first match" in page.text


@pytest.mark.parametrize("name", TAUGHT)
def test_whatever_a_lesson_points_at_has_its_place_in_words(name: str) -> None:
    """On one way through each lesson: everything that is lit on the page with pictures is told on this one."""
    pupil = LessonState(game(name), lesson_of(game(name)))
    while words := check_step(pupil):
        say = SceneSpeaker(SeatNames([]), pupil.match.game.spoken_forms)
        scene = pupil.view.scene
        lying = [
            each for each in pupil.targets() if not isinstance(each.thing, Face | Colour)
        ]  # parts of what lies there
        for pointed in lying:
            assert describe_location(scene, pointed.thing, say), (state_key(pupil)[:2], pointed.key)
        pupil.replay_action(words[0])
    assert pupil.over


def test_what_is_meant_is_said_with_where_it_is(house: House) -> None:
    page = learn(house.person("Anna"), made="")
    while "of your hand" not in plain(page.text).split("What to do")[0]:
        page = say(house.person("Anna"), page, to_press(page)[1], to_press(page)[0])
    assert re.search(r"Look at: the \w+ card of your hand, \w+ of \w+", plain(page.text))


@pytest.mark.parametrize(("number", "word"), [(1, "first"), (10, "tenth"), (11, "11th"), (21, "21st"), (112, "112th")])
def test_places_are_counted_in_words(number: int, word: str) -> None:
    assert ordinal(number) == word


def test_headings_lead_through_the_page(house: House) -> None:
    found = headings(learn(house.stranger(), made="").text)
    order = ["Read this and continue", "What to do", "Your hand", "Players", "Table", "Steps", "This page"]
    assert [each for each in found if each in order] == [each for each in order if each in found]
    assert {"Your hand", "Players", "Table", "Steps", "This page"} <= set(found)


def test_the_typed_words_of_a_choice_are_the_choice(house: House) -> None:
    anna = house.person("Anna")
    page = learn(anna, "make-your-moves", made="121")
    assert step(page.text) == 2
    assert "You play Piledriver" in plain(say(anna, page, "Piledriver").text)


def test_what_the_lesson_does_not_want_is_answered_kindly_and_stays_typed(house: House) -> None:
    anna = house.person("Anna")
    page = learn(anna, "make-your-moves", made="121")
    refused = say(anna, page, "Jab")
    assert step(refused.text) == 2
    assert "That would be a legal attack, but you can reach 8" in plain(refused.text)
    assert 'value="Jab"' in refused.text
    assert "isn't a choice here" in plain(say(anna, page, "nonsense").text)
    assert step(say(anna, page, "0", "choice").text) == 2, "a button that is not meant is answered the same"


@pytest.mark.parametrize(
    ("typed", "said"),
    [("hand", "Your hand: "), ("seats", "Anna, you"), ("table", "Board: "), ("help", "on: go to the next step"),
     ("what charge", "Charge: A Club or Joker"), ("last", "Nothing has happened yet."),
     ("at 99,99", "Unknown space")],
)  # fmt: skip
def test_what_is_asked_is_answered_and_nothing_is_done(house: House, typed: str, said: str) -> None:
    anna = house.person("Anna")
    answered = say(anna, learn(anna, made=""), typed)
    assert said in plain(answered.text).split("Step 1 of")[1]
    assert step(answered.text) == 1


def test_one_goes_on_and_back_to_what_was_before_and_to_any_step(house: House) -> None:
    anna = house.person("Anna")
    page = learn(anna, made="")
    for _ in range(4):
        kind, value = to_press(page)
        page = say(anna, page, value, kind)
    assert step(page.text) == 5
    links = re.findall(r'href="([^"]+)" data-leaf="step"', page.text)
    assert [step(anna.get(unescape(link)).text) for link in links] == [1, 2, 3, 4]
    assert step(say(anna, page, "back").text) == 4
    assert "This is the first step." in say(anna, learn(anna, made=""), "back").text


def test_who_leaves_comes_back_also_on_the_page_with_pictures(house: House) -> None:
    anna = house.person("Anna")
    page = learn(anna, made="")
    for _ in range(3):
        kind, value = to_press(page)
        page = say(anna, page, value, kind)
    there = step(page.text)
    assert there == 4
    assert step(learn(anna).text) == there
    assert step(anna.get("/games/mace/learn?pictures=true").text) == there


def test_an_address_alone_does_nothing(house: House) -> None:
    kind, value = to_press(learn(house.stranger(), made=""))
    typed = learn(house.stranger(), made="", typed=value if kind == "words" else "3C")
    assert step(typed.text) == 1


@pytest.mark.parametrize("typed", ["", "9" * 3000, "%00", "<b>x</b>"])
def test_what_means_nothing_changes_nothing(house: House, typed: str) -> None:
    anna = house.person("Anna")
    page = learn(anna, made="", typed=typed)
    assert page.status_code == 200
    assert step(page.text) == 1
    assert "<b>x" not in page.text


def test_both_pages_lead_to_each_other_and_whoever_wants_words_is_led_there(house: House) -> None:
    anna, table = house.person("Anna"), house.table("Anna", "Ben", name="mace")
    assert 'href="/games/mace/learn/text?made="' in anna.get("/games/mace/learn?made=").text
    assert 'href="/games/mace/learn?made=&amp;pictures=true"' in learn(anna, made="").text
    assert 'href="/games/mace/learn/text"' in anna.get(f"/table/{table}/text").text
    anna.post("/listening", data={"tables": "words", "back": "/"})
    query = urlencode({"made": "on.on"})
    assert anna.get(f"/games/mace/learn?{query}").headers["location"] == f"/games/mace/learn/text?{query}"
    anna.post("/listening", data={"tables": "pictures", "back": "/"})
    assert anna.get("/games/hush/learn/text").status_code == 404
