"""Holding a lesson to the rules, so that it cannot rot. For tests, also of games in other packages."""

from typing import Any

from sparring.engine.game import Game

from .lesson import ON, Lesson, LessonState, lesson_of
from .targets import EMPHASISED, point_at


def check_lesson(game: Game) -> None:
    """AssertionError or BadLesson, with the step, if the lesson of a game does not fit its rules.

    On every path through it: all choices of the script and all that are accepted are legal, the others' are the
    others', what is pointed at or named in the words lies on the table, a beat that is spoken of was seen, each step
    that could be done otherwise says why not, and the last step is reached.
    """
    check_steps(game, lesson_of(game))


def check_steps(game: Game, lesson: Lesson) -> None:
    """The same for a lesson that need not stand in a file."""
    waiting, met, ends = [LessonState(game, lesson)], set[str](), 0
    while waiting:
        pupil = waiting.pop()
        if (place := likeness(pupil)) in met:
            continue
        met.add(place)
        words = check_step(pupil)
        ends += pupil.over
        for word in words:
            further = pupil.fork()
            further.do(word)
            waiting.append(further)
    assert ends, "no way leads to the end of the lesson"


def likeness(pupil: LessonState) -> str:
    """A place of a lesson, but for the order in which cards were laid: places that are alike are looked at once."""

    def unordered(part: Any) -> str:
        if isinstance(part, dict):
            return unordered([f"{key} {unordered(value)}" for key, value in part.items()])
        return str(sorted(map(unordered, part))) if isinstance(part, list) else str(part)

    return f"{pupil.place} {pupil.wanted} {unordered(pupil.match.position())}"


def check_step(pupil: LessonState) -> list[str]:
    """One place of a lesson; what can be done there."""
    step, where = pupil.step, f"Step {pupil.place + 1}"
    if step is None:
        return []
    asked = pupil.match.seat == pupil.lesson.seat
    assert asked or not pupil.asked, f"{where}: it is not the learner who is asked"
    accepted = pupil.accepted()
    late = [] if step.every and accepted else [words for words in pupil.wanted if words not in accepted]
    assert not late, f"{where} accepts what is not legal: {', '.join(late)}"
    view = pupil.view
    assert view.beat == step.beat, f"{where}: there was no beat {step.beat}"
    for name in (*step.point, *EMPHASISED.findall(f"{step.say} {step.instead}")):
        assert point_at(view.scene, name), f"{where}: there is no {name} on the table"
    if not pupil.asked:
        return [ON]
    assert pupil.pointed(), f"{where}: it points at nothing"
    others = set(pupil.match.legal()) - set(accepted.values())
    assert step.instead or not others, f"{where}: it does not say why another choice has to wait"
    return [str(action) for action in accepted.values()]
