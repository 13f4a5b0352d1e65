"""Collections of puzzles: files with one JSON object a line; the daily puzzle, and the order of a streak.

Puzzles come with a game, in its folder, and from `sparring puzzles`, in the user's data folder.
"""

import random
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from pathlib import Path

import msgspec

from sparring.engine.folders import data_folder
from sparring.engine.game import Game

from .puzzle import BadPuzzle, Puzzle

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
    puzzles = []
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            puzzles.append(msgspec.json.decode(line, type=Puzzle))
        except msgspec.MsgspecError as problem:
            raise BadPuzzle(f"{file}, line {number}: {problem}.") from None
    return tuple(puzzles)


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
    """Return all puzzles for the installed version of a game: shipped ones first. Cached. Raises BadPuzzle."""
    puzzles = (*read_puzzles(game.folder / FILE), *read_puzzles(own_file(game)))
    return PuzzleCollection(tuple({each.id: each for each in puzzles if each.version == game.version}.values()))
