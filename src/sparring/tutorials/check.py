"""Check lessons against the rules; for the tests of games, including those in other packages."""

from typing import Any

from sparring.engine.game import Game

from .lesson import CONTINUE, Lesson, LessonState, lesson_of
from .targets import EMPHASISED, find_targets


def check_lesson(game: Game) -> None:
    """Check a game's lesson on every path through it.

    All scripted and accepted choices must be legal and belong to the right seat. Everything that a step points at or
    names must be on the table, and its beat must have been shown. Each step at which other choices are legal must say
    why not to make them. Some path must reach the end.

    :raises AssertionError, BadLesson: The lesson contradicts the rules; the message names the step.
    """
    check_steps(game, lesson_of(game))


def check_steps(game: Game, lesson: Lesson) -> None:
    """Check a lesson, whether or not it was read from a file."""
    pending, seen, endings = [LessonState(game, lesson)], set[str](), 0
    while pending:
        state = pending.pop()
        if (key := state_key(state)) in seen:
            continue
        seen.add(key)
        actions = check_step(state)
        endings += state.over
        for action in actions:
            branch = state.fork()
            branch.replay_action(action)
            pending.append(branch)
    assert endings, "no path leads to the end of the lesson"


def state_key(state: LessonState) -> str:
    """Return a key of a lesson state that ignores the order of cards, so that equivalent states are checked once."""

    def unordered(part: Any) -> str:
        if isinstance(part, dict):
            return unordered([f"{key} {unordered(value)}" for key, value in part.items()])
        return str(sorted(map(unordered, part))) if isinstance(part, list) else str(part)

    return f"{state.step_index} {state.remaining} {unordered(state.match.position())}"


def check_step(state: LessonState) -> list[str]:
    """Check one state of a lesson and return the possible next actions, as `LessonState.replay_action` reads them."""
    step, where = state.step, f"Step {state.step_index + 1}"
    if step is None:
        return []
    own_turn = state.match.seat == state.lesson.seat
    assert own_turn or not state.expects_choice, f"{where}: it isn't the learner's turn"
    accepted = state.accepted()
    illegal = [] if step.every and accepted else [words for words in state.remaining if words not in accepted]
    assert not illegal, f"{where} accepts illegal choices: {', '.join(illegal)}"
    view = state.view
    for name in (*step.point, *EMPHASISED.findall(f"{step.say} {step.instead}")):
        assert find_targets(view.scene, name), f"{where}: {name} isn't on the table"
    if not state.expects_choice:
        return [CONTINUE]
    assert state.targets(), f"{where} points at nothing"
    others = set(state.match.legal()) - set(accepted.values())
    assert step.instead or not others, f"{where} has no `instead` to explain why other choices are rejected"
    return [str(action) for action in accepted.values()]
