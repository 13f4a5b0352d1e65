"""`sparring check` reads a game's documents and names file and line of what doesn't fit the rules."""

import dataclasses
import shutil
from pathlib import Path

import pytest

from sparring.cli.document_checks import document_faults, unused_words
from sparring.engine.game import Game, game, games
from sparring.games.tic_tac_toe import GAME as TIC_TAC_TOE


@pytest.fixture
def copied(tmp_path: Path) -> Game:
    """Return MACE with a copy of its documents, to change."""
    own = game("mace")
    for name in ("rules.md", "learn.toml", "glossary.toml", "content.toml"):
        shutil.copy(own.folder / name, tmp_path / name)
    changed = dataclasses.replace(own)
    object.__setattr__(changed, "folder", tmp_path)
    return changed


def change(game: Game, name: str, old: str, new: str) -> int:
    """Replace the first occurrence of a text in a document; return its line."""
    file = game.folder / name
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text.count("\n", 0, text.index(old)) + 1


@pytest.mark.parametrize("name", sorted(games()))
def test_the_documents_of_every_game_fit_its_rules(name: str) -> None:
    assert list(document_faults(game(name))) == []


def test_an_example_with_an_unknown_field_is_named_by_its_line(copied: Game) -> None:
    line = change(copied, "rules.md", "[position]\n", "[position]\nhands_of_template = [1]\n")
    faults = list(document_faults(copied))
    assert len(faults) == 1
    assert "has no field hands_of_template" in faults[0]
    said = int(faults[0].removeprefix("rules.md, line ").partition(":")[0])
    assert line - 12 <= said <= line, "the line is in the example"


def test_an_option_with_a_missing_ruling_is_named(copied: Game) -> None:
    option = next(one for one in copied.options() if one.ruling.startswith("R"))
    number = option.ruling.split()[0].strip(",;")
    text = (copied.folder / "rules.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(f"| {number} ")]
    (copied.folder / "rules.md").write_text("\n".join(lines), encoding="utf-8")
    assert any(f"ruling {number}, which has no row" in fault for fault in document_faults(copied))


def test_a_tutorial_of_another_game_is_named_by_its_line(copied: Game) -> None:
    line = change(copied, "learn.toml", "[position]", "[position]\nhands_of_template = [1]")
    assert [fault for fault in document_faults(copied) if fault.startswith(f"learn.toml, line {line}: ")]


def test_a_malformed_glossary_is_named_by_its_line(copied: Game) -> None:
    with (copied.folder / "glossary.toml").open("a", encoding="utf-8") as file:
        file.write('\n[Broken]\nwords = "x"\n')
    line = (copied.folder / "glossary.toml").read_text(encoding="utf-8").splitlines().index("[Broken]") + 1
    assert any(fault.startswith(f"glossary.toml, line {line}: ") for fault in document_faults(copied))


def test_a_content_file_that_nothing_reads_is_named(tmp_path: Path) -> None:
    (tmp_path / "content.toml").write_text("values = [1]\n", encoding="utf-8")
    own = dataclasses.replace(TIC_TAC_TOE, folder=tmp_path)
    assert "content.toml: `read_content` of params.py doesn't read this file; delete it, or use it." in document_faults(
        own
    )


def test_a_word_of_the_glossary_that_no_table_shows_is_found(copied: Game) -> None:
    with (copied.folder / "glossary.toml").open("a", encoding="utf-8") as file:
        file.write('\n["Left over"]\ntext = "A word of the template."\n')
    assert unused_words(copied) == {"Left over"}
