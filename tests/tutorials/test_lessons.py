"""Lessons: those of the games fit their rules, and learners are guided through them."""

from pathlib import Path
from typing import Any

import pytest

from engine.toy_game import TOY
from pseudo_language import pseudo_language
from sparring import games
from sparring.engine.errors import SparringError
from sparring.engine.game import game
from sparring.tutorials import (
    CONTINUE,
    BadLesson,
    Lesson,
    LessonState,
    LessonStep,
    NoLesson,
    NotThisStep,
    has_lesson,
    lesson_of,
)
from sparring.tutorials.check import check_lesson, check_steps
from wording import says

OURS = [name for name, each in games().items() if each.folder.parent.name == "games"]
MOVES = game("make-your-moves")
POSITION = {"seats": 2, "control": 1, "hands": ["Piledriver, Elbow, Towel, Jab, Chop", "Suplex, Wrist, Belt, Ear, Toe"]}
TARGET = LessonStep("Choose *Seat 2*.", choose=("target 2",))


def lesson(*steps: LessonStep) -> Lesson:
    return Lesson(position=dict(POSITION), steps=(TARGET, *steps), learned=("Something.",))


def lesson_state(*steps: LessonStep) -> LessonState:
    return LessonState(MOVES, lesson(*steps))


def error_of(*steps: LessonStep) -> str:
    """Return the error of a lesson that doesn't fit the rules."""
    with pytest.raises((AssertionError, BadLesson)) as said:
        check_steps(MOVES, lesson(*steps))
    return str(said.value).split("\n")[0]


@pytest.mark.parametrize("name", OURS)
def test_a_games_lesson_fits_its_rules_on_every_path(name: str) -> None:
    check_lesson(game(name))


def test_a_packages_lesson_is_checked_by_the_same_call() -> None:
    check_lesson(TOY)


@pytest.mark.parametrize("name", OURS)
def test_a_lesson_has_ten_to_fifteen_steps_that_are_short(name: str) -> None:
    taught = lesson_of(game(name))
    assert 10 <= len(taught.steps) <= 15
    assert sum(bool(step.choose) for step in taught.steps) >= 10
    assert all(len(step.say) <= 420 for step in taught.steps)
    assert 3 <= len(taught.learned) <= 7


def test_a_game_without_the_file_has_no_lesson() -> None:
    bare = type("Bare", (), {"folder": Path("/nowhere"), "title": "Bare"})()
    assert not has_lesson(bare)
    with pytest.raises(NoLesson, match="Bare has no tutorial"):
        lesson_of(bare)


# A learner in a lesson

LAY = LessonStep("Lay both.", choose=("Piledriver", "Elbow"), every=True, instead="Both first.")
FINISH = LessonStep("Finish.", choose=("done",), instead="Finish it.", then=("Suplex", "done"))
READ = LessonStep("5 against 2.", point=("attack",), beat="compared")


def test_an_accepted_choice_is_followed_by_the_scripted_choices_of_others() -> None:
    taught = lesson_state(LAY, FINISH, READ)
    for words in ("target 2", "Elbow", "Piledriver", "done"):
        taught.choose(words)
    assert taught.step == READ
    assert says(taught.sentences, "your 5 beats Seat 2's 2", "you keep control")
    assert taught.view.beat == "compared"
    assert [thing.title for thing in taught.targets()] == ["Attack"]


def test_the_only_choice_is_the_learners_own() -> None:
    taught = lesson_state(LAY)
    assert taught.match.forced_action() is not None
    taught.choose("target 2")
    assert [*map(str, taught.sentences)] == ["You attack Seat 2."]


def test_what_follows_a_steps_beat_is_shown_after_the_step() -> None:
    """Neither sentences nor table run ahead of the text and jump back."""
    taught = lesson_state(LAY, FINISH, READ, LessonStep("Next."))
    for words in ("target 2", "Elbow", "Piledriver", "done"):
        taught.choose(words)
    assert not any("score" in str(line) for line in taught.sentences)
    shown = int(taught.view.state.points[0])
    taught.finish_reading()
    assert says(taught.sentences, f"You score: {shown + 1} of 3 points")
    assert not says(taught.sentences, "you keep control")
    assert (taught.view.beat, int(taught.view.state.points[0])) == ("", shown + 1)


def test_a_legal_but_unwanted_choice_is_refused_with_its_reason() -> None:
    taught = lesson_state(LAY, FINISH)
    taught.choose("target 2")
    before = taught.match.state.tobytes()
    with pytest.raises(NotThisStep, match="Both first"):
        taught.choose("Towel")
    with pytest.raises(SparringError, match="isn't a choice here"):
        taught.choose("Ladder wall")
    assert (taught.match.state.tobytes(), taught.step_index, taught.actions) == (before, 1, ("121",))


def test_several_choices_can_come_in_any_order() -> None:
    taught = lesson_state(LAY, FINISH)
    taught.choose("target 2")
    taught.choose("Elbow")
    assert [thing.title for thing in taught.targets()] == ["Piledriver"]
    with pytest.raises(NotThisStep):
        taught.choose("done")
    taught.choose("Piledriver")
    assert taught.step == FINISH


def test_replaying_actions_leads_to_the_same_state() -> None:
    taught = lesson_state(LAY, FINISH, READ)
    for words in ("target 2", "Elbow", "Piledriver", "done"):
        taught.choose(words)
    taught.finish_reading()
    again = LessonState.replayed(MOVES, taught.lesson, taught.actions)
    assert again.over
    assert again.match.state.tobytes() == taught.match.state.tobytes()
    assert LessonState.at_step(MOVES, taught.lesson, 4).step == READ


def test_a_step_can_start_from_another_position() -> None:
    taught = lesson_state(
        LessonStep("Later.", choose=("Skull",), position={**POSITION, "phase": "attack", "hands": ["Skull", None]})
    )
    taught.choose("target 2")
    assert taught.sentences == []
    assert taught.match.phase == "attack"
    taught.choose("Skull")
    assert taught.over


def test_a_fork_is_independent() -> None:
    taught = lesson_state(LAY, FINISH)
    taught.choose("target 2")
    other = taught.fork()
    other.choose("Elbow")
    assert (taught.actions, other.actions) == (("121",), ("121", other.actions[-1]))
    assert [thing.title for thing in taught.targets()] == ["Piledriver", "Elbow"]


def test_replay_stops_at_the_first_action_that_does_not_fit() -> None:
    assert LessonState.replayed(MOVES, lesson(LAY), ("121", "99", "on", "7")).actions == ("121",)
    assert LessonState.replayed(MOVES, lesson(LAY), ("nonsense",)).actions == ()


def test_a_step_to_read_takes_no_choice_and_one_that_asks_cannot_be_skipped() -> None:
    taught = lesson_state(LAY, FINISH, READ)
    with pytest.raises(NotThisStep, match="Make your choice"):
        taught.finish_reading()
    for words in ("target 2", "Elbow", "Piledriver", "done"):
        taught.choose(words)
    with pytest.raises(NotThisStep, match="Read this first"):
        taught.choose("done")
    taught.replay_action(CONTINUE)
    with pytest.raises(NotThisStep, match="tutorial is over"):
        taught.choose("done")


# Lessons that no longer fit


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ((LessonStep("Lay it.", choose=("Ladder",)),), "Step 2 accepts illegal choices"),
        ((LAY, LessonStep("Finish.", choose=("done",), instead="Now.", then=("Ladder",))), "Step 3: Ladder"),
        ((LessonStep("Look at *Ladder*."),), "Step 2: Ladder isn't on the table"),
        ((LessonStep("Look.", point=("ladder",)),), "Step 2: ladder isn't on the table"),
        ((LessonStep("Lay it.", choose=("Elbow",)),), "Step 2 has no `instead`"),
        ((LessonStep("Compare.", beat="compared"),), "Step 2: no beat compared"),
        (
            (LAY, LessonStep("Finish.", choose=("done",), instead="Now."), LAY),
            "Step 4: it isn't the learner's turn",
        ),
        ((LessonStep("Wait.", then=("Jab",)),), "Step 2: Jab: it is the learner's turn"),
        (
            (LessonStep("Lay.", choose=("Elbow", "done"), every=True, instead="No."), READ),
            "Step 3: no beat compared",
        ),
    ],
)
def test_a_lesson_that_contradicts_the_rules_is_found(steps: tuple[LessonStep, ...], said: str) -> None:
    assert error_of(*steps).startswith(said)


def test_a_malformed_lesson_is_refused_with_its_field(tmp_path: Path) -> None:
    def read(text: str) -> Any:
        folder = tmp_path / str(len(text))
        folder.mkdir()
        (folder / "learn.toml").write_text(text, encoding="utf-8")
        facts = {"folder": folder, "title": "Other", "recommended_setup": game("mace").setup()}
        return lesson_of(type("Other", (), facts)())

    with pytest.raises(BadLesson, match=r"Other: learn\.toml: .*steps"):
        read("learned = []\n[position]\nseats = 2\n")
    with pytest.raises(BadLesson, match="pint"):
        read('learned = []\nposition = {}\nsteps = [{ say = "Hello.", pint = [] }]\n')
    with pytest.raises(BadLesson, match=r"Other: learn\.toml: "):
        read("learned = [")


def test_how_the_match_differs_is_said_in_each_language() -> None:
    movement = game("untitled-movement")
    with pseudo_language():
        accented = lesson_of(movement).learned[-1]
    assert lesson_of(movement).learned[-1] == (
        "The match that you can start now: tokens home to win 2 (4 in the document)."
    )
    assert not accented.startswith("The match")
