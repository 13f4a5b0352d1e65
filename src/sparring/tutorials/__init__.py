"""Tutorials: scripted lessons, stored as data and played on the engine."""

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
