"""A lesson in the terminal: the words of each step, the table, and what is meant."""

from collections.abc import Callable
from textwrap import wrap

from rich.console import Console

from sparring.bots import parse
from sparring.engine.errors import SparringError
from sparring.engine.game import Game
from sparring.scene.markup import SeatNames
from sparring.scene.text import WIDTH
from sparring.tutorials import EMPHASISED, Lesson, LessonState, LessonStep

from .seat_specs import ME
from .terminal import PlayerLeft, Terminal


class TerminalTutorial(Terminal):
    """Somebody at this keyboard in a lesson; the others choose what the lesson says."""

    def __init__(
        self, game: Game, lesson: Lesson, console: Console, step: int = 1, read: Callable[[str], str] | None = None
    ) -> None:
        self.pupil = LessonState.at_step(game, lesson, step)
        match = self.pupil.match
        seats = range(1, match.seats + 1)
        super().__init__(match, [ME if seat == lesson.seat else parse("random") for seat in seats], console, read)
        self.names = SeatNames([f"Seat {seat}" if seat == lesson.seat else "Coach" for seat in seats])

    def play(self) -> None:
        """Step by step to the end, or until somebody leaves."""
        self.say(f"{self.match.game.title}: a first match. Type ? for help.")
        try:
            while step := self.pupil.step:
                self.teach(step)
            self.tell()
            self.close()
        except (PlayerLeft, EOFError, KeyboardInterrupt):
            self.say(
                f"\nsparring learn {self.match.game.name} --step {self.pupil.place + 1} brings you back to this step."
            )

    def teach(self, step: LessonStep) -> None:
        """One step, until it is done or somebody goes back; some begin from a position of their own."""
        self.match = self.pupil.match
        self.tell()
        self.look()
        pupil, made = self.pupil, self.pupil.made
        while self.pupil is pupil and pupil.made == made:
            text = self.read("> " if pupil.asked else "Press Enter to go on. ").strip()
            if not text and not pupil.asked:
                pupil.go_on()
            for part in text.split(";"):
                if part.strip() and not self.obey(part.strip()):
                    break

    def look(self) -> None:
        """The table, what the step says, what it means, and what can be chosen."""
        step = self.pupil.step
        self.draw(self.pupil.view.scene)
        if step:
            self.console.print()
            self.paragraph(f"{self.pupil.place + 1}/{len(self.pupil.lesson.steps)}  {step.say}")
            if titles := dict.fromkeys(thing.title for thing in self.pupil.pointed() if thing.title):
                self.paragraph(f"Look at: {', '.join(titles)}.")
        if self.pupil.asked:
            self.list_choices()

    def choose(self, action: int) -> None:
        """Do what the step asks; anything else is refused with its reason."""
        self.pupil.choose(action)
        self.news[self.looking] += self.pupil.told

    def carry_out(self, command: str, rest: str) -> None:
        """As at any table, but for going back, which leads to the step before."""
        if command != "back":
            super().carry_out(command, rest)
            return
        if not self.pupil.made:
            raise SparringError("This is where the lesson begins.")
        self.pupil = LessonState.after(self.match.game, self.pupil.lesson, self.pupil.made[:-1])

    def close(self) -> None:
        """What was learned, and what to do with it."""
        self.say("\nWhat you know now:")
        for line in self.pupil.lesson.learned:
            self.paragraph(line, "- ")
        self.say("\nPlay your first match:")
        game, seats = self.match.game, "me,search:level=first-match"
        self.say(f'sparring play {game.name} --terminal --seats {seats} --preset "{game.recommended}"')

    def say(self, text: str) -> None:
        """What is refused is said in words of the lesson too."""
        super().say(self.worded(text))

    def worded(self, text: str) -> str:
        """Words of the lesson without their stars, seats by name."""
        return self.names.text(EMPHASISED.sub(r"\1", text))

    def paragraph(self, text: str, bullet: str = "") -> None:
        """Words of the lesson, as wide as the table."""
        for line in wrap(self.worded(text), WIDTH, initial_indent=bullet, subsequent_indent=" " * len(bullet)):
            self.say(line)
