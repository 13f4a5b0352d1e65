"""Solve puzzles in the terminal."""

from collections.abc import Callable
from datetime import UTC, date, datetime

from rich.console import Console

from sparring.bots import parse
from sparring.engine.errors import SparringError
from sparring.engine.game import Game
from sparring.puzzles import BadPuzzle, Puzzle, PuzzleCollection, collection_of
from sparring.puzzles.verdict import judge
from sparring.text.commands import HELP, QUERIES, Command, CommandSet
from sparring.text.text_view import TextView

from .screen import INTRO, SCREEN_COMMANDS, PlayerLeft, Screen
from .seat_specs import ME, names

COMMANDS = CommandSet(INTRO, *QUERIES, *SCREEN_COMMANDS, HELP, Command("hint", "", ("back", "undo", "forfeit")))


class TerminalPuzzle(Screen):
    """A puzzle for one person at this keyboard: the first choice answers it."""

    def __init__(
        self, game: Game, puzzle: Puzzle, console: Console, read: Callable[[str], str] | None = None
    ) -> None:  # fmt: skip
        self.match, self.puzzle = puzzle.start(game), puzzle
        seats, bot = range(1, self.match.seats + 1), parse("random")
        super().__init__(names([ME if seat == puzzle.seat else bot for seat in seats]), console, read)
        #: The answer; -1 until there is one.
        self.answer = -1

    @property
    def view(self) -> TextView:
        """What the solver sees, and can type."""
        scene = self.match.view(self.puzzle.seat).scene
        return TextView(scene, self.match.box, self.names, COMMANDS, aloud=False)

    def solve(self) -> bool:
        """Ask until there is an answer, explain it, and return whether it is right. Raises PlayerLeft."""
        self.show_table()
        while self.answer < 0:
            self.handle_input(self.read("> ").strip())
        verdict = judge(self.puzzle, self.match.view(self.puzzle.seat), self.answer)
        for line in ("", verdict.title, *verdict.paragraphs):
            self.say(self.names.text(line))
        return verdict.right

    def run_command(self, command: str, rest: str) -> None:
        """Run a command, or take a choice as the answer. A hint would give the answer away."""
        if not command:
            self.answer = self.match.read(rest)
        elif command == "hint":
            raise SparringError("In a puzzle you can only choose, look and ask for explanations.")
        else:
            super().run_command(command, rest)


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
