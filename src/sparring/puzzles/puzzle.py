"""Puzzles as data, their collections in files, and the verdict on an answer.

A puzzle holds a position that was sampled from what the seat knew (a determinization). So neither its file nor its page
contains what was hidden in the match, and the view is still the same byte for byte.

Puzzles come with a game, in its folder, and from `sparring puzzles`, in the user's data folder.
"""

import logging
import random
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from sparring.bots.hint_reasons import contrast
from sparring.engine.errors import SparringError
from sparring.engine.folders import data_folder
from sparring.engine.game import Game
from sparring.engine.match import Match
from sparring.engine.views import View
from sparring.scene.locations import text_of_choice

Difficulty = Literal["easy", "medium", "hard"]

log = logging.getLogger(__name__)

#: The file with the puzzles of a game, in its folder.
FILE = "puzzles.jsonl"

#: The seeds of streaks are lower than this.
MAX_SEED = 1 << 31


class BadPuzzle(SparringError):
    """The puzzle is malformed, or is from another version of its game."""


class AnswerValue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action with its estimated return from 0 to 1 (the win probability, or the share of the payoff range)."""

    action: int
    words: str
    value: float
    #: What the search expects after this action: sentences of the game's log for the seat.
    line: tuple[str, ...] = ()


class Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position with its best action, and how sure the searches are (`checks` defines the measures)."""

    #: The first digits of the view's key.
    id: str
    game: str
    #: The version of the game's rules.
    version: int
    #: The number of the self-play match that it comes from.
    match: int
    seat: int
    best: AnswerValue
    #: The best of the other actions, and the one that shallow searches prefer. They may be the same.
    second: AnswerValue
    tempting: AnswerValue
    #: The mean difference in return between the best and the second action, and its 95% confidence interval.
    margin: float
    low: float
    high: float
    #: How many of the shallow searches find the best action, from 0 to 1.
    found: float
    #: As `Match.position` returns it.
    position: dict[str, Any]

    @property
    def difficulty(self) -> Difficulty:
        """How hard the puzzle is, by the share of shallow searches that find the best action."""
        return "hard" if self.found <= 0.1 else "medium" if self.found <= 0.3 else "easy"

    def start(self, game: Game) -> Match:
        """Return a match at the position, sampled from what the seat knows.

        :raises BadPuzzle: The puzzle is from another version of the game, or its best action is illegal.
        """
        if self.version != game.version:
            raise BadPuzzle(
                f"Puzzle {self.id} is for version {self.version} of {game.title}; version {game.version} is installed."
            )
        match = Match.from_position(self.position, game=game)
        if match.seat != self.seat or self.best.action not in match.legal():
            raise BadPuzzle(f"Puzzle {self.id} of {game.title}: its best action is illegal.")
        return match

    def view(self, game: Game) -> View:
        """Return what the seat knows. Raises BadPuzzle as `start` does."""
        return self.start(game).view(self.seat)


class PuzzleCollection:
    """The puzzles of one game, in the order of their file."""

    def __init__(self, puzzles: tuple[Puzzle, ...]) -> None:
        self.puzzles = puzzles
        self.by_id = {puzzle.id: puzzle for puzzle in puzzles}

    def __len__(self) -> int:
        return len(self.puzzles)

    def __iter__(self) -> Iterator[Puzzle]:
        return iter(self.puzzles)

    def daily(self, day: date) -> Puzzle:
        """Return the puzzle of a day: the same for everyone, and each puzzle once before any comes again."""
        round_number, place = divmod(day.toordinal(), len(self.puzzles))
        return self.shuffled(round_number)[place]

    def streak(self) -> list[Puzzle]:
        """Return all puzzles in a new random order."""
        return self.shuffled(new_seed())

    def shuffled(self, seed: int) -> list[Puzzle]:
        """Return all puzzles in the random order of a seed."""
        order = sorted(self.puzzles, key=lambda puzzle: puzzle.id)
        random.Random(seed).shuffle(order)  # nosec B311
        return order


def own_file(game: Game) -> Path:
    """Return the file in the user's data folder to which `sparring puzzles` adds."""
    return data_folder() / "puzzles" / f"{game.name}.jsonl"


def read_puzzles(file: Path) -> tuple[Puzzle, ...]:
    """Read a file of puzzles; none if there is no such file. Raises BadPuzzle."""
    if not file.exists():
        return ()
    return tuple(_decode(line, f"{file}, line {number}") for number, line in enumerate(_lines(file), 1))


def _lines(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines() if file.exists() else []


def _decode(line: bytes, where: str) -> Puzzle:
    try:
        return msgspec.json.decode(line, type=Puzzle)
    except (msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadPuzzle(f"{where}: {problem}.") from None


def _own_puzzles(game: Game) -> list[Puzzle]:
    """Return the puzzles in the user's own file that can be shown; log the first of the others."""
    file, puzzles, problems = own_file(game), list[Puzzle](), list[str]()
    try:
        for number, line in enumerate(_lines(file), 1):
            where = f"{file}, line {number}"
            try:
                puzzle = _decode(line, where)
                if puzzle.version == game.version:
                    _check(puzzle, game, where)
                puzzles.append(puzzle)
            except BadPuzzle as problem:
                problems.append(str(problem))
    except OSError as problem:
        problems.append(f"{file} can't be read: {problem.strerror}.")
    if problems:
        more = f" {len(problems) - 1} more malformed." if problems[1:] else ""
        log.error("Puzzles for %s are left out. %s%s", game.title, problems[0], more)
    return puzzles


def _check(puzzle: Puzzle, game: Game, where: str) -> None:
    """Raise BadPuzzle unless a puzzle can be shown: its position is valid, and its actions are legal."""
    try:
        legal = puzzle.start(game).legal()
    except SparringError as problem:
        raise BadPuzzle(f"{where}: {problem}") from None
    if not {puzzle.second.action, puzzle.tempting.action} <= {*legal} or puzzle.game != game.name:
        raise BadPuzzle(f"{where}: its actions are illegal, or it is for another game.")


def add_puzzle(file: Path, puzzle: Puzzle) -> None:
    """Append a puzzle to a file, and create it if necessary."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as lines:
        lines.write(msgspec.json.encode(puzzle) + b"\n")


def new_seed() -> int:
    """Return a random seed for `PuzzleCollection.shuffled`."""
    return random.randrange(1, MAX_SEED)  # nosec B311


@lru_cache
def collection_of(game: Game) -> PuzzleCollection:
    """Return all puzzles for the installed version of a game: shipped ones first. Cached.

    Malformed puzzles in the user's own file are left out; the log names the first. Raises BadPuzzle for shipped ones.
    """
    puzzles = (*read_puzzles(game.folder / FILE), *_own_puzzles(game))
    return PuzzleCollection(tuple({each.id: each for each in puzzles if each.version == game.version}.values()))


class Verdict(NamedTuple):
    """The result of an answer: a title, and paragraphs that explain it."""

    right: bool
    title: str
    paragraphs: tuple[str, ...]


def judge(puzzle: Puzzle, view: View, action: int) -> Verdict:
    """Return the verdict on an action. `view` is the puzzle's view."""
    right = action == puzzle.best.action
    rival = puzzle.tempting.action if right else action
    paragraphs = [_compared(puzzle, view), *_expected("Expected after", view, puzzle.best)]
    if why := contrast(view, puzzle.best.action, rival):
        paragraphs.insert(0, f"{quoted(view, puzzle.best.action)} or {quoted(view, rival)}? {why}")
    others = {answer.action: answer for answer in (puzzle.second, puzzle.tempting)}
    if right:
        paragraphs += _expected("Expected after the tempting", view, puzzle.tempting)
    elif action in others:
        paragraphs += _expected("Expected after your", view, others[action])
    else:
        paragraphs.append(f"The searches rated your {quoted(view, action)} below both.")
    paragraphs.append(f"The best choice leads by {margin_in_words(puzzle, view)}.")
    title = "That's it!" if right else f"Not quite. The best choice is {quoted(view, puzzle.best.action)}"
    return Verdict(right, title, (*paragraphs,))


def quoted(view: View, action: int) -> str:
    """Return what a choice is called on the table, in quotation marks: as a hint calls it."""
    words = view.setup.game.scene.words(view.setup, view.state, action)
    return f"“{text_of_choice(view.scene, action, words)}”"


def worth(view: View, value: float) -> str:
    """Return a return from 0 to 1 in words: a win probability, or a payoff in the game's unit."""
    payoffs = view.setup.game.payoffs
    if payoffs is None:
        return f"{value:.0%} to win"
    return f"{payoffs.low + value * (payoffs.high - payoffs.low):+.1f} {payoffs.unit}"


def margin_in_words(puzzle: Puzzle, view: View) -> str:
    """Return the margin with its 95% interval."""
    payoffs = view.setup.game.payoffs
    span, unit = (payoffs.high - payoffs.low, payoffs.unit) if payoffs else (100.0, "percentage points")
    margin, low, high = (span * value for value in (puzzle.margin, puzzle.low, puzzle.high))
    return f"{margin:.1f} {unit} (95% interval {low:.1f} to {high:.1f})"


def _compared(puzzle: Puzzle, view: View) -> str:
    best, second = puzzle.best, puzzle.second
    return (
        f"{quoted(view, best.action)}: {worth(view, best.value)}. The next best, {quoted(view, second.action)}: "
        f"{worth(view, second.value)}."
    )


def _expected(what: str, view: View, answer: AnswerValue) -> list[str]:
    return [f"{what} {quoted(view, answer.action)}: {' '.join(answer.line)}"] if answer.line else []
