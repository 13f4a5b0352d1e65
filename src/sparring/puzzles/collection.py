"""Collections of puzzles: files with one JSON object a line; the daily puzzle, and the order of a streak.

Puzzles come with a game, in its folder, and from `sparring puzzles`, in the user's data folder.
"""

import logging
import random
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from pathlib import Path

import msgspec

from sparring.engine.errors import SparringError
from sparring.engine.folders import data_folder
from sparring.engine.game import Game

from .puzzle import BadPuzzle, Puzzle

log = logging.getLogger(__name__)

#: The file with the puzzles of a game, in its folder.
FILE = "puzzles.jsonl"
#: The seeds of streaks are lower than this.
MAX_SEED = 1 << 31


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
