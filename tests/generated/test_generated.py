"""What follows from the games' code is up to date (`make generated` writes it), and where it belongs."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from generated import documents, puzzles
from generated.write import model_faults
from playthroughs.write import is_built_in
from research.games_under_test import ALL
from sparring import games
from sparring.engine.game import game as find
from sparring.puzzles import read_puzzles
from sparring.puzzles.puzzle import FILE

MARKED = [path for path in documents.documents() if " generated: " in path.read_text(encoding="utf-8")]


@pytest.mark.parametrize("path", MARKED, ids=lambda path: str(path.relative_to(documents.ROOT)))
def test_generated_blocks_are_up_to_date(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert documents.updated(text) == text, "run `make generated`"


@pytest.mark.parametrize("path", MARKED, ids=lambda path: str(path.relative_to(documents.ROOT)))
def test_every_mark_begins_a_block(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(" generated: ") == len(documents.BLOCK.findall(text)) == len(re.findall("(<!--|#) end", text))


def test_what_differs_inside_a_block_is_replaced_and_nothing_else() -> None:
    text = "# Mine\n\n<!-- generated: options high-card -->\n\nold\n\n<!-- end -->\n\nYours.\n"
    new = documents.updated(text)
    assert (new.startswith("# Mine\n\n<!--"), new.endswith("-->\n\nYours.\n")) == (True, True)
    assert "| `hand` | Number of cards in each hand | 1 to 5 | 3 | R1 |" in new
    assert "old" not in new
    assert documents.updated(new) == new
    counted = documents.updated("a <!-- generated: ruling-count -->7<!-- end --> b")
    assert re.fullmatch(r"a <!-- generated: ruling-count -->\d+ of these \d+ rulings<!-- end --> b", counted)


def test_every_game_has_its_blocks() -> None:
    environments = (documents.ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    for game in ALL:
        assert f"## {game.title}\n\n<!-- generated: environment {game.name} -->" in environments
    for game in filter(is_built_in, games().values()):
        page = (documents.ROOT / "docs" / "games" / f"{game.name}.md").read_text(encoding="utf-8")
        for kind in ("facts", "options"):
            assert f"## {kind.capitalize()}\n\n<!-- generated: {kind} {game.name} -->" in page


def test_only_puzzles_that_no_longer_fit_are_dropped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(find("world-of-fighters").folder / "content.toml", tmp_path)
    game = replace(find("world-of-fighters"), folder=tmp_path)
    good, renamed, illegal, reworded, *_ = read_puzzles(find(game.name).folder / FILE)
    changed = [
        good, msgspec.structs.replace(renamed, id="0" * len(renamed.id)),
        msgspec.structs.replace(illegal, best=msgspec.structs.replace(illegal.best, action=9999)),
        msgspec.structs.replace(reworded, second=msgspec.structs.replace(reworded.second, words="wink")),
    ]  # fmt: skip
    file = tmp_path / FILE
    file.write_bytes(b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in changed))
    assert list(puzzles.write(game)) == [file]
    assert read_puzzles(file) == (good, renamed)
    assert "2 puzzles no longer fit" in capsys.readouterr().out
    assert list(puzzles.write(game)) == []


def test_models_for_other_rules_are_named(tmp_path: Path) -> None:
    game = find("mace")
    assert model_faults(game) == []
    shutil.copytree(game.folder, tmp_path / "mace")
    (name,) = (file.name for file in (tmp_path / "mace" / "models").iterdir())
    (fault,) = model_faults(replace(game, folder=tmp_path / "mace", version=game.version + 1))
    assert name in fault
    assert "Train" in fault
