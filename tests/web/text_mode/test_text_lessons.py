"""Tutorials in text mode: targets named with their place; buttons, typed words, and queries."""

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
from web.app_server import AppServer, Client
from web.pages.page_text import TAUGHT, headings, step, text_of


def learn(client: Client, name: str = "mace", **where: str) -> httpx.Response:
    return client.http.get(f"/games/{name}/learn/text", params=where)


def say(client: Client, page: httpx.Response, words: str, kind: str = "words") -> httpx.Response:
    """Type into the field of a page, or press a button."""
    action = re.search(r'<form id="say"[^>]* action="([^"]+)"', page.text)
    assert action
    return client.http.post(unescape(action[1]), data={kind: words}, follow_redirects=True)


def press(client: Client, page: httpx.Response) -> httpx.Response:
    """Press the first button that the step asks for."""
    found = re.search(r'name="(choice|words)" value="(\w+)"', page.text.split('<section id="question"')[1])
    assert found
    return say(client, page, found[2], found[1])


def test_a_whole_lesson(server: AppServer) -> None:
    client, name = server.stranger(), "make-your-moves"
    page, met = learn(client, name, made=""), list[int]()
    while number := step(page.text):
        met.append(number)
        page = press(client, page)
    assert sorted(set(met)) == list(range(1, len(lesson_of(game(name)).steps) + 1))
    assert "What you've learned" in page.text
    assert "Play now<" in page.text


@pytest.mark.parametrize("name", TAUGHT)
def test_every_target_is_described_with_its_place(name: str) -> None:
    """On one path through each lesson: everything highlighted on the graphical page is described on this one."""
    pupil = LessonState(game(name), lesson_of(game(name)))
    while words := check_step(pupil):
        say = SceneSpeaker(SeatNames([]), pupil.match.game.spoken_forms)
        scene = pupil.view.scene
        lying = [each for each in pupil.targets() if not isinstance(each.thing, Face | Colour)]  # parts of other items
        for pointed in lying:
            assert describe_location(scene, pointed.thing, say), (state_key(pupil)[:2], pointed.key)
        pupil.replay_action(words[0])
    assert pupil.over


def test_targets_are_named_with_their_place(server: AppServer) -> None:
    page = learn(server.person("Anna"), made="")
    while "of your hand" not in text_of(page.text).split("What to do")[0]:
        page = press(server.person("Anna"), page)
    assert re.search(r"Look at: the \w+ card of your hand, \w+ of \w+", text_of(page.text))


@pytest.mark.parametrize(("number", "word"), [(1, "first"), (10, "tenth"), (11, "11th"), (21, "21st"), (112, "112th")])
def test_positions_are_ordinal_words(number: int, word: str) -> None:
    assert ordinal(number) == word


def test_headings_structure_the_page(server: AppServer) -> None:
    found = headings(learn(server.stranger(), made="").text)
    order = ["Read this and continue", "What to do", "Your hand", "Players", "Table", "Steps", "This page"]
    assert [each for each in found if each in order] == [each for each in order if each in found]
    assert {"Your hand", "Players", "Table", "Steps", "This page"} <= set(found)


def test_a_choice_can_be_typed(anna: Client) -> None:
    page = learn(anna, "make-your-moves", made="121")
    assert step(page.text) == 2
    assert "You play Piledriver" in text_of(say(anna, page, "Piledriver").text)


def test_several_choices_of_a_step_can_be_typed_at_once(anna: Client) -> None:
    page = learn(anna, "make-your-moves", made="121")
    refused = say(anna, page, "Piledriver; Jab")
    assert "made=121&" in str(refused.url), "all of them or none"
    assert step(say(anna, page, "Piledriver; Thunderous; Elbow").text) == 3


def test_an_unwanted_choice_gets_its_reason_and_stays_typed(anna: Client) -> None:
    page = learn(anna, "make-your-moves", made="121")
    refused = say(anna, page, "Jab")
    assert step(refused.text) == 2
    assert "That would be a legal attack, but you can reach 8" in text_of(refused.text)
    assert 'value="Jab"' in refused.text
    assert "isn't a choice here" in text_of(say(anna, page, "nonsense").text)
    assert step(say(anna, page, "0", "choice").text) == 2, "an unwanted button gets the same answer"


def test_queries_are_answered_and_change_nothing(anna: Client) -> None:
    answered = say(anna, learn(anna, made=""), "help")
    assert "on: go to the next step" in text_of(answered.text).split("Step 1 of")[1]


def test_steps_can_be_left_and_revisited(anna: Client) -> None:
    page = learn(anna, made="")
    for _ in range(4):
        page = press(anna, page)
    assert step(page.text) == 5
    links = re.findall(r'href="([^"]+)" data-leaf="step"', page.text)
    assert [step(anna.get(unescape(link)).text) for link in links] == [1, 2, 3, 4]
    assert step(say(anna, page, "back").text) == 4
    assert "This is the first step." in say(anna, learn(anna, made=""), "back").text


def test_progress_is_shared_with_the_graphical_page(anna: Client) -> None:
    page = learn(anna, made="")
    for _ in range(3):
        page = press(anna, page)
    there = step(page.text)
    assert there == 4
    assert step(learn(anna).text) == there
    assert step(anna.get("/games/mace/learn?pictures=true").text) == there


@pytest.mark.parametrize("typed", ["", "boost 10D", "9" * 3000, "%00", "<b>x</b>"])
def test_opening_an_address_changes_nothing(typed: str, anna: Client) -> None:
    page = learn(anna, made="", typed=typed)
    assert page.status_code == 200
    assert step(page.text) == 1
    assert "<b>x" not in page.text


def test_both_pages_are_linked_and_the_preference_redirects(server: AppServer) -> None:
    anna, table = server.person("Anna"), server.table("Anna", "Ben", name="mace")
    assert 'href="/games/mace/learn/text?made="' in anna.get("/games/mace/learn?made=").text
    assert 'href="/games/mace/learn?made=&amp;pictures=true"' in learn(anna, made="").text
    assert 'href="/games/mace/learn/text"' in anna.get(f"/table/{table}/text").text
    anna.post("/listening", data={"tables": "words", "back": "/"})
    query = urlencode({"made": "on.on"})
    assert anna.get(f"/games/mace/learn?{query}").headers["location"] == f"/games/mace/learn/text?{query}"
    anna.post("/listening", data={"tables": "pictures", "back": "/"})
    assert anna.get("/games/hush/learn/text").status_code == 404
