"""A first match in the terminal: every lesson by its numbers, other choices, back, leaving and coming back."""

import io

import pytest
from rich.console import Console
from typer.testing import CliRunner

from sparring import games
from sparring.cli import app
from sparring.engine.game import game
from sparring.terminal_tutorial import TerminalTutorial
from sparring.tutorials import has_lesson, lesson_of

TAUGHT = [name for name, each in games().items() if has_lesson(each)]


def lesson(name: str, *lines: str, step: int = 1) -> str:
    """What the terminal shows while somebody types these lines."""
    text, typed = io.StringIO(), list(lines)

    def read(prompt: str) -> str:
        text.write(prompt)
        if not typed:
            raise EOFError
        return typed.pop(0)

    chosen = game(name)
    TerminalTutorial(chosen, lesson_of(chosen), Console(file=text, width=100, force_terminal=False), step, read).play()
    return text.getvalue()


@pytest.mark.parametrize("name", TAUGHT)
def test_a_whole_lesson_by_the_words_it_asks_for(name: str) -> None:
    lines = [";".join(step.choose if step.every else step.choose[:1]) for step in lesson_of(game(name)).steps]
    told = lesson(name, *lines)
    assert "What you know now:" in told
    assert f"sparring play {name} --terminal --seats me,search:level=first-match --preset" in told
    assert "*" not in told.replace("***", "").replace(" * ", "").replace(" *\n", "")


def test_each_step_says_its_words_what_is_meant_and_what_can_be_chosen() -> None:
    told = lesson("make-your-moves")
    assert "1/14  Three points win, and you and Coach have one each." in told
    assert "Look at: Coach." in told
    assert "  1 target 2" in told


def test_another_choice_is_told_why_it_has_to_wait() -> None:
    told = lesson("make-your-moves", "target 2", "Jab", "Ladder wall", "1")
    assert told.count("legal attack, but you can reach 8: play Piledriver, Thunderous and Elbow") == 2
    assert "“Ladder wall” is not a choice here" in told
    assert "3/14" not in told


def test_what_happened_is_told_before_the_next_step() -> None:
    told = lesson("make-your-moves", "target 2", "Piledriver; Thunderous; Elbow", "done")
    assert "Your 8 beats Coach's 3: you keep control." in told
    assert told.index("Your 8 beats") < told.index("4/14")
    assert "Press Enter to go on." in told


def test_back_is_a_step_back_and_the_first_step_has_none() -> None:
    told = lesson("make-your-moves", "target 2", "back", "back")
    assert told.count("1/14") == 2
    assert "This is where the lesson begins." in told


def test_who_leaves_is_told_how_to_come_back() -> None:
    assert "sparring learn mace --step 3 brings you back to this step." in lesson("mace", "boost 10D", "to 2,0", "quit")
    assert lesson("mace", step=3).index("3/14")
    assert "1/14" not in lesson("mace", step=3)


def test_the_command_refuses_what_is_not_there() -> None:
    asked = CliRunner().invoke(app, ["learn", "mace", "--step", "99"])
    assert str(asked.exception) == "This lesson has the steps 1 to 14; there is no step 99."
    asked = CliRunner().invoke(app, ["learn", "mace"], input="quit\n")
    assert asked.exit_code == 0
    assert "1/14" in asked.stdout
