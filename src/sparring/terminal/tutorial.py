"""Play a game's tutorial in the terminal."""

from collections.abc import Callable

from rich.console import Console

from sparring.engine.game import Game
from sparring.engine.messages import say
from sparring.scene.markup import seat_name
from sparring.scene.sentences import enumerated
from sparring.scene.text import WIDTH
from sparring.text import HELP, QUERIES, STEPS, CommandSet, TextLesson, TextView
from sparring.tutorials import Lesson, LessonState

from .screen import INTRO, SCREEN_COMMANDS, PlayerLeft, Screen

COMMANDS = CommandSet(INTRO, *STEPS, *QUERIES, *SCREEN_COMMANDS, HELP)


class TerminalTutorial(Screen):
    """A tutorial for one person at this keyboard; the script makes the choices of the other seats."""

    def __init__(
        self, game: Game, lesson: Lesson, console: Console, step: int = 1, read: Callable[[str], str] | None = None
    ) -> None:
        self.game, state = game, LessonState.at_step(game, lesson, step)
        seats = range(1, state.match.seats + 1)
        super().__init__([seat_name(seat) if seat == lesson.seat else say("Coach") for seat in seats], console, read)
        self.enter(state)

    def enter(self, state: LessonState) -> None:
        """Continue the lesson in another state."""
        self.lesson = TextLesson(state, self.names.names, COMMANDS, aloud=False)

    @property
    def view(self) -> TextView:
        """What the learner sees, and can type."""
        return self.lesson.view

    def play(self) -> None:
        """Run the steps until the end, or until the player leaves."""
        self.say(say("{game}: tutorial. Type ? for help.", game=self.game.title))
        try:
            while not self.lesson.state.over:
                self.teach()
            self.close()
        except (PlayerLeft, EOFError, KeyboardInterrupt):
            step = self.lesson.state.step_index + 1
            command = f"sparring learn {self.game.name} --step {step}"
            self.say("\n" + say("To return to this step: {command}", command=command))

    def teach(self) -> None:
        """Show the step, and read input until something is done or undone."""
        self.show_table()
        lesson = self.lesson
        while self.lesson is lesson:
            if lesson.state.expects_choice:
                self.ask("> ")
            else:
                self.ask(say("Press Enter to continue. "), empty="on")

    def run_command(self, command: str, rest: str) -> None:
        """Run a command; choices, `on` and `back` lead to another state."""
        if (state := self.lesson.after(command, rest)) is None:
            super().run_command(command, rest)
            return
        self.enter(state)
        if command != "back":
            self.tell(self.lesson.events)

    def show_table(self) -> None:
        """Show the table, the step's text, the things it points at, and the choices."""
        state = self.lesson.state
        self.draw(self.view)
        if state.step:
            self.console.print()
            self.say(f"{state.step_index + 1}/{len(state.lesson.steps)}  {self.lesson.idea}", WIDTH)
            if titles := dict.fromkeys(target.title for target in state.targets() if target.title):
                self.say(self.lesson.words(say("Look at: {things}.", things=enumerated(titles))), WIDTH)
        if state.expects_choice:
            self.list_choices(self.view)

    def close(self) -> None:
        """Print what the player has learned and how to start a match."""
        self.say("\n" + say("What you've learned:"))
        for line in self.lesson.learned:
            self.say(f"- {line}", WIDTH, indent="  ")
        self.say("\n" + say("Play your first match:"))
        game, seats = self.game, "me,search:level=gentle"
        self.say(f'sparring play {game.name} --terminal --seats {seats} --preset "{game.recommended}"')
