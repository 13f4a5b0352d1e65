"""Find puzzles and check them by searches."""

from itertools import islice
from pathlib import Path

import pytest

from cli.command_line import run
from sparring.engine.game import game, games
from sparring.games.high_card import GAME as HIGH_CARD
from sparring.puzzles import BadPuzzle, Puzzle, read_puzzles
from sparring.puzzles.checks import MAX_FOUND, MIN_MARGIN, check_position, compare, look_shallowly
from sparring.puzzles.finder import MAX_PER_MATCH, MAX_SIMILAR, find_in_record, find_puzzles
from sparring.puzzles.puzzle import FILE
from wording import says

NAME = "untitled-movement"
GAME = game(NAME)
SHIPPED = {name: read_puzzles(each.folder / FILE) for name, each in games().items()}


def shipped() -> Puzzle:
    return SHIPPED[NAME][0]


@pytest.mark.compiled(NAME)
def test_a_found_puzzle_has_a_clear_best_choice_that_shallow_searches_miss() -> None:
    steps = find_puzzles(GAME.setup(dict(GAME.preset("short"))), 2, 1, (), 10)
    puzzle = next(step.puzzle for step in steps if step.puzzle)
    assert MIN_MARGIN <= puzzle.low <= puzzle.margin
    assert puzzle.margin == pytest.approx(puzzle.best.value - puzzle.second.value, abs=0.002)
    shallow = look_shallowly(puzzle.view(GAME), 99, 40)
    assert shallow.shares.get(puzzle.best.action, 0.0) <= MAX_FOUND + 0.2
    assert puzzle.best.line


@pytest.mark.compiled(NAME)
def test_matches_give_few_puzzles_and_none_twice() -> None:
    setup = GAME.setup(dict(GAME.preset("short")))
    found = [step.puzzle for step in find_puzzles(setup, 2, 7, (), 2) if step.puzzle]
    assert found
    assert all(sum(each.match == puzzle.match for each in found) <= MAX_PER_MATCH for puzzle in found)
    again = [step.puzzle for step in find_puzzles(setup, 2, 7, found, 2) if step.puzzle]
    assert not {puzzle.id for puzzle in found} & {puzzle.id for puzzle in again}


@pytest.mark.compiled(NAME)
def test_a_pair_of_choices_does_not_come_too_often() -> None:
    setup = GAME.setup(dict(GAME.preset("short")))
    found = next(step.puzzle for step in find_puzzles(setup, 2, 1, (), 10) if step.puzzle)
    steps = islice(find_puzzles(setup, 2, found.match, SHIPPED[NAME] * MAX_SIMILAR, 1), 50)
    pairs = {(puzzle.best.words, puzzle.second.words) for puzzle in SHIPPED[NAME]}
    assert not [step for step in steps if step.puzzle and (step.puzzle.best.words, step.puzzle.second.words) in pairs]


@pytest.mark.compiled(NAME)
def test_another_choice_is_not_clearly_best() -> None:
    puzzle = shipped()
    view = puzzle.view(GAME)
    assert compare(view, puzzle.second.action, [puzzle.best.action], 1) is None


@pytest.mark.compiled(NAME)
def test_a_position_whose_best_choice_is_obvious_is_no_puzzle() -> None:
    puzzle = shipped()
    assert check_position(puzzle.view(GAME), puzzle.best.action, 1) is None


@pytest.mark.compiled("high-card")
def test_a_game_of_bluff_alone_has_no_puzzles_and_the_search_ends() -> None:
    steps = list(find_puzzles(HIGH_CARD.setup({}), 2, 1, (), 3))
    assert steps[-1].match == 3
    assert not [step for step in steps if step.puzzle]


@pytest.mark.compiled(NAME)
def test_the_command_adds_puzzles_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "more.jsonl"
    for count in (1, 2):
        run("puzzles", NAME, "--count", "1", "--to", str(file))
        assert len(read_puzzles(file)) == count


def record_of(puzzle: Puzzle) -> str:
    """Return a saved match from a puzzle's position in which the best choice was missed."""
    match = puzzle.start(GAME)
    match.choose(puzzle.second.action)
    return match.record()


@pytest.mark.compiled(NAME)
def test_finished_matches_through_shipped_positions_give_these_puzzles_again() -> None:
    sample = SHIPPED[NAME][:8]
    found = [[step.puzzle for step in find_in_record(GAME, record_of(each), ())] for each in sample]
    ids = [[puzzle.id for puzzle in puzzles if puzzle] for puzzles in found]
    assert all(these in ([], [each.id]) for these, each in zip(ids, sample, strict=True))
    assert sum(map(bool, ids)) >= 2


@pytest.mark.compiled(NAME)
def test_the_command_takes_a_saved_match(tmp_path: Path) -> None:
    record = tmp_path / "match.json"
    record.write_text(record_of(shipped()), encoding="utf-8")
    told = run("puzzles", NAME, "--record", str(record), "--to", str(tmp_path / "found.jsonl"))
    assert says(told, 0, "new puzzles")  # it is known already


def test_a_match_of_another_game_is_refused() -> None:
    with pytest.raises(BadPuzzle):
        next(find_in_record(HIGH_CARD, shipped().start(GAME).record(), ()))


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name, puzzles in SHIPPED.items() if puzzles])
def test_new_searches_confirm_shipped_puzzles(name: str) -> None:
    sample = SHIPPED[name][::5]
    views = [puzzle.view(game(name)) for puzzle in sample]
    confirmed = [
        compare(view, puzzle.best.action, [puzzle.second.action], 1_000_000)
        for puzzle, view in zip(sample, views, strict=True)
    ]
    # A margin at the limit of MIN_MARGIN may fall below it.
    assert sum(each is not None for each in confirmed) >= 0.8 * len(sample)
