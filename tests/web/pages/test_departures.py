"""Where the recommended match differs from the document, every door to it says so."""

import pytest

from cli.fake_terminal import FakeTerminal
from sparring import Match
from sparring.engine.game import game
from sparring.tutorials.lesson import CONTINUE, LessonState, lesson_of
from web.app_server import AppServer, Client

CIRCLES = game("five-circles")
LONGER = "life 14 (2 in the document); first combat in turn 2 (in turn 1 in the document)"


def test_the_terminal_says_it_in_its_first_line() -> None:
    first = FakeTerminal(Match.new(CIRCLES, preset="longer"), "me,random").play()
    assert " ".join(first.split()).startswith(f"Five Circles. This match: {LONGER}. Type ? for help.")
    assert FakeTerminal(Match.new(CIRCLES), "me,random").play().startswith("Five Circles. Type ? for help.")


def test_the_start_page_and_the_rules_page_say_it(anna: Client) -> None:
    start = anna.get("/").text
    assert f"Play starts a match with {LONGER}." in start
    assert start.count("Play starts a match with") == 2, "Five Circles and Untitled Movement"
    assert f"The match that “Play” starts: {LONGER}." in anna.get("/games/five-circles/rules").text
    assert "The match that “Play” starts" not in anna.get("/games/mace/rules").text


@pytest.mark.parametrize(("preset", "said"), [("longer", f"This match: {LONGER}."), ("by the letter", "")])
def test_the_rules_panel_and_the_tables_own_rules_say_it(preset: str, said: str, anna: Client) -> None:
    form = {"name": "Anna", "seat1": "me", "seat2": "random", "preset": preset}
    table = anna.post("/games/five-circles", data=form).headers["location"]
    for page in (anna.get(table).text.partition('id="rules-panel"')[2], anna.get(f"{table}/rules").text):
        assert said in page
        assert ("This match: " in page) == bool(said)
        assert ("14 life (2 in the document)" in page) == bool(said)


@pytest.mark.parametrize("address", ["/learn", "/learn/text"])
def test_the_last_step_of_the_tutorial_says_it(server: AppServer, address: str) -> None:
    lesson = lesson_of(CIRCLES)
    state = LessonState.at_step(CIRCLES, lesson, len(lesson.steps))
    while not state.over:
        state.replay_action(str(next(iter(state.accepted().values()))) if state.expects_choice else CONTINUE)
    page = server.person("Anna").get(f"/games/five-circles{address}?made={'.'.join(state.actions)}").text
    assert f"The match that you can start now: {LONGER}." in page
