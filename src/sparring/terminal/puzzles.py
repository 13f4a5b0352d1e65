"""Solve puzzles in the terminal."""

from collections.abc import Callable
from datetime import UTC, date, datetime

from rich.console import Console

from sparring.bots import parse
from sparring.engine.errors import SparringError
from sparring.engine.game import Game
from sparring.engine.messages import Text, say
from sparring.puzzles import BadPuzzle, Puzzle, PuzzleCollection, collection_of
from sparring.puzzles.verdict import judge
from sparring.text import HELP, QUERIES, Command, CommandSet

from .screen import INTRO, SCREEN_COMMANDS, PlayerLeft
from .seat_specs import ME
from .terminal import Terminal

#: The commands of a match that a puzzle doesn't have.
UNUSED = ("hint", "back", "forfeit")


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
