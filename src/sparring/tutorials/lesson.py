"""A lesson: a position, and steps that each ask for one thing and say what the others do after it.

It stands in `learn.toml` in the folder of a game:

    learned = ["What somebody knows afterwards."]
    [position]                          # as Match.from_position reads it
    seats = 2
    [[steps]]
    say = "One idea. Things that lie on the table stand between stars: *Elbow*."
    point = ["attack"]                  # keys, names or words of what is meant besides what is to be chosen
    choose = ["Elbow", "Knee"]          # accepted: one of them, or with `every` each as soon as it can be
    instead = "Why the lesson wants no other one now."
    then = ["done"]                     # what the other seats choose after it
    beat = "compared"                   # the table is shown as it was at this beat; for a step without a choice
    position = {}                       # the lesson goes on from another position

`check.py` holds lessons to the rules.
"""

import tomllib
from contextlib import suppress
from copy import deepcopy
from functools import cache, lru_cache
from typing import Any

import msgspec

from sparring.engine.errors import ChoiceError, SparringError
from sparring.engine.game import Game
from sparring.engine.match import Match
from sparring.engine.views import Beat, View

from .targets import Target, point_at, point_at_choice

FILE = "learn.toml"

#: What is said for a step that only wants to be read, in place of a choice.
ON = "on"


#: No game has so many choices that their numbers are so long.
LONGEST_NUMBER = 6


class NoLesson(SparringError):
    """A game that comes without a lesson."""


class BadLesson(SparringError):
    """A lesson that cannot be read or played."""


class NotThisStep(SparringError):
    """A choice that the rules allow and the lesson has another use for; nothing has changed."""


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One idea, and what is to be done about it."""

    say: str
    point: tuple[str, ...] = ()
    choose: tuple[str, ...] = ()
    every: bool = False
    instead: str = ""
    then: tuple[str, ...] = ()
    beat: str = ""
    position: dict[str, Any] | None = None


class Lesson(msgspec.Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """A lesson as it is written."""

    position: dict[str, Any]
    steps: tuple[LessonStep, ...]
    learned: tuple[str, ...]
    seat: int = 1


def has_lesson(game: Game) -> bool:
    """Whether a game comes with a lesson."""
    return (game.folder / FILE).exists()


@cache
def lesson_of(game: Game) -> Lesson:
    """The lesson of a game."""
    file = game.folder / FILE
    if not has_lesson(game):
        raise NoLesson(f"{game.title} comes without a first match to learn from; its rules tell how it is played.")
    try:
        return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), Lesson)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as problem:
        raise BadLesson(f"{game.title}: {FILE}: {problem}.") from None


class LessonState:
    """Somebody in the middle of a lesson. What they have done so far is `made`; it leads here again."""

    def __init__(self, game: Game, lesson: Lesson) -> None:
        self.lesson = lesson
        self.match = self._dealt(game, lesson.position)
        #: One word for each thing done: the number of a choice, or ON.
        self.made: tuple[str, ...] = ()
        #: How many steps are done, and after how many things every step began so far.
        self.place = 0
        self.begun: tuple[int, ...] = ()
        #: What the last thing done set off, the choices of the others included.
        self.beats: list[Beat] = []
        #: What the step wants to be chosen still.
        self.wanted: tuple[str, ...] = ()
        self._open()

    @classmethod
    def after(cls, game: Game, lesson: Lesson, made: tuple[str, ...]) -> "LessonState":
        """Where these things lead; what does not fit (the lesson was written anew) is left out, with all after it."""
        return _reached(game, lesson, made).fork()

    @classmethod
    def at_step(cls, game: Game, lesson: Lesson, number: int) -> "LessonState":
        """At the beginning of a step (counted from 1), after the first of the accepted choices in those before."""
        if not 1 <= number <= len(lesson.steps):
            raise BadLesson(f"This lesson has the steps 1 to {len(lesson.steps)}; there is no step {number}.")
        pupil = cls(game, lesson)
        while pupil.place < number - 1:
            pupil.do(str(next(iter(pupil.accepted().values()))) if pupil.asked else ON)
        return pupil

    def fork(self) -> "LessonState":
        """Another one at the same place, who may go another way."""
        return deepcopy(self, {id(shared): shared for shared in (self.match.box, self.lesson)})

    # Looking

    @property
    def over(self) -> bool:
        """Whether all steps are done."""
        return self.place == len(self.lesson.steps)

    @property
    def step(self) -> LessonStep | None:
        """The step that is to be done; None at the end."""
        return None if self.over else self.lesson.steps[self.place]

    @property
    def asked(self) -> bool:
        """Whether the step wants a choice; otherwise it wants to be read."""
        return bool(self.wanted)

    @property
    def told(self) -> list[str]:
        """What happened since the last thing that was done, in sentences."""
        return [line for beat in self.beats for line in beat.lines]

    @property
    def view(self) -> View:
        """What is to be seen now: the table, or the beat that the step speaks of."""
        wanted = self.step.beat if self.step else ""
        shown = [beat.view for beat in self.beats if wanted and beat.view.beat == wanted]
        return shown[-1] if shown else self.match.view(self.lesson.seat)

    def accepted(self) -> dict[str, int]:
        """The choices that the step accepts and that can be made now, by its words."""
        found = {}
        for words in self.wanted if self.match.seat == self.lesson.seat else ():
            with suppress(ChoiceError):
                found[words] = self.match.read(words)
        return found

    def pointed(self) -> list[Target]:
        """What the step wants to be chosen, and what else it points at."""
        scene, named = self.view.scene, self.step.point if self.step else ()
        wanted = [thing for action in self.accepted().values() for thing in point_at_choice(scene, action)]
        return wanted + [thing for name in named for thing in point_at(scene, name)]

    # Doing

    def do(self, word: str) -> None:
        """Something that was done before, as it stands in `made`."""
        if word == ON:
            self.go_on()
        elif word.isascii() and word.isdigit() and len(word) < LONGEST_NUMBER:
            self.choose(int(word))
        else:
            raise BadLesson(f"There is nothing called {word} in a lesson.")

    def go_on(self) -> None:
        """Read, and on to the next step."""
        if self.asked:
            raise NotThisStep("Make your choice; then the lesson goes on by itself.")
        if not self.over:
            self.beats.clear()
            self.made += (ON,)
            self._close()

    def choose(self, words: str | int) -> None:
        """Make a choice; NotNow (and nothing has changed) if the rules allow it and the lesson wants another."""
        if self.step is None:
            raise NotThisStep("The lesson is done; the next match is your own.")
        action = self.match.read(words)
        if not self.asked:
            raise NotThisStep("Read this first, then go on.")
        fits = [words for words, number in self.accepted().items() if number == action]
        if not fits:
            raise NotThisStep(self.step.instead)
        self.beats.clear()
        self._play(action)
        self.made += (str(action),)
        self.wanted = tuple(left for left in self.wanted if left not in fits) if self.step.every else ()
        if not self.wanted:
            self._close()

    def _play(self, choice: str | int) -> None:
        self.match.choose(choice)
        self.beats += self.match.beats(self.lesson.seat)

    def _close(self) -> None:
        """The others choose, and the next step begins."""
        for words in self.lesson.steps[self.place].then:
            if self.match.seat == self.lesson.seat:
                raise BadLesson(f"Step {self.place + 1}: {words}: it is the learner who is asked.")
            try:
                self._play(words)
            except ChoiceError as problem:
                raise BadLesson(f"Step {self.place + 1}: {words}: {problem}") from None
        self.place += 1
        self._open()

    def _open(self) -> None:
        self.begun += (len(self.made),)
        self.wanted = self.step.choose if self.step else ()
        if self.step and self.step.position is not None:
            self.match = self._dealt(self.match.game, self.step.position)
            self.beats.clear()

    @staticmethod
    def _dealt(game: Game, position: dict[str, Any]) -> Match:
        return Match.from_position({"game": game.name, **position}, game=game)


@lru_cache(maxsize=256)
def _reached(game: Game, lesson: Lesson, made: tuple[str, ...]) -> LessonState:
    """Who has done these things; kept, so that the next thing is all there is to do."""
    if not made:
        return LessonState(game, lesson)
    before = _reached(game, lesson, made[:-1])
    further = before.fork()
    try:
        if before.made == made[:-1]:
            further.do(made[-1])
    except SparringError:
        return before
    return further
