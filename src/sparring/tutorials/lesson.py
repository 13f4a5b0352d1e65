"""Lessons: a position and scripted steps, read from a game's `learn.toml`.

Each step teaches one idea. It asks for a choice or only explains something; then the other seats make their choices.
The texts are filled for the recommended match (`sparring.engine.texts`).

    learned = ["What a player knows afterwards."]       # followed by how the recommended match differs, if it does
    [position]                          # as Match.from_position reads it
    seats = 2
    [[steps]]
    say = "One idea. Put names of objects on the table between stars: *Elbow*."
    point = ["attack"]                  # also highlight these, by key, name or words; choices always are
    choose = ["Elbow", "Knee"]          # accepted choices: any one of them, or, with `every`, all in any legal order
    instead = "Why not to make another choice now."
    then = ["done"]                     # what the other seats choose afterwards, one choice per entry
    beat = "compared"                   # stop at this beat; what follows it is shown after the step, which is only read
    position = {}                       # continue from another position

`check.py` checks lessons against the rules.
"""

import tomllib
from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from typing import Any

import msgspec

from sparring.engine.errors import ChoiceError, SparringError
from sparring.engine.game import Game
from sparring.engine.match import Match
from sparring.engine.messages import AnyText, cached_by_language, say
from sparring.engine.texts import departures, filled
from sparring.engine.views import Beat, View

from .targets import LessonTarget, find_targets, targets_of_action

FILE = "learn.toml"

#: Stands for "continue" in `LessonState.actions`, for a step without a choice.
CONTINUE = "on"

#: Choices with this many digits or more are invalid; no game has that many.
LONGEST_NUMBER = 6


class NoLesson(SparringError):
    """The game has no lesson."""

    status = 404


class BadLesson(SparringError):
    """The lesson is malformed or contradicts the rules."""


class NotThisStep(SparringError):
    """The choice is legal, but the lesson doesn't accept it at this step; nothing has changed."""


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step: its text and the choices it accepts. The module docstring explains the fields."""

    say: str
    point: tuple[str, ...] = ()
    choose: tuple[str, ...] = ()
    every: bool = False
    instead: str = ""
    then: tuple[str, ...] = ()
    beat: str = ""
    position: dict[str, Any] | None = None


class Lesson(msgspec.Struct, frozen=True, eq=False, forbid_unknown_fields=True):
    """A lesson as read from its file."""

    position: dict[str, Any]
    steps: tuple[LessonStep, ...]
    learned: tuple[str, ...]
    seat: int = 1


def has_lesson(game: Game) -> bool:
    """Return whether a game has a lesson."""
    return (game.folder / FILE).exists()


@cached_by_language(256)
def lesson_of(game: Game) -> Lesson:
    """Return a game's lesson.

    :raises NoLesson: The game has none.
    :raises BadLesson: The file is malformed.
    """
    file = game.folder / FILE
    if not has_lesson(game):
        raise NoLesson(f"{game.title} has no tutorial; read its rules instead.")
    setup = game.recommended_setup
    try:
        lesson = msgspec.convert(tomllib.loads(filled(file.read_text(encoding="utf-8"), setup, FILE)), Lesson)
        if changes := departures(setup):
            now = say("The match that you can start now: {changes}.", changes=changes)
            return msgspec.structs.replace(lesson, learned=(*lesson.learned, now))
        return lesson
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as problem:
        raise BadLesson(f"{game.title}: {FILE}: {problem}.") from None


class LessonState:
    """The state of a learner in a lesson. Replaying `actions` leads to the same state."""

    def __init__(self, game: Game, lesson: Lesson) -> None:
        self.lesson = lesson
        self.match = self._start_match(game, lesson.position)
        #: What the learner has done: numbers of choices, or CONTINUE.
        self.actions: tuple[str, ...] = ()
        #: The number of finished steps, and for each begun step the length of `actions` when it began.
        self.step_index = 0
        self.step_starts: tuple[int, ...] = ()
        #: The beats since the learner's last action, including the other seats' choices; at a step that refers to a
        #: beat only up to that one, and then what follows it.
        self.beats: list[Beat] = []
        self.later: list[Beat] = []
        #: The choices that the step still accepts.
        self.remaining: tuple[str, ...] = ()
        self._begin_step()

    @classmethod
    def replayed(cls, game: Game, lesson: Lesson, actions: tuple[str, ...]) -> "LessonState":
        """Return the state after these actions, up to the first that no longer fits (if the lesson has changed)."""
        return _state_after(game, lesson, actions).fork()

    @classmethod
    def at_step(cls, game: Game, lesson: Lesson, number: int) -> "LessonState":
        """Return the state at the start of a step (from 1), with each earlier step's first accepted choice."""
        if not 1 <= number <= len(lesson.steps):
            raise BadLesson(f"The step must be 1 to {len(lesson.steps)}, not {number}.")
        state = cls(game, lesson)
        while state.step_index < number - 1:
            state.replay_action(str(next(iter(state.accepted().values()))) if state.expects_choice else CONTINUE)
        return state

    def fork(self) -> "LessonState":
        """Return an independent copy."""
        return deepcopy(self, {id(shared): shared for shared in (self.match.setup, self.lesson)})

    # State

    @property
    def over(self) -> bool:
        """Whether all steps are done."""
        return self.step_index == len(self.lesson.steps)

    @property
    def step(self) -> LessonStep | None:
        """The current step; None at the end."""
        return None if self.over else self.lesson.steps[self.step_index]

    @property
    def expects_choice(self) -> bool:
        """Whether the step asks for a choice; otherwise it is only read."""
        return bool(self.remaining)

    @property
    def sentences(self) -> list[AnyText]:
        """The sentences about what happened since the learner's last action."""
        return [line for beat in self.beats for line in beat.lines]

    @property
    def view(self) -> View:
        """What the learner sees now: the table, or the beat that the step refers to."""
        return self.beats[-1].view if self.step and self.step.beat else self.match.view(self.lesson.seat)

    def accepted(self) -> dict[str, int]:
        """Return the choices that the step accepts and that are legal now, by the step's words."""
        actions = {}
        for words in self.remaining if self.match.seat == self.lesson.seat else ():
            with suppress(ChoiceError):
                actions[words] = self.match.read(words)
        return actions

    def targets(self) -> list[LessonTarget]:
        """Return the objects on the table that represent accepted choices, and the others that the step points at."""
        scene, names = self.view.scene, self.step.point if self.step else ()
        targets = [target for action in self.accepted().values() for target in targets_of_action(scene, action)]
        return targets + [target for name in names for target in find_targets(scene, name)]

    # Actions

    def replay_action(self, word: str) -> None:
        """Replay an action as recorded in `actions`."""
        if word == CONTINUE:
            self.finish_reading()
        elif word.isascii() and word.isdigit() and len(word) < LONGEST_NUMBER:
            self.choose(int(word))
        else:
            raise BadLesson(f"An action must be a choice's number or {CONTINUE}, not {word}.")

    def finish_reading(self) -> None:
        """Finish a step without a choice.

        :raises NotThisStep: The step asks for a choice.
        """
        if self.expects_choice:
            raise NotThisStep("Make your choice first; the tutorial then continues automatically.")
        if not self.over:
            self.beats, self.later = self.later, []
            self.actions += (CONTINUE,)
            self._finish_step()

    def choose(self, words: str | int) -> None:
        """Make a choice.

        :raises NotThisStep: The choice is legal, but this step doesn't accept it; nothing has changed.
        :raises ChoiceError: The choice is illegal or not understood.
        """
        if self.step is None:
            raise NotThisStep("The tutorial is over.")
        if not self.expects_choice:
            raise NotThisStep("Read this first, then continue.")
        action = self.match.read(words)
        matching = [words for words, number in self.accepted().items() if number == action]
        if not matching:
            raise NotThisStep(self.step.instead)
        self.beats.clear()
        self._play(action)
        self.actions += (str(action),)
        self.remaining = tuple(each for each in self.remaining if each not in matching) if self.step.every else ()
        if not self.remaining:
            self._finish_step()

    def choose_together(self, choices: Sequence[str]) -> None:
        """Make several choices of one step with one tap, such as a card, a token and a space: all of them or none.

        :raises NotThisStep: The step doesn't accept them all.
        :raises ChoiceError: A choice is illegal or not understood.
        """
        trial, step = self.fork(), self.step
        for words in choices:
            if trial.step is not step and step is not None:
                raise NotThisStep(step.instead)
            trial.choose(words)
        for words in choices:
            self.choose(words)

    def accepts_together(self, choices: Sequence[str]) -> bool:
        """Return whether `choose_together` would make these choices."""
        try:
            if self.match.read(choices[0]) in self.accepted().values():
                self.fork().choose_together(choices)
                return True
        except SparringError:
            pass
        return False

    def _play(self, choice: str | int) -> None:
        self.match.choose(choice)
        # Learners and the lesson make every choice, even the only one, so no sentence says that the table made it.
        last = self.match.last_transition
        self.beats += self.match.beats(self.lesson.seat, last and last._replace(forced_reason=""))

    def _finish_step(self) -> None:
        """Make the other seats' choices and begin the next step."""
        for words in self.lesson.steps[self.step_index].then:
            if self.match.seat == self.lesson.seat:
                raise BadLesson(f"Step {self.step_index + 1}: {words}: it is the learner's turn.")
            try:
                self._play(words)
            except ChoiceError as problem:
                raise BadLesson(f"Step {self.step_index + 1}: {words}: {problem}") from None
        self.step_index += 1
        self._begin_step()

    def _begin_step(self) -> None:
        self.step_starts += (len(self.actions),)
        self.remaining = self.step.choose if self.step else ()
        if self.step and self.step.position is not None:
            self.match = self._start_match(self.match.game, self.step.position)
            self.beats.clear()
        if self.step and self.step.beat:
            end = max((i + 1 for i, beat in enumerate(self.beats) if beat.view.beat == self.step.beat), default=0)
            if not end:
                raise BadLesson(f"Step {self.step_index + 1}: no beat {self.step.beat} was shown.")
            self.beats, self.later = self.beats[:end], self.beats[end:]

    @staticmethod
    def _start_match(game: Game, position: dict[str, Any]) -> Match:
        return Match.from_position({"game": game.name, **position}, game=game)


@lru_cache(maxsize=256)
def _state_after(game: Game, lesson: Lesson, actions: tuple[str, ...]) -> LessonState:
    """Return the state after these actions; cached, so that only the last action has to be replayed."""
    if not actions:
        return LessonState(game, lesson)
    before = _state_after(game, lesson, actions[:-1])
    if before.actions != actions[:-1]:
        return before
    after = before.fork()
    try:
        after.replay_action(actions[-1])
    except SparringError:
        return before
    return after
