"""Learn a game in the terminal, by its tutorial and its puzzles."""

from collections.abc import Callable
from datetime import UTC, date, datetime

from rich.console import Console

from sparring.bots import parse
from sparring.engine.errors import SparringError
from sparring.engine.game import Game
from sparring.engine.messages import Text, say
from sparring.puzzles import BadPuzzle, Puzzle, PuzzleCollection, collection_of
from sparring.puzzles.puzzle import judge
from sparring.scene.markup import seat_name
from sparring.scene.sentences import enumerated
from sparring.scene.text import WIDTH
from sparring.text import HELP, QUERIES, STEPS, Command, CommandSet, TextLesson, TextView
from sparring.tutorials import Lesson, LessonState

from .screen import INTRO, SCREEN_COMMANDS, PlayerLeft, Screen
from .terminal import ME, Terminal

COMMANDS = CommandSet(INTRO, *STEPS, *QUERIES, *SCREEN_COMMANDS, HELP)

#: The commands of a match that a puzzle doesn't have.
UNUSED = ("hint", "back", "forfeit")


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


class TerminalPuzzle(Terminal):
    """A puzzle for one person at this keyboard: the first choice answers it."""

    commands = CommandSet(
        INTRO, *QUERIES, *SCREEN_COMMANDS,
        Command("hint", Text("not in a puzzle"), ("back", "undo", "forfeit"), Text("{words}", words=UNUSED)), HELP,
    )  # fmt: skip

    def __init__(
        self, game: Game, puzzle: Puzzle, console: Console, read: Callable[[str], str] | None = None
    ) -> None:  # fmt: skip
        match, bot = puzzle.start(game), parse("random")
        sitters = [ME if seat == puzzle.seat else bot for seat in range(1, match.seats + 1)]
        super().__init__(match, sitters, console, read)
        self.puzzle = puzzle
        #: The answer; -1 until there is one.
        self.answer = -1

    def solve(self) -> bool:
        """Ask until there is an answer, explain it, and return whether it is right. Raises PlayerLeft."""
        self.show_table()
        while self.answer < 0:
            self.handle_input(self.read("> ").strip())
        verdict = judge(self.puzzle, self.match.view(self.puzzle.seat), self.answer)
        for line in ("", verdict.title, *verdict.paragraphs):
            self.say(self.names.text(line))
        return verdict.right

    def choose(self, action: int) -> None:
        """Take the choice as the answer; the match doesn't go on."""
        self.answer = action

    def hint(self) -> None:
        """Refuse a hint: it would give the answer away."""
        raise SparringError(say("In a puzzle you can only choose, look and ask for explanations."))


def solve_streak(game: Game, console: Console, read: Callable[[str], str] | None = None) -> None:
    """Pose all puzzles of a game in random order until the first mistake. Raises BadPuzzle if there are none."""
    solved = 0
    try:
        for puzzle in _puzzles(game).streak():
            if not TerminalPuzzle(game, puzzle, console, read).solve():
                break
            solved += 1
    except (PlayerLeft, EOFError, KeyboardInterrupt):
        pass
    console.print(f"\nYour streak: {solved}.")


def solve_daily(
    game: Game, console: Console, read: Callable[[str], str] | None = None, day: date | None = None
) -> None:  # fmt: skip
    """Pose the puzzle of a day (default: today in UTC) until it is solved. Raises BadPuzzle if there are none."""
    day = day or datetime.now(UTC).date()
    puzzle = _puzzles(game).daily(day)
    console.print(f"Daily puzzle, {day.day} {day:%B %Y} ({puzzle.difficulty})", highlight=False)
    try:
        while not TerminalPuzzle(game, puzzle, console, read).solve():
            console.print("\nTry again, or type quit to leave.")
    except (PlayerLeft, EOFError, KeyboardInterrupt):
        console.print("\nYou left the puzzle.")


def _puzzles(game: Game) -> PuzzleCollection:
    """Return the puzzles of a game. Raises BadPuzzle if there are none."""
    puzzles = collection_of(game)
    if not len(puzzles):
        raise BadPuzzle(f"There are no puzzles for {game.title} yet. To find some: sparring puzzles {game.name}")
    return puzzles
