"""Keep the shipped puzzles that still can be solved after a change of rules."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from sparring import Game
from sparring.engine.errors import SparringError
from sparring.puzzles import Puzzle, read_puzzles
from sparring.puzzles.checks import MIN_ACTIONS, candidates_in
from sparring.puzzles.puzzle import FILE


def kept(puzzle: Puzzle, game: Game) -> Puzzle | None:
    """Return a puzzle with its current id; None if its position, its choices or their words are others now."""
    try:
        view = puzzle.view(game)
    except SparringError:
        return None
    words = dict(view.choices)
    if len(candidates_in(view)) < MIN_ACTIONS:
        return None
    if any(words.get(each.action) != each.words for each in (puzzle.best, puzzle.second, puzzle.tempting)):
        return None
    key = view.key().hex()
    return puzzle if key.startswith(puzzle.id) else msgspec.structs.replace(puzzle, id=key[: len(puzzle.id)])


def write(game: Game) -> Iterator[Path]:
    """Drop the puzzles of a game that no longer fit; yield the file if it changes."""
    file = game.folder / FILE
    before = read_puzzles(file)
    after = [found for puzzle in before if (found := kept(puzzle, game))]
    if after != list(before):
        file.write_bytes(b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in after))
        yield file
    if len(after) < len(before):
        lost = len(before) - len(after)
        print(f"{game.title}: {lost} puzzles no longer fit. Find others: sparring puzzles {game.name} --count {lost}")
