"""Check that tutorials fit the rules. For tests, including those of games in other packages."""

from typing import Any

from sparring.engine.game import Game

from .lesson import CONTINUE, Lesson, LessonState, lesson_of
from .targets import EMPHASISED, find_targets


def check_lesson(game: Game) -> None:
    """Check a game's lesson on every path through it.

    All scripted and accepted choices are legal and belong to the right seat. Everything that a step points at or names
    is on the table, and its beat has been shown. Each step that allows other choices says why not to make them. Some
    path reaches the end.

    Raises:
        AssertionError, BadLesson: The lesson doesn't fit the rules; the message names the step.
    """
    check_steps(game, lesson_of(game))


def check_steps(game: Game, lesson: Lesson) -> None:
    """Check a lesson, which doesn't have to come from a file."""
    stack, seen, ends = [LessonState(game, lesson)], set[str](), 0
    while stack:
        pupil = stack.pop()
        if (key := state_key(pupil)) in seen:
            continue
        seen.add(key)
        actions = check_step(pupil)
        ends += pupil.over
        for action in actions:
            branch = pupil.fork()
            branch.replay_action(action)
            stack.append(branch)
    assert ends, "no path leads to the end of the lesson"


def state_key(pupil: LessonState) -> str:
    """Return a key of a lesson state that ignores the order of cards, so that equivalent states are checked once."""

    def unordered(part: Any) -> str:
        if isinstance(part, dict):
            return unordered([f"{key} {unordered(value)}" for key, value in part.items()])
        return str(sorted(map(unordered, part))) if isinstance(part, list) else str(part)

    return f"{pupil.step_index} {pupil.remaining} {unordered(pupil.match.position())}"


def check_step(pupil: LessonState) -> list[str]:
    """Check one state of a lesson and return the actions that lead on, as `LessonState.replay_action` reads them."""
    step, where = pupil.step, f"Step {pupil.step_index + 1}"
    if step is None:
        return []
    own_turn = pupil.match.seat == pupil.lesson.seat
    assert own_turn or not pupil.expects_choice, f"{where}: it isn't the learner's turn"
    accepted = pupil.accepted()
    illegal = [] if step.every and accepted else [words for words in pupil.remaining if words not in accepted]
    assert not illegal, f"{where} accepts illegal choices: {', '.join(illegal)}"
    view = pupil.view
    assert view.beat == step.beat, f"{where}: no beat {step.beat} was shown"
    for name in (*step.point, *EMPHASISED.findall(f"{step.say} {step.instead}")):
        assert find_targets(view.scene, name), f"{where}: {name} isn't on the table"
    if not pupil.expects_choice:
        return [CONTINUE]
    assert pupil.targets(), f"{where} points at nothing"
    others = set(pupil.match.legal()) - set(accepted.values())
    assert step.instead or not others, f"{where} has no `instead` to explain why other choices are rejected"
    return [str(action) for action in accepted.values()]
