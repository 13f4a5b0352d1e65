"""Tutorials: scripted lessons, stored as data and played on the engine."""

from .lesson import CONTINUE, BadLesson, Lesson, LessonState, LessonStep, NoLesson, NotThisStep, has_lesson, lesson_of
from .targets import EMPHASISED, LessonTarget

__all__ = [
    "CONTINUE",
    "EMPHASISED",
    "BadLesson",
    "Lesson",
    "LessonState",
    "LessonStep",
    "LessonTarget",
    "NoLesson",
    "NotThisStep",
    "has_lesson",
    "lesson_of",
]  # fmt: skip
