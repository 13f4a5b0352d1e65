"""A first match for somebody who has never seen a game: a lesson that is data, played on the engine."""

from .lesson import ON, BadLesson, Lesson, NoLesson, NotNow, Pupil, Step, has_lesson, lesson_of
from .pointing import EMPHASISED, Pointed

__all__ = [
    "EMPHASISED", "ON", "BadLesson", "Lesson", "NoLesson", "NotNow", "Pointed", "Pupil", "Step", "has_lesson",
    "lesson_of",
]  # fmt: skip
