"""Tutorials in the terminal: whole lessons, wrong choices, going back, leaving and returning."""

import io

import pytest
from rich.console import Console
from typer.testing import CliRunner

from sparring import games
from sparring.cli import app
from sparring.engine.game import game
from sparring.terminal.learning import TerminalTutorial
from sparring.tutorials import has_lesson, lesson_of
from wording import says

#: What leads to the fourth step of the tutorial of Make Your Moves, which is only read.
CHOSEN = ("target 2", "Piledriver; Thunderous; Elbow", "done")
TAUGHT = [name for name, each in games().items() if has_lesson(each)]


def lesson(name: str, *lines: str, step: int = 1) -> str:
    """Return the terminal's output when these lines are typed."""
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
def test_a_lesson_can_be_finished_with_its_own_choices(name: str) -> None:
    lines = [";".join(step.choose if step.every else step.choose[:1]) for step in lesson_of(game(name)).steps]
    told = lesson(name, *lines)
    assert "What you've learned:" in told
    assert f"sparring play {name} --terminal --seats me,search:level=gentle --preset" in told
    assert "*" not in told.replace("***", "").replace(" * ", "").replace(" *\n", "")


def test_each_step_shows_its_text_targets_and_choices() -> None:
    told = lesson("make-your-moves")
    assert "1/14  Three points win, and you and Coach have one each." in told
    assert "Look at: Coach." in told
    assert "  1 target 2" in told


def test_a_choice_that_a_step_does_not_accept_is_refused_with_its_reason() -> None:
    told = lesson("make-your-moves", "target 2", "Jab", "1")
    assert told.count("legal attack, but you can reach 8: play Piledriver, Thunderous and Elbow") == 2
    assert "3/14" not in told


def test_events_are_shown_before_the_next_step() -> None:
    told = lesson("make-your-moves", *CHOSEN)
    assert told.index("Your 8 beats Coach's 3: you keep control.") < told.index("4/14")
    assert "Read this first" in lesson("make-your-moves", *CHOSEN, "nonsense")
    assert "» You score: 2 of 3 points." in lesson("make-your-moves", *CHOSEN, "", "help").partition("Press Enter")[2]


def test_back_returns_to_the_previous_step_but_not_before_the_first() -> None:
    told = lesson("make-your-moves", "target 2", "back", "back")
    assert told.count("1/14") == 2
    assert says(told, "first step")


def test_leaving_shows_how_to_return() -> None:
    assert "sparring learn mace --step 3\n" in lesson("mace", "boost 10D", "to 2,0", "quit")
    assert lesson("mace", step=3).index("3/14")
    assert "1/14" not in lesson("mace", step=3)


def test_a_missing_step_is_refused() -> None:
    asked = CliRunner().invoke(app, ["learn", "mace", "--step", "99"])
    assert says(str(asked.exception), "step", "1 to 14", "99")
    asked = CliRunner().invoke(app, ["learn", "mace"], input="quit\n")
    assert asked.exit_code == 0
    assert "1/14" in asked.stdout
