"""Play a game's tutorial in the terminal."""

from collections.abc import Callable
from textwrap import wrap

from rich.console import Console

from sparring.bots import parse
from sparring.engine.errors import SparringError
from sparring.engine.formats.spelling import normalize
from sparring.engine.game import Game
from sparring.scene import Button
from sparring.scene.markup import SeatNames
from sparring.scene.text import WIDTH
from sparring.tutorials import EMPHASISED, Lesson, LessonState, LessonStep, Target

from .seat_specs import ME
from .terminal import PlayerLeft, Terminal


class TerminalTutorial(Terminal):
    """A tutorial for one person at this keyboard; the script makes the choices of the other seats."""

    def __init__(
        self, game: Game, lesson: Lesson, console: Console, step: int = 1, read: Callable[[str], str] | None = None
    ) -> None:
        self.state = LessonState.at_step(game, lesson, step)
        match = self.state.match
        seats = range(1, match.seats + 1)
        super().__init__(match, [ME if seat == lesson.seat else parse("random") for seat in seats], console, read)
        self.names = SeatNames([f"Seat {seat}" if seat == lesson.seat else "Coach" for seat in seats])

    def play(self) -> None:
        """Run the steps until the end, or until the player leaves."""
        self.say(f"{self.match.game.title}: tutorial. Type ? for help.")
        try:
            while step := self.state.step:
                self.teach(step)
            self.show_events()
            self.close()
        except (PlayerLeft, EOFError, KeyboardInterrupt):
            self.say(
                f"\nTo return to this step: sparring learn {self.match.game.name} --step {self.state.step_index + 1}"
            )

    def teach(self, step: LessonStep) -> None:
        """Run one step until it is done or the player goes back; some steps start from a new position."""
        self.match = self.state.match
        self.show_events()
        self.show_table()
        pupil, made = self.state, self.state.actions
        while self.state is pupil and pupil.actions == made:
            text = self.read("> " if pupil.expects_choice else "Press Enter to continue. ").strip()
            if not text and not pupil.expects_choice:
                pupil.finish_reading()
            for part in text.split(";"):
                if part.strip() and not self.handle_input(part.strip()):
                    break

    def show_table(self) -> None:
        """Show the table, the step's text, the things it points at, and the choices."""
        step = self.state.step
        self.draw(self.state.view.scene)
        if step:
            self.console.print()
            self.paragraph(f"{self.state.step_index + 1}/{len(self.state.lesson.steps)}  {step.say}")
            if titles := dict.fromkeys(filter(None, map(target_name, self.state.targets()))):
                self.paragraph(f"Look at: {', '.join(titles)}.")
        if self.state.expects_choice:
            self.list_choices()

    def choose(self, action: int) -> None:
        """Make a choice that the step accepts; reject any other with the step's reason."""
        self.state.choose(action)
        self.unseen_events[self.viewer] += self.state.sentences

    def run_command(self, command: str, rest: str) -> None:
        """Run a command; `back` undoes the last thing done in the tutorial."""
        if command != "back":
            super().run_command(command, rest)
            return
        if not self.state.actions:
            raise SparringError("This is the start of the tutorial; there is nothing to undo.")
        self.state = LessonState.replayed(self.match.game, self.state.lesson, self.state.actions[:-1])

    def close(self) -> None:
        """Print what the player has learned and how to start a match."""
        self.say("\nWhat you've learned:")
        for line in self.state.lesson.learned:
            self.paragraph(line, "- ")
        self.say("\nPlay your first match:")
        game, seats = self.match.game, "me,search:level=gentle"
        self.say(f'sparring play {game.name} --terminal --seats {seats} --preset "{game.recommended}"')

    def say(self, text: str) -> None:
        """Print text; errors may quote the tutorial, so its emphasis and seats are replaced here."""
        super().say(self.worded(text))

    def worded(self, text: str) -> str:
        """Return tutorial text without emphasis marks and with names for seats."""
        return self.names.text(EMPHASISED.sub(r"\1", text))

    def paragraph(self, text: str, bullet: str = "") -> None:
        """Print tutorial text, wrapped to the width of the table."""
        for line in wrap(self.worded(text), WIDTH, initial_indent=bullet, subsequent_indent=" " * len(bullet)):
            self.say(line)


def target_name(target: Target) -> str:
    """Return the name of a target; for a button its label, which the step's text may use, and what to type for it."""
    thing = target.thing
    if isinstance(thing, Button) and normalize(thing.text) != normalize(thing.words):
        return f"{thing.text} (type {thing.words})"
    return target.title
