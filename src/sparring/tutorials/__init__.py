"""A first match for somebody who has never seen a game: a lesson that is data, played on the engine."""

from .lesson import ON, BadLesson, Lesson, LessonState, LessonStep, NoLesson, NotThisStep, has_lesson, lesson_of
from .targets import EMPHASISED, Target

__all__ = [
    "EMPHASISED",
    "ON",
    "BadLesson",
    "Lesson",
    "LessonState",
    "LessonStep",
    "NoLesson",
    "NotThisStep",
    "Target",
    "has_lesson",
    "lesson_of",
]  # fmt: skip
