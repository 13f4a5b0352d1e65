"""Shipped puzzles load and can be played; collections, daily puzzles and verdicts."""

from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sparring.engine.game import game, games
from sparring.puzzles import BadPuzzle, Puzzle, PuzzleCollection, add_puzzle, collection_of, read_puzzles
from sparring.puzzles.checks import MAX_FOUND, MIN_ACTIONS, MIN_MARGIN, candidates_in
from sparring.puzzles.puzzle import FILE, judge
from wording import says

SHIPPED = {name: read_puzzles(each.folder / FILE) for name, each in games().items()}
PUZZLED = [name for name, puzzles in SHIPPED.items() if puzzles]
NAME = "untitled-movement"


@pytest.mark.parametrize("name", PUZZLED)
def test_shipped_puzzles_are_playable_and_what_they_say(name: str) -> None:
    found = game(name)
    for puzzle in SHIPPED[name]:
        view = puzzle.view(found)
        assert puzzle.game == name
        assert view.key().hex().startswith(puzzle.id)
        assert len(candidates_in(view)) >= MIN_ACTIONS
        words = dict(view.choices)
        for answer in (puzzle.best, puzzle.second, puzzle.tempting):
            assert words[answer.action] == answer.words
        assert puzzle.best.action not in (puzzle.second.action, puzzle.tempting.action)
        assert MIN_MARGIN <= puzzle.low <= puzzle.margin <= puzzle.high
        assert puzzle.found <= MAX_FOUND
        assert puzzle.best.line
        match = puzzle.start(found)
        match.choose(puzzle.best.action)


@pytest.mark.parametrize("name", PUZZLED)
def test_shipped_puzzles_differ(name: str) -> None:
    assert len({puzzle.id for puzzle in SHIPPED[name]}) == len(SHIPPED[name])


@pytest.mark.parametrize("name", PUZZLED)
def test_each_puzzle_is_daily_once_a_round(name: str) -> None:
    collection = PuzzleCollection(SHIPPED[name])
    start = date.fromordinal(len(collection) * 10_000)
    days = [start + timedelta(days=number) for number in range(len(collection))]
    assert {collection.daily(day).id for day in days} == set(collection.by_id)


def test_orders_of_streaks_depend_on_the_seed_alone() -> None:
    puzzles = SHIPPED[NAME]
    forward, backward = PuzzleCollection(puzzles), PuzzleCollection(puzzles[::-1])
    assert [each.id for each in forward.shuffled(3)] == [each.id for each in backward.shuffled(3)]
    assert [each.id for each in forward.shuffled(3)] != [each.id for each in forward.shuffled(4)]


def test_own_puzzles_add_to_shipped_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    own = msgspec.structs.replace(SHIPPED[NAME][0], id="own")
    old = msgspec.structs.replace(own, id="old", version=game(NAME).version + 1)
    for puzzle in (own, old):
        add_puzzle(tmp_path / "puzzles" / f"{NAME}.jsonl", puzzle)
    collection_of.cache_clear()
    try:
        assert set(collection_of(game(NAME)).by_id) == {each.id for each in SHIPPED[NAME]} | {"own"}
    finally:
        collection_of.cache_clear()


def test_malformed_own_puzzles_are_logged_once_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    good = msgspec.structs.replace(SHIPPED[NAME][0], id="good")
    illegal = msgspec.structs.replace(good.best, action=9999)
    file = tmp_path / "puzzles" / f"{NAME}.jsonl"
    add_puzzle(file, good)
    file.write_bytes(file.read_bytes() + b'{"id": \n\xff\n')
    changes: tuple[dict[str, Any], ...] = ({"position": {}}, {"second": illegal}, {"game": "mace"}, {"seat": 2})
    for number, change in enumerate(changes):
        add_puzzle(file, msgspec.structs.replace(good, id=f"bad{number}", **change))
    collection_of.cache_clear()
    try:
        for _ in range(2):
            assert set(collection_of(game(NAME)).by_id) == {each.id for each in SHIPPED[NAME]} | {"good"}
        (line,) = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
        assert f"{file}, line 2: " in line
        assert "5 more" in line
    finally:
        collection_of.cache_clear()


def test_a_folder_in_place_of_own_puzzles_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SPARRING_DATA", str(tmp_path))
    (tmp_path / "puzzles" / f"{NAME}.jsonl").mkdir(parents=True)
    collection_of.cache_clear()
    try:
        assert len(collection_of(game(NAME))) == len(SHIPPED[NAME])
        assert says(caplog.text, "can't be read")
    finally:
        collection_of.cache_clear()


def test_a_damaged_file_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    add_puzzle(file, SHIPPED[NAME][0])
    file.write_bytes(file.read_bytes() + b"{}\n")
    with pytest.raises(BadPuzzle) as problem:
        read_puzzles(file)
    assert says(str(problem.value), "line 2")


def test_a_puzzle_of_another_version_is_refused() -> None:
    newer = msgspec.structs.replace(SHIPPED[NAME][0], version=game(NAME).version + 1)
    with pytest.raises(BadPuzzle):
        newer.start(game(NAME))


def judged(puzzle: Puzzle, action: int) -> tuple[bool, str]:
    verdict = judge(puzzle, puzzle.view(game(puzzle.game)), action)
    return verdict.right, "\n".join((verdict.title, *verdict.paragraphs))


def test_verdicts_begin_with_a_reason_for_the_best_choice() -> None:
    puzzle = next(each for each in SHIPPED["untitled-movement"] if each.best.words == "FR" and each.second.words == "R")
    first = judged(puzzle, puzzle.best.action)[1].split("\n")[1]
    assert says(first, "“Forward-right” or “Right”", "forward-right", "home")


def test_verdicts_give_margin_and_expected_line() -> None:
    puzzle = SHIPPED[NAME][0]
    right, text = judged(puzzle, puzzle.best.action)
    assert right
    assert says(text, f"{100 * puzzle.margin:.1f}", f"{100 * puzzle.low:.1f}", f"{100 * puzzle.high:.1f}")
    assert puzzle.best.line[0] in text
    right, text = judged(puzzle, puzzle.tempting.action)
    assert not right
    assert says(text, "not quite", "best choice is")
    assert puzzle.tempting.line[0] in text
